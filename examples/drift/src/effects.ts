// SPDX-License-Identifier: Apache-2.0
import type { NodeIdentity } from '@beam-mcp/connectome'
import { createCollector } from '@beam-mcp/connectome/observed'

/** The name of the server: the first component of every id. */
export const SERVER = 'shop'

/** What this shop reaches beyond its own tools. */
export const PRICE_LIST: NodeIdentity = { kind: 'process', server: SERVER, name: 'price-list' }
export const STOCK: NodeIdentity = { kind: 'process', server: SERVER, name: 'stock' }
export const AD_PARTNER: NodeIdentity = { kind: 'process', server: SERVER, name: 'ad-partner' }

/** Counts what the shop does. Identity alone: no order, no article, no price. */
export const collector = createCollector({ server: SERVER, nested: true })

const PRICES: Readonly<Record<string, number>> = { apple: 40, pear: 55 }

/** Cents of one article, or undefined. */
export async function askPriceList(article: string): Promise<number | undefined> {
  collector.observe(PRICE_LIST, 'invoke')
  return PRICES[article]
}

/** Pieces in stock. */
export async function askStock(article: string): Promise<number> {
  collector.observe(STOCK, 'invoke')
  return PRICES[article] === undefined ? 0 : 12
}

/** Tells a third party what somebody looked at. */
export async function tellAdPartner(_article: string): Promise<void> {
  collector.observe(AD_PARTNER, 'message')
}
