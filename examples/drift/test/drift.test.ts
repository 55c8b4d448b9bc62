// SPDX-License-Identifier: Apache-2.0
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'

let app: FastifyInstance
let client: Client

beforeEach(async () => {
  app = await buildApp()
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  client = new Client(
    { name: 'drift-test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address)))
})

afterEach(async () => {
  await client.close()
  await app.close()
})

async function readDiff(): Promise<Record<string, unknown>> {
  const { contents } = await client.readResource({ uri: 'connectome://diff' })
  const [item] = contents
  return JSON.parse(item !== undefined && 'text' in item ? item.text : '').classes
}

describe('the drift example, called by the official client', () => {
  test('finds exactly the edge that nobody declared', async () => {
    await client.callTool({ name: 'get_price', arguments: { article: 'apple' } })
    expect(await readDiff()).toEqual({
      changed_sign: [],
      declared_and_observed: [
        { from: 'shop/server', kind: 'invoke', to: 'shop/tool/get_price' },
        { from: 'shop/tool/get_price', kind: 'invoke', to: 'shop/process/price-list' },
      ],
      declared_never_observed: [
        { from: 'shop/server', kind: 'invoke', to: 'shop/tool/count_stock' },
        { from: 'shop/tool/count_stock', kind: 'invoke', to: 'shop/process/stock' },
      ],
      observed_but_undeclared: [
        { from: 'shop/tool/get_price', kind: 'message', to: 'shop/process/ad-partner' },
      ],
    })
  })

  test('finds none where the tools do what they were declared for', async () => {
    const call = { name: 'count_stock', arguments: { article: 'pear' } }
    const { structuredContent } = await client.callTool(call)
    expect(structuredContent).toEqual({ pieces: 12 })
    expect(await readDiff()).toMatchObject({ observed_but_undeclared: [] })
  })

  test('holds nothing of what was asked', async () => {
    await client.callTool({ name: 'get_price', arguments: { article: 'a-secret-wish' } })
    const graphs = [app.connectome.observed(), app.connectome.diff()]
    expect(JSON.stringify(graphs)).not.toContain('a-secret-wish')
  })
})
