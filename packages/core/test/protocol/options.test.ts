// SPDX-License-Identifier: Apache-2.0
import { createCatalog, createServer, type ServerOptions } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { SERVER_OPTION_NAMES } from '../../src/protocol/server-options.ts'
import { LIBRARY_VERSION } from '../../src/version.ts'
import { request } from '../support/messages.ts'
import { createTestServer, failure, recordLog } from '../support/server.ts'

const REQUIRED = createCatalog({})
const { logger } = recordLog()

function create(options: unknown): Promise<{ code: unknown; message: string }> {
  return failure(() => createServer(options as ServerOptions))
}

const withCatalog = (members: object): object => ({
  ...REQUIRED,
  catalog: { capabilities: () => ({ tools: [], resources: [], prompts: [] }), ...members },
})

/** Options that are refused, and the message that says which and why. */
const REFUSED: readonly (readonly [what: string, options: unknown, message: string])[] = [
  ['no options', undefined, "Option 'options' must be an object with catalog and dispatch"],
  ['a list', [], "Option 'options' must be an object with catalog and dispatch"],
  [
    'no catalog',
    { dispatch: () => 1 },
    "Option 'catalog' is required: an object with a function capabilities",
  ],
  [
    'a catalog that is null',
    { ...REQUIRED, catalog: null },
    "Option 'catalog' is required: an object with a function capabilities",
  ],
  [
    'a catalog without capabilities',
    { ...REQUIRED, catalog: {} },
    "Option 'catalog' must have a function capabilities",
  ],
  [
    'capabilities that are no function',
    { ...REQUIRED, catalog: { capabilities: { tools: [] } } },
    "Option 'catalog' must have a function capabilities",
  ],
  [
    'a readResource that is no function',
    withCatalog({ readResource: 'x' }),
    "Option 'catalog.readResource' must be a function, or left out",
  ],
  [
    'a getPrompt that is no function',
    withCatalog({ getPrompt: {} }),
    "Option 'catalog.getPrompt' must be a function, or left out",
  ],
  [
    'an allows that is no function',
    withCatalog({ allows: true }),
    "Option 'catalog.allows' must be a function, or left out",
  ],
  [
    'no dispatch',
    { catalog: REQUIRED.catalog },
    "Option 'dispatch' is required: a function (tool, args, context) that runs a tool",
  ],
  [
    'a dispatch that is no function',
    { ...REQUIRED, dispatch: {} },
    "Option 'dispatch' is required: a function (tool, args, context) that runs a tool",
  ],
  [
    'instructions that are no string',
    { ...REQUIRED, instructions: ['a'] },
    "Option 'instructions' must be a string, or left out",
  ],
  [
    'a serverInfo that is no object',
    { ...REQUIRED, serverInfo: 'me' },
    "Option 'serverInfo' must be an object with name and version",
  ],
  [
    'a serverInfo without a name',
    { ...REQUIRED, serverInfo: { version: '1' } },
    "Option 'serverInfo.name' must be a string",
  ],
  [
    'a serverInfo without a version',
    { ...REQUIRED, serverInfo: { name: 'a' } },
    "Option 'serverInfo.version' must be a string",
  ],
  [
    'a websiteUrl that is no string',
    { ...REQUIRED, serverInfo: { name: 'a', version: '1', websiteUrl: 5 } },
    "Option 'serverInfo.websiteUrl' must be a string, or left out",
  ],
  [
    'icons that are no list',
    { ...REQUIRED, serverInfo: { name: 'a', version: '1', icons: 'x' } },
    "Option 'serverInfo.icons' must be a list, or left out",
  ],
  [
    'an icon that a client would refuse',
    { ...REQUIRED, serverInfo: { name: 'a', version: '1', icons: [{ src: 'http://x/i.png' }] } },
    "Option 'serverInfo.icons' must each have a src that begins with https: or data:; clients refuse others",
  ],
  [
    'an unknown member of serverInfo',
    { ...REQUIRED, serverInfo: { name: 'a', version: '1', tittle: 'A' } },
    "Option 'serverInfo.tittle' is unknown; did you mean 'serverInfo.title'?",
  ],
  ...[0, -1, 1.5, '50', Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, null].map(
    (pageSize) =>
      [
        `the page size ${String(pageSize)}`,
        { ...REQUIRED, pageSize },
        "Option 'pageSize' must be a whole number above 0",
      ] as const,
  ),
  [
    'a body limit of nothing',
    { ...REQUIRED, bodyLimit: 0 },
    "Option 'bodyLimit' must be a whole number above 0",
  ],
  [
    'a logger that lacks a level',
    { ...REQUIRED, logger: { error: logger.error, warn: logger.warn, info: logger.info } },
    "Option 'logger' must have error, warn, info and debug, as a pino logger has",
  ],
  [
    'a logger that is null',
    { ...REQUIRED, logger: null },
    "Option 'logger' must have error, warn, info and debug, as a pino logger has",
  ],
  [
    'an option with a slip of the pen',
    { ...REQUIRED, pagesize: 5 },
    "Option 'pagesize' is unknown; did you mean 'pageSize'?",
  ],
  [
    'an option of the reference',
    { ...REQUIRED, serverName: 'x' },
    "Option 'serverName' is unknown; did you mean 'serverInfo'?",
  ],
  [
    'what belongs into a catalog',
    { ...REQUIRED, tools: [] },
    "Option 'tools' belongs into createCatalog; write ...createCatalog({ tools }) instead",
  ],
  [
    'an option like no other',
    { ...REQUIRED, zzzzzzzzzz: 1 },
    `Option 'zzzzzzzzzz' is unknown; there are: ${SERVER_OPTION_NAMES.join(', ')}`,
  ],
]

