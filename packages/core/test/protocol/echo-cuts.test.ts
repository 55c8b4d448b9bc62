// SPDX-License-Identifier: Apache-2.0
import { defineResourceTemplate, notFound, promptError } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { META, request } from '../support/messages.ts'
import { catalogOf, createTestServer, errorAnswer, serve } from '../support/server.ts'

const SHOWN = 256

/** Long texts, of one and of two units a character, with a half of a pair where a careless cut falls. */
const LONG = [
  ['a'.repeat(300), 'a'.repeat(SHOWN)],
  ['😀'.repeat(300), '😀'.repeat(SHOWN)],
  [`a${'😀'.repeat(300)}`, `a${'😀'.repeat(SHOWN - 1)}`],
  [`${'a'.repeat(255)}😀b`, `${'a'.repeat(255)}😀`],
  ['é'.repeat(257), 'é'.repeat(SHOWN)],
  ['b'.repeat(1_000_000), 'b'.repeat(SHOWN)],
] as const

/** Texts that are short enough to be shown whole. */
const WHOLE = ['', 'x', 'c'.repeat(SHOWN), '😀'.repeat(SHOWN), '"\\\u0000\u2028'] as const

const TEXTS = [...LONG, ...WHOLE.map((text) => [text, text] as const)]

describe('text of a client in an answer', () => {
  const { ask, server } = serve({})

  test.each(TEXTS)('is cut in an unknown method (%#)', async (text, shown) => {
    expect(await ask(text)).toEqual(errorAnswer(-32601, `Method not found: ${shown}`))
  })

  test.each(TEXTS)('is cut in an unknown tool (%#)', async (name, shown) => {
    expect(await ask('tools/call', { name })).toEqual(errorAnswer(-32602, `Unknown tool: ${shown}`))
  })

  test.each(TEXTS)('is cut in an unknown prompt (%#)', async (name, shown) => {
    expect(await ask('prompts/get', { name })).toEqual(
      errorAnswer(-32602, `Invalid params: unknown prompt ${shown}`, { name: shown }),
    )
  })

  test.each(TEXTS)('[RES-06] is cut in an unknown uri (%#)', async (uri, shown) => {
    expect(await ask('resources/read', { uri })).toEqual(
      errorAnswer(-32602, `Resource not found: ${shown}`, { uri: shown }),
    )
  })

  test.each(TEXTS)('[VER-02] is cut in a version (%#)', async (version, shown) => {
    const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': version }
    expect(await ask('tools/list', { _meta: meta })).toEqual(
      errorAnswer(-32022, 'Unsupported protocol version', {
        supported: ['2026-07-28'],
        requested: shown,
      }),
    )
  })

  test.each(TEXTS)('[VER-07] is cut in a handshake (%#)', async (protocolVersion, shown) => {
    const answer = await server.handle(request('initialize', { _meta: {}, protocolVersion }))
    expect(answer?.error?.data).toEqual({ supported: ['2026-07-28'], requested: shown })
  })

  test.each(LONG)('is cut in a uri that its reader does not know (%#)', async (text, shown) => {
    const { ask: read } = serve({
      resourceTemplates: [
        defineResourceTemplate({
          uriTemplate: '{+any}',
          name: 'all',
          read: () => notFound('gone'),
        }),
      ],
    })
    expect(await read('resources/read', { uri: text })).toEqual(
      errorAnswer(-32602, `Resource not found: ${shown}`, { uri: shown, reason: 'gone' }),
    )
  })

  test.each(LONG)('is cut in arguments that a prompt does not know (%#)', async (key, shown) => {
    const { ask: get } = serve({ prompts: [{ name: 'p', render: () => 'x' }] })
    const reason = `invalid arguments: unknown argument: ${shown}`
    expect(await get('prompts/get', { name: 'p', arguments: { [key]: 'x' } })).toEqual(
      errorAnswer(-32602, `Invalid params: ${reason}`, { name: 'p', reason }),
    )
  })

  test.each(LONG)(
    'is cut in the path of an argument that is too large (%#)',
    async (key, shown) => {
      const { ask: call } = serve({ tools: [{ name: 't', handler: () => 'x' }] })
      const answer = await call('tools/call', { name: 't', arguments: { [key]: 2n ** 60n } })
      expect(answer?.result?.['structuredContent']).toEqual({
        error: {
          tool: 't',
          reason: 'invalid_arguments',
          path: shown,
          keyword: 'number',
          message: `${shown} must be an integer within ±9007199254740991`,
        },
      })
    },
  )
})

describe('text of a client in a log line', () => {
  const fail = (): never => {
    throw new Error('boom')
  }

  test.each(LONG)('is cut in an id and in a uri (%#)', async (text, shown) => {
    const { server, log } = createTestServer({
      catalog: {
        ...catalogOf({ resources: [{ uriTemplate: '{+any}', name: 'all' }] }),
        readResource: fail,
      },
    })
    const answer = await server.handle(request('resources/read', { uri: text }, text))
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: text,
      error: { code: -32603, message: 'Internal error' },
    })
    expect(log.lines.map(({ bindings }) => bindings)).toEqual([
      { err: new Error('boom'), requestId: shown, uri: shown },
    ])
  })

  test.each(LONG)('is cut in the names of tools and prompts (%#)', async (name, shown) => {
    const { ask, log } = createTestServer({
      catalog: { ...catalogOf({ tools: [{ name }], prompts: [{ name }] }), getPrompt: fail },
      dispatch: fail,
    })
    await ask('tools/call', { name })
    await ask('prompts/get', { name })
    const faults = log.lines.filter(({ level }) => level === 'error')
    expect(faults.map(({ bindings }) => bindings)).toEqual([
      { err: new Error('boom'), requestId: '1', tool: shown },
      { err: new Error('boom'), requestId: '1', prompt: shown },
    ])
  })

  test('is cut in the name of a prompt that cannot be rendered', async () => {
    const name = 'p'.repeat(300)
    const { ask } = createTestServer({
      catalog: { ...catalogOf({ prompts: [{ name }] }), getPrompt: () => promptError('why') },
    })
    const shown = 'p'.repeat(SHOWN)
    expect(await ask('prompts/get', { name })).toEqual(
      errorAnswer(-32602, `Invalid params: prompt ${shown} cannot be rendered`, {
        name: shown,
        reason: 'why',
      }),
    )
  })
})

describe('what is no string', () => {
  const { ask } = serve({ tools: [{ name: 't', handler: () => 'x' }] })

  test.each([undefined, null, 5, true, {}, ['t']])(
    '[TOOL-13] %j is no name of a tool, of a prompt or a uri',
    async (value) => {
      expect(await ask('tools/call', { name: value })).toEqual(
        errorAnswer(-32602, 'Invalid params: tools/call requires a string name'),
      )
      expect(await ask('prompts/get', { name: value })).toEqual(
        errorAnswer(-32602, 'Invalid params: prompts/get requires a string name'),
      )
      expect(await ask('resources/read', { uri: value })).toEqual(
        errorAnswer(-32602, 'Invalid params: resources/read requires a string uri'),
      )
    },
  )

  test.each([
    [null, 'null'],
    [[], 'an array'],
    ['x', 'a string'],
    [0, 'a number'],
    [false, 'a scalar'],
    [10n ** 20n, 'a number'],
  ])('[TOOL-13] [A-34] arguments are named by their kind: %s', async (args, kind) => {
    expect(await ask('tools/call', { name: 't', arguments: args })).toEqual(
      errorAnswer(-32602, `Invalid params: arguments must be an object, got ${kind}`),
    )
  })
})
