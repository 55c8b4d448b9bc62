// SPDX-License-Identifier: Apache-2.0
import type { GraphEdge } from './edge.ts'
import { rowsOf } from './sort-edges.ts'
import { codeOf, EDGE_KINDS, PROVENANCES, SIGNS } from './vocabulary.ts'

/** Edges in columns: numbers of nodes, and positions in the vocabulary's lists. */
export interface Columns {
  readonly from: Int32Array
  readonly to: Int32Array
  readonly kind: Uint8Array
  readonly provenance: Uint8Array
  readonly sign: Uint8Array
}

/**
 * A graph in columns, for hashing and searching. Nodes are numbered in canonical order, and edge `i`
 * is the graph's `edges[i]`.
 */
export interface Compact extends Columns {
  readonly ids: readonly string[]
  readonly index: ReadonlyMap<string, number>
  /** Edges out of node `n` are those from `rows[n]` to before `rows[n + 1]`. */
  readonly rows: Int32Array
}

/** An endpoint that no node has. */
export const STRAY = -1

/** The columns of edges in the order given; an endpoint outside the index is `STRAY`. */
export function columnsOf(
  edges: readonly GraphEdge[],
  index: ReadonlyMap<string, number>,
): Columns {
  const size = edges.length
  const columns = {
    from: new Int32Array(size),
    to: new Int32Array(size),
    kind: new Uint8Array(size),
    provenance: new Uint8Array(size),
    sign: new Uint8Array(size),
  }
  let i = 0
  for (const edge of edges) {
    columns.from[i] = index.get(edge.from) ?? STRAY
    columns.to[i] = index.get(edge.to) ?? STRAY
    columns.kind[i] = codeOf(EDGE_KINDS, edge.kind)
    columns.provenance[i] = codeOf(PROVENANCES, edge.provenance)
    columns.sign[i] = codeOf(SIGNS, edge.sign)
    i++
  }
  return columns
}

/** A graph's columns, its edges being in order. */
export function compactOf(index: ReadonlyMap<string, number>, columns: Columns): Compact {
  const ids = [...index.keys()]
  return { ...columns, ids, index, rows: rowsOf(columns.from, ids.length) }
}