describe('createServer', () => {
  test.each(REFUSED)('refuses %s by name', async (_, options, message) => {
    expect(await create(options)).toEqual({ code: 'BEAM_ERR_OPT_INVALID', message })
  })

  test('refuses an unknown option whatever its value', async () => {
    expect(await create({ ...REQUIRED, principal: undefined })).toMatchObject({
      code: 'BEAM_ERR_OPT_INVALID',
    })
  })

  test('asks the catalog nothing', () => {
    let asked = 0
    createServer({
      dispatch: () => 1,
      catalog: {
        capabilities: () => {
          asked += 1
          throw new Error('not yet')
        },
      },
      logger,
    })
    expect(asked).toBe(0)
  })

  test('takes a catalog whose functions stand on a prototype, and keeps its this', async () => {
    class Shelf {
      readonly #lists = { tools: [], resources: [{ uri: 'a:1', name: 'one' }], prompts: [] }
      readonly #text = 'one'
      capabilities() {
        return this.#lists
      }
      readResource() {
        return this.#text
      }
    }
    const { ask } = createTestServer({ catalog: new Shelf() })
    expect(await ask('resources/read', { uri: 'a:1' })).toMatchObject({
      result: { contents: [{ uri: 'a:1', text: 'one' }] },
    })
  })

  test('[META-11] names itself with its own version unless it is told who it is', async () => {
    const server = createServer({ ...REQUIRED, logger })
    const answer = await server.handle(request('server/discover'))
    expect(answer?.result?.['_meta']).toEqual({
      'io.modelcontextprotocol/serverInfo': { name: 'beam_mcp', version: LIBRARY_VERSION },
    })
  })

  test('[META-11] names every member of the identity it was given', async () => {
    const serverInfo = {
      name: 'n',
      version: '2',
      title: 'T',
      description: 'D',
      websiteUrl: 'https://x.example',
      icons: [{ src: 'https://x.example/i.png', sizes: ['48x48'] }],
    }
    const { ask } = createTestServer({ serverInfo })
    const answer = await ask('server/discover')
    expect(answer?.result?.['_meta']).toEqual({ 'io.modelcontextprotocol/serverInfo': serverInfo })
  })
})
