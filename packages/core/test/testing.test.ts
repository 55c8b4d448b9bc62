// SPDX-License-Identifier: Apache-2.0
import {
  createCatalog,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
} from '@beam-mcp/core'
import { createTestClient } from '@beam-mcp/core/testing'
import { describe, expect, test } from 'vitest'
import { createApp } from './support/app.ts'

const PARTS = {
  tools: [
    defineTool({
      name: 'route ü',
      inputSchema: {
        type: 'object',
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
        },
      },
      handler: (args) => args,
    }),
  ],
  resources: Array.from({ length: 3 }, (_, index) =>
    defineResource({ uri: `note://${index}`, name: `n${index}`, read: () => `text ${index}` }),
  ),
  resourceTemplates: [
    defineResourceTemplate({ uriTemplate: 'any://{id}', name: 'any', read: (uri) => uri }),
  ],
  prompts: [
    definePrompt({ name: 'ask', arguments: [{ name: 'who' }], render: ({ who }) => who ?? '' }),
  ],
}

describe('the test client', () => {
  test('takes three lines of a host’s test', async () => {
    const app = await createApp(createCatalog(PARTS))
    const client = createTestClient(app)
    const { result } = await client.callTool('route ü', { region: ' süd ', deep: { n: -5 } })
    expect(result).toMatchObject({ structuredContent: { region: ' süd ', deep: { n: -5 } } })
  })

  test('reaches every method', async () => {
    const client = createTestClient(await createApp({ ...createCatalog(PARTS), pageSize: 2 }))
    const answers = [
      await client.discover(),
      await client.listTools(),
      await client.listResources(),
      await client.listResourceTemplates(),
      await client.listPrompts(),
      await client.readResource('note://1'),
      await client.getPrompt('ask', { who: 'ann' }),
      await client.request('server/discover'),
    ]
    expect(answers.map(({ status, error }) => [status, error])).toEqual(
      answers.map(() => [200, undefined]),
    )
    const cursor = String(answers[2]?.result?.['nextCursor'])
    const next = await client.listResources(cursor)
    expect(next.result).toMatchObject({ resources: [{ uri: 'note://2', name: 'n2' }] })
  })

  test('hands refusals over as HTTP brought them', async () => {
    const app = await createApp({
      ...createCatalog(PARTS),
      path: '/rpc',
      authorize: ({ headers }) =>
        headers.authorization === 'Bearer x'
          ? { ok: true }
          : { ok: false, status: 401, challenge: 'Bearer' },
    })
    const stranger = await createTestClient(app, { path: '/rpc' }).listTools()
    expect(stranger).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(stranger.error).toEqual({ code: -32600, message: 'Unauthorized' })
    const known = createTestClient(app, { path: '/rpc', headers: { authorization: 'Bearer x' } })
    expect(await known.callTool('absent')).toMatchObject({ status: 200, error: { code: -32602 } })
    expect(await known.request('no/such')).toMatchObject({ status: 404, error: { code: -32601 } })
    const told = await known.notify('notifications/cancelled', { requestId: 1 })
    expect([told.status, told.result, told.error]).toEqual([202, undefined, undefined])
  })

  test('declares client capabilities and unknown metadata', async () => {
    const tool = defineTool({
      name: 'meta',
      handler: (_args, context) => ({
        capabilities: context.clientCapabilities,
        meta: context.meta,
      }),
    })
    const app = await createApp(createCatalog({ tools: [tool] }))
    const client = createTestClient(app, { clientCapabilities: { sampling: {} } })
    const params = { name: 'meta', arguments: {}, _meta: { 'com.example/x': 1 } }
    const { result } = await client.request('tools/call', params)
    expect(result).toMatchObject({
      structuredContent: { capabilities: { sampling: {} }, meta: { 'com.example/x': 1 } },
    })
  })

  test('[SSE-01] reads an answer that came as a stream', async () => {
    const work = defineTool({
      name: 'work',
      handler: async (_args, { progress, log }) => {
        await progress(1, 2, 'line \u2028 break')
        await log('warning', { 'a\nb': 1 })
        await progress(2)
        return { done: true }
      },
    })
    const app = await createApp({ ...createCatalog({ tools: [work] }), logging: true })
    const meta = { progressToken: 0, 'io.modelcontextprotocol/logLevel': 'info' }
    const answer = await createTestClient(app, { meta }).callTool('work')
    expect(answer).toMatchObject({
      status: 200,
      id: 2,
      result: { structuredContent: { done: true } },
    })
    expect(answer.headers['content-type']).toBe('text/event-stream')
    expect(answer.notifications).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 0, progress: 1, total: 2, message: 'line \u2028 break' },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'warning', data: { 'a\nb': 1 } },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 0, progress: 2 },
      },
    ])
    const alone = await createTestClient(app).request('tools/call', { name: 'work' })
    expect([alone.result?.['structuredContent'], alone.notifications]).toEqual([{ done: true }, []])
    const one = await createTestClient(app).request('tools/call', {
      name: 'work',
      _meta: { progressToken: 'own' },
    })
    expect(one.notifications.map(({ params }) => params['progressToken'])).toEqual(['own', 'own'])
  })

  test('reads a stream of an error, and a stream of one event', async () => {
    const app = await createApp(createCatalog(PARTS))
    const client = createTestClient(app, { headers: { accept: 'text/event-stream' } })
    const { status, result, notifications } = await client.readResource('note://1')
    expect([status, result?.['contents'], notifications]).toMatchObject([200, [{}], []])
    expect(await client.getPrompt('none')).toMatchObject({
      status: 200,
      error: { code: -32602 },
      notifications: [],
    })
  })
})
