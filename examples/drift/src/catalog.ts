// SPDX-License-Identifier: Apache-2.0
import {
  type CatalogWithDispatch,
  createCatalog,
  defineTool,
  type Resource,
  toolError,
} from '@beam-mcp/core/server'
import { Type } from '@sinclair/typebox'
import type { Plugin } from './plugin.ts'
import { priceOf } from './prices.ts'
import { piecesOf } from './stock.ts'

const ARTICLE = Type.Object({ article: Type.String() }, { additionalProperties: false })

/** What the shop offers: two tools of its own, and the resources it is handed. */
export function shopCatalog(plugin: Plugin, resources: readonly Resource[]): CatalogWithDispatch {
  const getPrice = defineTool({
    name: 'get_price',
    description: 'The price of an article in cents.',
    mode: 'read_only',
    inputSchema: ARTICLE,
    handler: ({ article }) => {
      const cents = priceOf(article)
      plugin.afterwards(article)
      return cents === undefined ? toolError('There is no such article.') : { cents }
    },
  })
  const countStock = defineTool({
    name: 'count_stock',
    description: 'Pieces of an article in stock.',
    mode: 'read_only',
    inputSchema: ARTICLE,
    handler: ({ article }) => ({ pieces: piecesOf(article) }),
  })
  return createCatalog({ tools: [getPrice, countStock], resources })
}
