// SPDX-License-Identifier: Apache-2.0
import {
  createCatalog,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  notFound,
  toolError,
  toolResult,
} from '@beam-mcp/core'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { createApp, type EndpointOptions } from '../support/app.ts'
import { request } from '../support/messages.ts'
import { BOTH, bare, postOld } from '../support/older-client.ts'
import { serve } from '../support/server.ts'

const CATALOG = createCatalog({
  tools: [
    defineTool({
      name: 'add',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      outputSchema: {
        type: 'object',
        properties: { sum: { type: 'number' } },
        required: ['sum'],
      },
      handler: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
    }),
    defineTool({ name: 'sorry', handler: () => toolError('not today') }),
    defineTool({
      name: 'noted',
      handler: () =>
        toolResult({ content: [{ type: 'text', text: 'x' }], _meta: { 'com.example/k': 1 } }),
    }),
    defineTool({
      name: 'breaks',
      handler: () => {
        throw new Error('connect ECONNREFUSED 10.0.0.5')
      },
    }),
  ],
  resources: [
    defineResource({ uri: 'note://a', name: 'a', read: () => 'text' }),
    defineResource({ uri: 'note://b', name: 'b', read: () => Uint8Array.of(1) }),
    defineResource({ uri: 'note://gone', name: 'gone', read: () => notFound('it is gone') }),
  ],
  resourceTemplates: [
    defineResourceTemplate({ uriTemplate: 'item://{id}', name: 'item', read: () => 'item' }),
  ],
  prompts: [
    definePrompt({
      name: 'ask',
      arguments: [{ name: 'town', required: true }],
      render: ({ town }) => `Where is ${town}?`,
    }),
  ],
})

const CACHE = { ttlMs: 60_000, cacheScope: 'public' } as const
const OPTIONS = {
  ...CATALOG,
  revisions: BOTH,
  cache: { tools: CACHE, resources: CACHE, prompts: CACHE },
}

function createBoth(more: Partial<EndpointOptions> = {}): Promise<FastifyInstance> {
  return createApp({ ...OPTIONS, ...more } as EndpointOptions)
}

async function ask(app: FastifyInstance, method: string, params?: unknown) {
  const response = await postOld(app, bare(method, params))
  return { status: response.statusCode, body: response.json() as Record<string, unknown> }
}

const NEWER_ALONE = /"(?:resultType|ttlMs|cacheScope|io\.modelcontextprotocol\/serverInfo)"/

