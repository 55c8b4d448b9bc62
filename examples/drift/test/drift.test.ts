// SPDX-License-Identifier: Apache-2.0
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildShop, type Shop, traceEffects } from '../src/app.ts'
import { timesTold } from '../src/partner.ts'

const idOf = (name: string): string => `shop/module/beam-mcp-example-drift%2Fsrc%2F${name}.ts`

let shop: Shop
let client: Client

beforeEach(async () => {
  shop = await buildShop()
  const address = await shop.app.listen({ host: '127.0.0.1', port: 0 })
  client = new Client(
    { name: 'drift-test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address)))
})

afterEach(async () => {
  await client.close()
  await shop.app.close()
})

/** Calls a tool while its effects are traced. */
async function callTraced(name: string, article: string): Promise<unknown> {
  const tracer = traceEffects(shop)
  const { structuredContent } = await client.callTool({ name, arguments: { article } })
  tracer.stop()
  return structuredContent
}

async function readDiff(): Promise<Record<string, unknown[]>> {
  const { contents } = await client.readResource({ uri: 'connectome://diff' })
  const [item] = contents
  return JSON.parse(item !== undefined && 'text' in item ? item.text : '').classes
}

describe('the drift example, called by the official client', () => {
  test('finds exactly the edge that nobody declared', async () => {
    const before = timesTold()
    expect(await callTraced('get_price', 'apple')).toEqual({ cents: 40 })
    expect(timesTold()).toBe(before + 1)
    const { observed_but_undeclared, declared_and_observed } = await readDiff()
    expect(observed_but_undeclared).toEqual([
      { from: idOf('catalog'), kind: 'invoke', to: idOf('partner') },
    ])
    expect(declared_and_observed).toEqual([
      { from: idOf('catalog'), kind: 'invoke', to: idOf('prices') },
      { from: 'shop/server', kind: 'invoke', to: 'shop/tool/get_price' },
    ])
  })

  test('finds none where the tools do what they were declared for', async () => {
    expect(await callTraced('count_stock', 'pear')).toEqual({ pieces: 7 })
    const { observed_but_undeclared, declared_and_observed } = await readDiff()
    expect(observed_but_undeclared).toEqual([])
    expect(declared_and_observed).toContainEqual({
      from: idOf('catalog'),
      kind: 'invoke',
      to: idOf('stock'),
    })
  })

  test('holds nothing of what was asked', async () => {
    await callTraced('get_price', 'a-secret-wish')
    const { connectome } = shop.app
    expect(JSON.stringify([connectome.observed(), connectome.diff()])).not.toContain(
      'a-secret-wish',
    )
  })
})
