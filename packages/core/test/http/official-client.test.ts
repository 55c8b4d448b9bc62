// SPDX-License-Identifier: Apache-2.0
import {
  createCatalog,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  toolError,
} from '@beam-mcp/core'
import { Type } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import { createApp, type EndpointOptions, watched } from '../support/app.ts'
import { connectClient } from '../support/official-client.ts'

const FIND = defineTool({
  name: 'find',
  description: 'Finds a town',
  inputSchema: Type.Object({
    region: Type.String({ 'x-mcp-header': 'Region' }),
    count: Type.Optional(Type.Integer({ 'x-mcp-header': 'Count' })),
    exact: Type.Optional(Type.Boolean({ 'x-mcp-header': 'Exact' })),
  }),
  outputSchema: Type.Object({ region: Type.String() }),
  handler: ({ region }) => ({ region }),
})

const CATALOG = createCatalog({
  tools: [
    FIND,
    defineTool({ name: 'expected', handler: () => toolError('no such town') }),
    defineTool({
      name: 'fails',
      handler: () => {
        throw new Error('connect ECONNREFUSED 10.0.0.5:5432')
      },
    }),
  ],
  resources: [defineResource({ uri: 'note://zürich', name: 'note', read: () => 'text' })],
  resourceTemplates: [
    defineResourceTemplate({
      uriTemplate: 'bytes://{id}',
      name: 'bytes',
      read: () => Uint8Array.of(1, 2, 255),
    }),
  ],
  prompts: [
    definePrompt({
      name: 'ask',
      arguments: [{ name: 'town', required: true }],
      render: ({ town }) => `Where is ${town}?`,
    }),
  ],
})

async function connect(
  options: Partial<EndpointOptions> = {},
  connection: Parameters<typeof connectClient>[1] = {},
) {
  const { options: catalog, seen } = watched(CATALOG)
  const client = await connectClient(await createApp({ ...catalog, ...options }), connection)
  return { client, seen }
}

describe('the official client over HTTP', () => {
  test('discovers, lists, reads and renders', async () => {
    const { client } = await connect({
      serverInfo: { name: 'towns', version: '1.0.0' },
      instructions: 'Ask for towns.',
    })
    expect(client.getDiscoverResult()).toMatchObject({
      supportedVersions: ['2026-07-28'],
      instructions: 'Ask for towns.',
    })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'find',
      'expected',
      'fails',
    ])
    expect((await client.listResources()).resources).toEqual([
      { uri: 'note://zürich', name: 'note' },
    ])
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([
      { uriTemplate: 'bytes://{id}', name: 'bytes' },
    ])
    expect((await client.readResource({ uri: 'note://zürich' })).contents).toEqual([
      { uri: 'note://zürich', text: 'text' },
    ])
    expect((await client.readResource({ uri: 'bytes://7' })).contents).toEqual([
      { uri: 'bytes://7', blob: 'AQL/' },
    ])
    const prompt = await client.getPrompt({ name: 'ask', arguments: { town: 'Oslo' } })
    expect(prompt.messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Where is Oslo?' } },
    ])
  })

  test.each([
    [{ region: 'north' }],
    [{ region: 'Zürich ☃ 😀' }],
    [{ region: '' }],
    [{ region: ' padded ' }],
    [{ region: '=?base64?SGk=?=' }],
    [{ region: 'x', count: 0, exact: false }],
    [{ region: 'x', count: -9007199254740991, exact: true }],
  ])('[HDR-10] [HDR-12] mirrors %j as the endpoint reads it', async (args) => {
    const { client, seen } = await connect()
    await client.listTools()
    const result = await client.callTool({ name: 'find', arguments: args })
    expect(result.structuredContent).toEqual({ region: args.region })
    expect(seen).toEqual([{ tool: 'find', args }])
  })

  test('is shown an argument fault and an expected failure as results', async () => {
    const { client, seen } = await connect()
    const fault = await client.callTool({ name: 'find', arguments: {} })
    expect([fault.isError, seen.length]).toEqual([true, 0])
    const expected = await client.callTool({ name: 'expected', arguments: {} })
    expect(expected).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'no such town' }],
    })
  })

  test('is shown an unknown tool as an error of the protocol', async () => {
    const { client } = await connect()
    await expect(client.callTool({ name: 'none', arguments: {} })).rejects.toMatchObject({
      name: 'ProtocolError',
      code: -32602,
      message: 'Unknown tool: none',
    })
  })

  test('[ERR-11] is shown a fault of the host as an HTTP error with our body, and goes on', async () => {
    const { client } = await connect()
    const thrown = await client
      .callTool({ name: 'fails', arguments: {} })
      .catch((error: unknown) => error)
    expect(thrown).toMatchObject({ name: 'SdkHttpError', data: { status: 500 } })
    const { data } = thrown as { data: { text: string } }
    expect(JSON.parse(data.text)).toEqual({
      jsonrpc: '2.0',
      id: expect.anything(),
      error: { code: -32603, message: 'Internal error' },
    })
    expect(String(thrown)).not.toContain('ECONNREFUSED')
    expect((await client.callTool({ name: 'expected', arguments: {} })).isError).toBe(true)
  })

  test('[AUTH-08] is shown the scope that a call lacks', async () => {
    const challenge = 'Bearer error="insufficient_scope", scope="write"'
    const { client } = await connect({
      authorizeCall: ({ name }) =>
        name === 'fails' ? { ok: false, status: 403, challenge } : { ok: true },
    })
    await expect(client.callTool({ name: 'fails', arguments: {} })).rejects.toMatchObject({
      name: 'InsufficientScopeError',
      requiredScope: 'write',
    })
  })

  test('[AUTH-07] is let in with its token, and not without', async () => {
    const authorize: EndpointOptions['authorize'] = ({ headers }) =>
      headers.authorization === 'Bearer good'
        ? { ok: true }
        : { ok: false, status: 401, challenge: 'Bearer' }
    const { client } = await connect({ authorize }, { headers: { authorization: 'Bearer good' } })
    expect((await client.listTools()).tools).toHaveLength(3)
    await expect(connect({ authorize })).rejects.toThrowError()
  })

  test('finds the revision by asking', async () => {
    const { client } = await connect({}, { negotiation: { mode: 'auto' } })
    expect((await client.listTools()).tools).toHaveLength(3)
  })

  test('[VER-07] of an older revision is told what is served', async () => {
    const opening = connect({}, { negotiation: { mode: 'legacy' } })
    await expect(opening).rejects.toThrowError(/"supported":\["2026-07-28"\]/)
  })
})