describe('an answer of 2025-11-25', () => {
  test.each([
    ['ping', undefined],
    ['tools/list', undefined],
    ['tools/list', {}],
    ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
    ['tools/call', { name: 'add', arguments: {} }],
    ['tools/call', { name: 'sorry' }],
    ['tools/call', { name: 'noted' }],
    ['resources/list', undefined],
    ['resources/templates/list', undefined],
    ['resources/read', { uri: 'note://a' }],
    ['resources/read', { uri: 'item://7' }],
    ['prompts/list', undefined],
    ['prompts/get', { name: 'ask', arguments: { town: 'Oslo' } }],
  ])('[L-ENV-04] to %s %j has no member of the newer revision', async (method, params) => {
    const app = await createBoth()
    const older = await postOld(app, bare(method, params))
    expect(older.statusCode).toBe(200)
    expect(older.json()).toHaveProperty('result')
    expect(older.body).not.toMatch(NEWER_ALONE)
    // The same request of the newer revision has them: the expression can find something.
    if (method !== 'ping') {
      const newer = await serve({}, OPTIONS).server.handle(request(method, params ?? {}))
      expect(JSON.stringify(newer)).toMatch(NEWER_ALONE)
    }
  })

  test('[L-ENV-03] without content is an empty object', async () => {
    const app = await createBoth()
    for (const params of [undefined, null, {}, [], { x: 1 }]) {
      expect(await ask(app, 'ping', params)).toEqual({
        status: 200,
        body: { jsonrpc: '2.0', id: 1, result: {} },
      })
    }
  })

  test('[L-TOOL-01] of a tool has its text and its object', async () => {
    const { body } = await ask(await createBoth(), 'tools/call', {
      name: 'add',
      arguments: { a: 1, b: 2 },
    })
    expect(body['result']).toEqual({
      content: [{ type: 'text', text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
      isError: false,
    })
  })

  test('[META-10] of a tool keeps the _meta that its handler gave', async () => {
    const { body } = await ask(await createBoth(), 'tools/call', { name: 'noted' })
    expect(body['result']).toEqual({
      content: [{ type: 'text', text: 'x' }],
      isError: false,
      _meta: { 'com.example/k': 1 },
    })
  })

  test('[L-TOOL-03] to an unknown tool is an error, to bad arguments a failed result', async () => {
    const app = await createBoth()
    expect(await ask(app, 'tools/call', { name: 'none' })).toEqual({
      status: 200,
      body: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool: none' } },
    })
    const { status, body } = await ask(app, 'tools/call', { name: 'add', arguments: { a: 'x' } })
    expect([status, body['result']]).toMatchObject([200, { isError: true }])
  })

  test('[L-RES-01] of a resource has its contents alone', async () => {
    const app = await createBoth()
    const read = async (uri: string) => (await ask(app, 'resources/read', { uri })).body['result']
    expect(await read('note://a')).toEqual({ contents: [{ uri: 'note://a', text: 'text' }] })
    expect(await read('note://b')).toEqual({ contents: [{ uri: 'note://b', blob: 'AQ==' }] })
  })

  test('[L-RES-01] to a resource that is not there is -32002 with its uri', async () => {
    const app = await createBoth()
    expect(await ask(app, 'resources/read', { uri: 'note://no' })).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32002,
          message: 'Resource not found: note://no',
          data: { uri: 'note://no' },
        },
      },
    })
    expect((await ask(app, 'resources/read', { uri: 'note://gone' })).body['error']).toEqual({
      code: -32002,
      message: 'Resource not found: note://gone',
      data: { uri: 'note://gone', reason: 'it is gone' },
    })
  })

  test('[ERR-04] of the newer revision beside it has -32602 there', async () => {
    const answer = await serve({}, OPTIONS).server.handle(
      request('resources/read', { uri: 'note://no' }),
    )
    expect(answer?.error?.code).toBe(-32602)
  })

  test('[L-PROM-01] of a prompt has its messages', async () => {
    const { body } = await ask(await createBoth(), 'prompts/get', {
      name: 'ask',
      arguments: { town: 'Oslo' },
    })
    expect(body['result']).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Where is Oslo?' } }],
    })
  })

  test('[L-PAGE-01] is one page of several, whose cursors either revision follows', async () => {
    const app = await createBoth({ pageSize: 2 })
    const first = (await ask(app, 'resources/list')).body['result'] as {
      readonly resources: readonly { readonly uri: string }[]
      readonly nextCursor: string
    }
    expect(first.resources.map(({ uri }) => uri)).toEqual(['note://a', 'note://b'])
    const cursor = first.nextCursor
    expect((await ask(app, 'resources/list', { cursor })).body['result']).toEqual({
      resources: [{ uri: 'note://gone', name: 'gone' }],
    })
    const newer = await serve({}, OPTIONS).server.handle(request('resources/list', { cursor }))
    expect(newer?.result).toMatchObject({ resources: [{ uri: 'note://gone' }], ...CACHE })
    expect(await ask(app, 'resources/list', { cursor: 'nonsense' })).toMatchObject({
      status: 200,
      body: { error: { code: -32602 } },
    })
  })

  test('[L-HTTP-16] travels with 200, errors of methods and of the host among them', async () => {
    const app = await createBoth()
    const codes = async (method: string, params?: unknown) => {
      const { status, body } = await ask(app, method, params)
      return [status, (body['error'] as { readonly code: number }).code]
    }
    expect(await codes('nope')).toEqual([200, -32601])
    expect(await codes('tools/call', {})).toEqual([200, -32602])
    expect(await codes('tools/list', [])).toEqual([200, -32602])
    expect(await codes('prompts/get', { name: 'none' })).toEqual([200, -32602])
    expect(await codes('tools/call', { name: 'breaks' })).toEqual([200, -32603])
  })

  test('[ERR-11] tells nothing of the host where a handler fails', async () => {
    expect((await ask(await createBoth(), 'tools/call', { name: 'breaks' })).body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error' },
    })
  })

  test.each([
    'resources/subscribe',
    'resources/unsubscribe',
    'logging/setLevel',
    'completion/complete',
    'tasks/list',
    'tasks/get',
    'server/nope',
  ])('[L-HTTP-12, L-EXT-01] to %s says that there is no such method', async (method) => {
    expect(await ask(await createBoth(), method, { uri: 'note://a', level: 'info' })).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32601, message: `Method not found: ${method}` },
      },
    })
  })

  test('[L-EXT-01] to a call with a task is the call itself', async () => {
    const task = { ttl: 60_000 }
    const { body } = await ask(await createBoth(), 'tools/call', { name: 'sorry', task })
    expect(body['result']).toMatchObject({ isError: true })
  })

  test('[L-ENV-01] has the id of its request, or none where it could not be read', async () => {
    const app = await createBoth()
    for (const id of ['x', 0, 9007199254740991]) {
      expect((await postOld(app, bare('ping', undefined, id))).json()).toMatchObject({ id })
    }
    for (const id of [null, 1.5, {}]) {
      const response = await postOld(app, { jsonrpc: '2.0', id, method: 'ping' })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toEqual({
        jsonrpc: '2.0',
        error: { code: -32600, message: 'Invalid Request: id must be a string or an integer' },
      })
    }
  })
})
