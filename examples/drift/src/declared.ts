// SPDX-License-Identifier: Apache-2.0
import {
  createGraph,
  type Graph,
  invokeEdge,
  nodeId,
  processNode,
  serverNode,
  toolNode,
} from '@beam-mcp/connectome'
import { PRICE_LIST, SERVER, STOCK } from './effects.ts'

const tool = (name: string): string => nodeId({ kind: 'tool', server: SERVER, name })

/** What the shop was reviewed for: each tool, and what it may reach. */
export const DECLARED: Graph = createGraph({
  nodes: [
    serverNode(SERVER),
    toolNode(SERVER, 'get_price'),
    toolNode(SERVER, 'count_stock'),
    processNode(SERVER, 'price-list'),
    processNode(SERVER, 'stock'),
  ],
  edges: [
    [nodeId({ kind: 'server', server: SERVER }), tool('get_price')],
    [nodeId({ kind: 'server', server: SERVER }), tool('count_stock')],
    [tool('get_price'), nodeId(PRICE_LIST)],
    [tool('count_stock'), nodeId(STOCK)],
  ].map(([from = '', to = '']) => invokeEdge({ from, to, provenance: 'declared' })),
})
