// SPDX-License-Identifier: Apache-2.0
import {
  type CallContext,
  createCatalog,
  createServer,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
} from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { META, request } from '../support/messages.ts'
import {
  createTestServer,
  errorAnswer,
  resultAnswer,
  serve,
  textAnswer,
  UNCACHED,
} from '../support/server.ts'

const seen: { context?: CallContext } = {}

const { ask, server } = serve(
  {
    tools: [
      defineTool({
        name: 'greet',
        title: 'Greet',
        description: 'Greets.',
        inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
        handler: ({ who }, context) => {
          seen.context = context
          return `Hello, ${who}`
        },
      }),
    ],
    resources: [
      defineResource({ uri: 'note:1', name: 'one', mimeType: 'text/plain', read: () => 'One.' }),
    ],
    resourceTemplates: [
      defineResourceTemplate({
        uriTemplate: 'note:{id}/raw',
        name: 'raw',
        read: (uri) => `raw ${uri}`,
      }),
    ],
    prompts: [
      definePrompt({
        name: 'ask',
        arguments: [{ name: 'topic', required: true }],
        render: ({ topic }) => `About ${topic}?`,
      }),
    ],
  },
  { instructions: 'Be kind.' },
)

describe('handle', () => {
  test('[DISC-01] [DISC-02] [DISC-05] [VER-04] answers server/discover', async () => {
    expect(await ask('server/discover')).toEqual(
      resultAnswer({
        supportedVersions: ['2026-07-28'],
        capabilities: {
          tools: { listChanged: false },
          resources: { listChanged: false, subscribe: false },
          prompts: { listChanged: false },
        },
        instructions: 'Be kind.',
        ...UNCACHED,
      }),
    )
  })

  test('[DISC-06] advertises the same for an empty catalog, and no instructions unless given', async () => {
    const empty = await serve({}).ask('server/discover')
    const { instructions: _, ...others } = (await ask('server/discover'))?.result ?? {}
    expect(empty?.result).toEqual(others)
  })

  test('[TOOL-04] [TOOL-05] answers tools/list', async () => {
    expect(await ask('tools/list')).toEqual(
      resultAnswer({
        tools: [
          {
            name: 'greet',
            title: 'Greet',
            description: 'Greets.',
            inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
          },
        ],
        ...UNCACHED,
      }),
    )
  })

  test('[TOOL-16] answers tools/call', async () => {
    expect(await ask('tools/call', { name: 'greet', arguments: { who: 'you' } })).toEqual(
      textAnswer('Hello, you'),
    )
  })

  test('[RES-02] answers resources/list', async () => {
    expect(await ask('resources/list')).toEqual(
      resultAnswer({
        resources: [{ uri: 'note:1', name: 'one', mimeType: 'text/plain' }],
        ...UNCACHED,
      }),
    )
  })

  test('[RES-03] answers resources/templates/list', async () => {
    expect(await ask('resources/templates/list')).toEqual(
      resultAnswer({
        resourceTemplates: [{ uriTemplate: 'note:{id}/raw', name: 'raw' }],
        ...UNCACHED,
      }),
    )
  })

  test('[RES-04] [RES-05] answers resources/read', async () => {
    expect(await ask('resources/read', { uri: 'note:1' })).toEqual(
      resultAnswer({
        contents: [{ uri: 'note:1', mimeType: 'text/plain', text: 'One.' }],
        ...UNCACHED,
      }),
    )
    expect(await ask('resources/read', { uri: 'note:7/raw' })).toEqual(
      resultAnswer({ contents: [{ uri: 'note:7/raw', text: 'raw note:7/raw' }], ...UNCACHED }),
    )
  })

  test('[PROM-02] answers prompts/list', async () => {
    expect(await ask('prompts/list')).toEqual(
      resultAnswer({
        prompts: [{ name: 'ask', arguments: [{ name: 'topic', required: true }] }],
        ...UNCACHED,
      }),
    )
  })

  test('[PROM-04] answers prompts/get', async () => {
    expect(await ask('prompts/get', { name: 'ask', arguments: { topic: 'tea' } })).toEqual(
      resultAnswer({
        messages: [{ role: 'user', content: { type: 'text', text: 'About tea?' } }],
      }),
    )
  })

  test.each([
    ['server/discover', {}],
    ['tools/list', {}],
    ['tools/call', { name: 'greet' }],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'note:1' }],
    ['prompts/list', {}],
    ['prompts/get', { name: 'ask', arguments: { topic: 'tea' } }],
  ])('[ENV-05] [META-05] %s names its resultType and the server', async (method, params) => {
    expect((await ask(method, params))?.result).toMatchObject({
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '9.8.7' } },
    })
  })

  test.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/list',
    'tasks/result',
    'completion/complete',
    'shutdown',
    'exit',
    'Tools/List',
    'tools/list ',
    '',
    '__proto__',
    'constructor',
    'toString',
  ])('[VER-06] [VER-08] [ERR-10] answers the method %j as unknown', async (method) => {
    expect(await ask(method)).toEqual(errorAnswer(-32601, `Method not found: ${method}`))
  })

  test('[A-45] ignores members of params that it does not know', async () => {
    const extra = { task: {}, inputResponses: {}, requestState: 'x', ['__proto__']: 5 }
    expect(await ask('tools/call', { name: 'greet', ...extra })).toEqual(
      textAnswer('Hello, undefined'),
    )
    expect(await ask('tools/list', { cursor: 'nonsense', ...extra })).toEqual(
      await ask('tools/list'),
    )
  })

  test('[META-02] [META-07] tells a handler of the call it serves', async () => {
    const meta = {
      ...META,
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'com.example/trace': { a: 1 },
    }
    const message = {
      jsonrpc: '2.0',
      id: 'seven',
      method: 'tools/call',
      params: { name: 'greet', _meta: meta },
    }
    await server.handle(message, { principal: 'alice' })
    expect(seen.context).toEqual({
      transport: 'in-process',
      principal: 'alice',
      requestId: 'seven',
      method: 'tools/call',
      protocolVersion: '2026-07-28',
      clientInfo: { name: 'c', version: '1' },
      clientCapabilities: {},
      meta,
    })
  })

  test('serves a caller that says nothing of itself', async () => {
    const answer = await server.handle(request('tools/call', { name: 'greet' }))
    expect(answer).toEqual(textAnswer('Hello, undefined'))
    expect(seen.context?.principal).toBeUndefined()
  })

  test('copies the message before anything reads it', async () => {
    const args = { deep: { list: [1] } }
    let handed: unknown
    const { server: copying } = serve({
      tools: [
        defineTool({
          name: 'keep',
          inputSchema: { type: 'object', additionalProperties: true },
          handler: (given) => {
            handed = given
            return 'kept'
          },
        }),
      ],
    })
    await copying.handle(request('tools/call', { name: 'keep', arguments: args }))
    args.deep.list.push(2)
    expect(handed).toEqual({ deep: { list: [1] } })
  })

  test('logs to standard error where it is given no logger', async () => {
    const lines: unknown[][] = []
    const { error } = console
    console.error = (...line: unknown[]) => void lines.push(line)
    try {
      const { catalog } = createCatalog({ tools: [defineTool({ name: 'x', handler: () => 1 })] })
      const quiet = createServer({
        catalog,
        dispatch: () => {
          throw new Error('secret')
        },
      })
      await quiet.handle(request('tools/call', { name: 'x' }))
    } finally {
      console.error = error
    }
    expect(lines).toEqual([
      [
        '[@beam-mcp/core] error: A tool failed; the caller was told of an internal error',
        { err: new Error('secret'), requestId: '1', tool: 'x' },
      ],
    ])
  })
})

describe('a message that throws when it is read', () => {
  test.each<readonly [string, () => unknown]>([
    [
      'an id',
      () => ({
        get id() {
          throw new Error('host secret')
        },
      }),
    ],
    [
      'anything',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {})
        revoke()
        return proxy
      },
    ],
  ])('for %s is answered as no JSON', async (_, message) => {
    const { server } = createTestServer()
    expect(await server.handle(message())).toEqual({
      jsonrpc: '2.0',
      error: { code: -32700, message: 'Parse error: body is not valid JSON' },
    })
  })
})
