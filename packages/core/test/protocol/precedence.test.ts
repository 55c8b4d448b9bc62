// SPDX-License-Identifier: Apache-2.0
import { defineTool } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { META } from '../support/messages.ts'
import { serve } from '../support/server.ts'

interface Draft {
  jsonrpc?: unknown
  id?: unknown
  method?: unknown
  _meta?: unknown
  params: { _meta: Record<string, unknown>; name?: unknown; arguments?: unknown }
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

/** Faults that a message can have, in the order in which they are answered, and their answers. */
const FAULTS: readonly (readonly [
  name: string,
  spoil: (draft: Draft) => void,
  expected: object,
])[] = [
  ['an id that is none', (draft) => (draft.id = 1.5), { error: { code: -32600 } }],
  [
    'another JSON-RPC',
    (draft) => (draft.jsonrpc = '1.0'),
    { id: 1, error: { code: -32600, message: 'Invalid Request' } },
  ],
  ['a top-level _meta', (draft) => (draft._meta = {}), { id: 1, error: { code: -32602 } }],
  [
    'no version',
    ({ params }) => delete params._meta[VERSION_KEY],
    { id: 1, error: { code: -32602 } },
  ],
  [
    'a version that is not served',
    ({ params }) => (params._meta[VERSION_KEY] = '2025-11-25'),
    { id: 1, error: { code: -32022 } },
  ],
  [
    'no capabilities of the client',
    ({ params }) => delete params._meta[CAPABILITIES_KEY],
    { id: 1, error: { code: -32602 } },
  ],
  [
    'a log level that is none',
    ({ params }) => (params._meta['io.modelcontextprotocol/logLevel'] = 'loud'),
    { id: 1, error: { code: -32602 } },
  ],
  [
    'an unknown method',
    (draft) => (draft.method = 'tools/run'),
    { id: 1, error: { code: -32601, message: 'Method not found: tools/run' } },
  ],
  [
    'a name that is no string',
    ({ params }) => (params.name = 5),
    {
      id: 1,
      error: { code: -32602, message: 'Invalid params: tools/call requires a string name' },
    },
  ],
  [
    'an unknown tool',
    ({ params }) => (params.name = 'none'),
    { id: 1, error: { code: -32602, message: 'Unknown tool: none' } },
  ],
  [
    'arguments that are no object',
    ({ params }) => (params.arguments = null),
    {
      id: 1,
      error: { code: -32602, message: 'Invalid params: arguments must be an object, got null' },
    },
  ],
  [
    'an argument that would be rounded',
    ({ params }) => (params.arguments = { big: 2n ** 60n }),
    { id: 1, result: { isError: true, structuredContent: { error: { path: 'big' } } } },
  ],
  [
    'an argument of another type',
    ({ params }) =>
      (params.arguments = { ...(params.arguments as object | null | undefined), count: 'x' }),
    { id: 1, result: { isError: true, structuredContent: { error: { path: 'count' } } } },
  ],
  ['a handler that throws', () => undefined, { id: 1, error: { code: -32603 } }],
]

const { server } = serve({
  tools: [
    defineTool({
      name: 'fail',
      inputSchema: {
        type: 'object',
        properties: { count: { type: 'integer' }, big: { type: 'integer' } },
      },
      handler: () => {
        throw new Error('boom')
      },
    }),
  ],
})

function spoilt(...spoilers: readonly ((draft: Draft) => void)[]): Draft {
  const draft: Draft = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'fail', arguments: {}, _meta: { ...META } },
  }
  for (const spoil of spoilers) spoil(draft)
  return draft
}

describe('the order of checks', () => {
  test.each(FAULTS)('[A-01] answers %s by itself', async (_, spoil, expected) => {
    expect(await server.handle(spoilt(spoil))).toMatchObject(expected)
  })

  // Where both change one member, the earlier fault is the one that stays.
  const pairs = FAULTS.flatMap(([first, spoilFirst], at) =>
    FAULTS.slice(at + 1).map(
      ([second, spoilSecond]) => [first, second, spoilFirst, spoilSecond] as const,
    ),
  )
  test.each(pairs)(
    '[A-01] answers %s before %s',
    async (_first, _second, spoilFirst, spoilSecond) => {
      const both = await server.handle(spoilt(spoilSecond, spoilFirst))
      expect(both).toEqual(await server.handle(spoilt(spoilFirst)))
    },
  )

  test('[A-01] answers a handshake before all that a modern request has to carry', async () => {
    const message = spoilt((draft) => {
      draft.method = 'initialize'
      draft.params._meta = {}
    })
    expect(await server.handle(message)).toMatchObject({ id: 1, error: { code: -32022 } })
  })
})
