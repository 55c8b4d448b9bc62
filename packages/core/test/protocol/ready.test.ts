// SPDX-License-Identifier: Apache-2.0
import type { Capabilities, Catalog } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { catalogOf, createTestServer, failure } from '../support/server.ts'

const EMPTY: Capabilities = { tools: [], resources: [], prompts: [] }

function refusal(capabilities: unknown, members: Partial<Catalog> = {}) {
  const { server } = createTestServer({
    catalog: { capabilities: () => capabilities as Capabilities, ...members },
  })
  return failure(() => server.ready())
}

describe('ready', () => {
  test('asks capabilities once, without a principal', async () => {
    const seen: unknown[] = []
    const { server, ask } = createTestServer({
      catalog: {
        capabilities: (context) => {
          seen.push(context)
          return EMPTY
        },
      },
    })
    await server.ready()
    await server.ready()
    expect(seen).toEqual([{ principal: undefined }])
    await ask('server/discover')
    expect(seen).toHaveLength(1)
  })

  test('is awaited by the first message, and by messages that come together asked for once', async () => {
    let asked = 0
    const { ask } = createTestServer({
      catalog: {
        capabilities: async () => {
          asked += 1
          return EMPTY
        },
      },
    })
    await Promise.all([ask('server/discover'), ask('server/discover'), ask('server/discover')])
    expect(asked).toBe(1)
  })

  test('fails for a message as it fails by itself, and checks again the next time', async () => {
    let isUp = false
    const { server, ask } = createTestServer({
      catalog: {
        capabilities: () => {
          if (!isUp) throw new Error('connect ECONNREFUSED 10.0.0.5')
          return EMPTY
        },
      },
    })
    const refused = {
      code: 'BEAM_ERR_CATALOG_INVALID',
      message:
        'The catalog is refused: capabilities() failed when it was asked at start-up, without a principal',
    }
    expect(await failure(() => server.ready())).toEqual(refused)
    expect(await failure(() => ask('server/discover'))).toEqual(refused)
    isUp = true
    await server.ready()
    expect(await ask('tools/list')).toMatchObject({ result: { tools: [] } })
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
  ])('keeps what capabilities %s as the cause alone', async (_, capabilities) => {
    const { server } = createTestServer({ catalog: { capabilities } })
    const thrown = await server.ready().catch((error: unknown) => error)
    expect(thrown).toMatchObject({
      code: 'BEAM_ERR_CATALOG_INVALID',
      cause: expect.objectContaining({ message: 'boom' }),
    })
    expect(String(thrown)).not.toContain('boom')
  })

  test.each([undefined, null, 'tools', 5, [], () => EMPTY])(
    'refuses capabilities that answer %j',
    async (answer) => {
      expect(await refusal(answer)).toEqual({
        code: 'BEAM_ERR_CATALOG_INVALID',
        message:
          'The catalog is refused: capabilities() must answer an object with tools, resources and prompts',
      })
    },
  )

  test.each([
    [{}, 'tools, resources, prompts'],
    [{ tools: [], prompts: [] }, 'resources'],
    [{ resources: [] }, 'tools, prompts'],
    [{ tools: undefined, resources: [], prompts: [] }, 'tools'],
  ])('refuses %j, naming the lists left out', async (answer, missing) => {
    expect(await refusal(answer)).toEqual({
      code: 'BEAM_ERR_CATALOG_INVALID',
      message: `The catalog is refused: capabilities() left out ${missing}; answer an empty list for what is not offered`,
    })
  })

  test.each(['tools', 'resources', 'prompts'])('refuses %s that are no list', async (key) => {
    for (const value of [null, {}, 'x', new Set()]) {
      expect(await refusal({ ...EMPTY, [key]: value })).toEqual({
        code: 'BEAM_ERR_CATALOG_INVALID',
        message: `The catalog is refused: capabilities().${key} must be a list`,
      })
    }
  })

  test('refuses resources that nothing reads', async () => {
    for (const resource of [
      { uri: 'a:1', name: 'a' },
      { uriTemplate: 'a:{x}', name: 'a' },
    ]) {
      expect(await refusal({ ...EMPTY, resources: [resource] })).toEqual({
        code: 'BEAM_ERR_CATALOG_INVALID',
        message: 'The catalog is refused: resources are listed but the catalog has no readResource',
      })
    }
  })

  test('refuses prompts that nothing renders', async () => {
    expect(await refusal({ ...EMPTY, prompts: [{ name: 'p' }] })).toEqual({
      code: 'BEAM_ERR_CATALOG_INVALID',
      message: 'The catalog is refused: prompts are listed but the catalog has no getPrompt',
    })
  })

  test('wants no reader for what is not listed', async () => {
    const { server } = createTestServer({ catalog: { capabilities: () => EMPTY } })
    await expect(server.ready()).resolves.toBeUndefined()
  })

  const TWICE = 'it is listed twice; rename or drop one'
  test.each([
    ['tools', [{ name: 'a' }, { name: 'b' }, { name: 'a' }], `tool 'a': ${TWICE}`],
    [
      'resources',
      [
        { uri: 'a:1', name: 'x' },
        { uri: 'a:1', name: 'y' },
      ],
      `resource 'a:1': ${TWICE}`,
    ],
    [
      'resources',
      [
        { uriTemplate: 'a:{x}', name: 'x' },
        { uriTemplate: 'a:{x}', name: 'y' },
      ],
      `resource template 'a:{x}': ${TWICE}`,
    ],
    ['prompts', [{ name: 'p' }, { name: 'p' }], `prompt 'p': ${TWICE}`],
  ])('refuses %s that repeat a name', async (key, list, message) => {
    const { server } = createTestServer({ catalog: catalogOf({ [key]: list }) })
    expect(await failure(() => server.ready())).toEqual({ code: 'BEAM_ERR_CATALOG_ENTRY', message })
  })

  test('keeps names of different lists and of different case apart', async () => {
    const { server, ask } = createTestServer({
      catalog: catalogOf({
        tools: [{ name: 'a' }, { name: 'A' }, { name: '__proto__' }, { name: 'constructor' }],
        resources: [
          { uri: 'a:{x}', name: 'a' },
          { uriTemplate: 'a:{x}', name: 'a' },
        ],
        prompts: [{ name: 'a' }],
      }),
      dispatch: (tool) => `ran ${tool}`,
    })
    await server.ready()
    for (const name of ['a', 'A', '__proto__', 'constructor']) {
      expect(await ask('tools/call', { name })).toMatchObject({
        result: { content: [{ type: 'text', text: `ran ${name}` }] },
      })
    }
    expect(await ask('tools/call', { name: 'toString' })).toMatchObject({
      error: { code: -32602, message: 'Unknown tool: toString' },
    })
  })
})
