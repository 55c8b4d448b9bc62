// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool, type JsonObject } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { createApp, post } from '../support/app.ts'
import { META, request } from '../support/messages.ts'
import { BOTH, bare, initialize, postOld } from '../support/older-client.ts'
import { createTestServer, failure } from '../support/server.ts'
import { startRun } from '../support/stdio-run.ts'

const EXTENSIONS = {
  'com.example/jobs': { mostAtOnce: 4, kinds: ['report', null] },
  'io.modelcontextprotocol/ui': {},
}

type Extensions = Readonly<Record<string, JsonObject>>

async function capabilitiesOf(extensions?: Extensions): Promise<unknown> {
  const { ask } = createTestServer(extensions && { extensions })
  return (await ask('server/discover'))?.result?.['capabilities']
}

describe('what a server declares', () => {
  test('[EXT-02, EXT-06] is what the host names, with its settings', async () => {
    expect(await capabilitiesOf(EXTENSIONS)).toMatchObject({ extensions: EXTENSIONS })
    const { extensions } = (await capabilitiesOf(EXTENSIONS)) as { extensions: unknown }
    expect(extensions).toEqual(EXTENSIONS)
  })

  test('[EXT-04] is nothing unless the host names something', async () => {
    expect(await capabilitiesOf()).not.toHaveProperty('extensions')
    expect(await capabilitiesOf({})).not.toHaveProperty('extensions')
  })

  test('stays what it was at start-up', async () => {
    const settings: Record<string, unknown> = { mostAtOnce: 4 }
    const extensions: Record<string, JsonObject> = { 'com.example/jobs': settings }
    const { ask } = createTestServer({ extensions })
    settings['mostAtOnce'] = 5
    extensions['com.example/more'] = {}
    const answer = await ask('server/discover')
    expect(answer?.result?.['capabilities']).toMatchObject({
      extensions: { 'com.example/jobs': { mostAtOnce: 4 } },
    })
  })

  test('is no part of the older handshake, over HTTP, on stdio and in process', async () => {
    const options = { ...createCatalog({}), extensions: EXTENSIONS, revisions: [...BOTH] }
    const app = await createApp(options)
    const run = startRun({}, { extensions: EXTENSIONS })
    run.send(initialize())
    const { server } = createTestServer(options)
    const answers = [
      (await postOld(app, initialize())).json(),
      await run.next(),
      await server.handle(initialize()),
    ]
    for (const { result } of answers) {
      expect(result.protocolVersion).toBe('2025-11-25')
      expect(result.capabilities).not.toHaveProperty('extensions')
    }
    expect((await post(app, request('server/discover'))).json().result.capabilities).toHaveProperty(
      'extensions',
      EXTENSIONS,
    )
  })
})

describe('the option extensions', () => {
  test.each([
    'com.example/jobs',
    'example/jobs',
    'a/b',
    'io.modelcontextprotocol/tasks',
    'com.Example-2.x1/Jobs_v2.0-beta',
  ])('[EXT-01] takes the id %s', async (id) => {
    expect(await capabilitiesOf({ [id]: {} })).toMatchObject({ extensions: { [id]: {} } })
  })

  test.each([
    'jobs',
    '/jobs',
    'com.example/',
    'com.example',
    'com..example/jobs',
    '.example/jobs',
    '2com.example/jobs',
    'com.2example/jobs',
    'com.example-/jobs',
    'com_example/jobs',
    'com.example/-jobs',
    'com.example/jobs.',
    'com.example/jobs/more',
    'com.example/jo bs',
    'com.exämple/jobs',
    '',
    '__proto__',
  ])("[EXT-01] refuses the id '%s'", async (id) => {
    const extensions = Object.fromEntries([[id, {}]])
    expect(await failure(() => createTestServer({ extensions }))).toEqual({
      code: 'BEAM_ERR_OPT_INVALID',
      message: `Option 'extensions['${id}']' must be named as in 'com.example/jobs' (EXT-01)`,
    })
  })

  test.each<readonly [string, unknown]>([
    ['true', true],
    ['null', null],
    ['a list', []],
    ['text', 'on'],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a setting that is no number', { most: Number.NaN }],
    ['a setting that is a bigint', { most: 1n }],
    ['what turns into text', { toJSON: () => 'text' }],
  ])('[EXT-02] refuses %s for settings', async (_what, settings) => {
    const extensions = { 'com.example/jobs': settings } as Extensions
    expect(await failure(() => createTestServer({ extensions }))).toEqual({
      code: 'BEAM_ERR_OPT_INVALID',
      message:
        "Option 'extensions['com.example/jobs']' must be an object of plain JSON; {} for no settings",
    })
  })

  test.each<readonly [string, unknown]>([
    ['a list of ids', ['com.example/jobs']],
    ['null', null],
    ['text', 'com.example/jobs'],
  ])('refuses %s', async (_what, extensions) => {
    const options = { extensions: extensions as Extensions }
    expect(await failure(() => createTestServer(options))).toEqual({
      code: 'BEAM_ERR_OPT_INVALID',
      message: "Option 'extensions' must be an object of settings by id",
    })
  })
})

describe('context.clientExtensions', () => {
  /** What a handler is told of the client. */
  async function told(message: Record<string, unknown>): Promise<unknown> {
    let seen: unknown
    const look = defineTool({
      name: 'look',
      handler: (_args, { clientExtensions }) => {
        seen = clientExtensions
        return 'seen'
      },
    })
    const options = { ...createCatalog({ tools: [look] }), revisions: [...BOTH] }
    const answer = await createTestServer(options).server.handle(message)
    expect(answer?.result).toMatchObject({ isError: false })
    return seen
  }
  const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
  const look = (clientCapabilities: unknown): Record<string, unknown> =>
    request('tools/call', { name: 'look', _meta: { ...META, [CAPABILITIES]: clientCapabilities } })

  test('[EXT-02, EXT-07] is what the client declared for this request, declared here or not', async () => {
    const extensions = {
      'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
      'com.example/unheard-of': {},
    }
    expect(await told(look({ extensions, sampling: {} }))).toEqual(extensions)
  })

  test.each<readonly [string, unknown]>([
    ['nothing', {}],
    ['a list', { extensions: ['com.example/jobs'] }],
    ['true', { extensions: true }],
    ['null', { extensions: null }],
  ])('[EXT-04] is empty where the client declares %s', async (_what, capabilities) => {
    expect(await told(look(capabilities))).toEqual({})
  })

  test('is empty in the older revision', async () => {
    const _meta = { 'com.example/extensions': { 'com.example/jobs': {} } }
    expect(await told(bare('tools/call', { name: 'look', _meta }))).toEqual({})
  })
})
