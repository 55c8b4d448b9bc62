// SPDX-License-Identifier: Apache-2.0

import type { GraphEdge } from './edge.ts'
import { at } from './sort-edges.ts'
import { codeOf, EDGE_KINDS, PROVENANCES, SIGNS } from './vocabulary.ts'

/**
 * A graph in columns, for hashing and searching. Nodes are numbered in canonical order, and edge `i`
 * is the graph's `edges[i]`; codes are positions in the vocabulary's lists.
 */
export interface Compact {
  readonly ids: readonly string[]
  readonly index: ReadonlyMap<string, number>
  readonly from: Int32Array
  readonly to: Int32Array
  readonly kind: Uint8Array
  readonly provenance: Uint8Array
  readonly sign: Uint8Array
  /** Edges out of node `n` are those from `rows[n]` to before `rows[n + 1]`. */
  readonly rows: Int32Array
}

/** The columns of edges whose endpoints are all in the index. */
export function compactOf(
  ids: readonly string[],
  index: ReadonlyMap<string, number>,
  edges: readonly GraphEdge[],
): Compact {
  const size = edges.length
  const from = new Int32Array(size)
  const to = new Int32Array(size)
  const kind = new Uint8Array(size)
  const provenance = new Uint8Array(size)
  const sign = new Uint8Array(size)
  for (const [i, edge] of edges.entries()) {
    from[i] = index.get(edge.from) ?? -1
    to[i] = index.get(edge.to) ?? -1
    kind[i] = codeOf(EDGE_KINDS, edge.kind)
    provenance[i] = codeOf(PROVENANCES, edge.provenance)
    sign[i] = codeOf(SIGNS, edge.sign)
  }
  return { ids, index, from, to, kind, provenance, sign, rows: rowsOf(from, ids.length) }
}

/** Where each node's run begins in a column of sources that is sorted. */
export function rowsOf(sources: Int32Array, nodes: number): Int32Array {
  const rows = new Int32Array(nodes + 1)
  for (const node of sources) rows[node + 1] = at(rows, node + 1) + 1
  for (let node = 0; node < nodes; node++) rows[node + 1] = at(rows, node + 1) + at(rows, node)
  return rows
}
