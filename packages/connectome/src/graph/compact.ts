// SPDX-License-Identifier: Apache-2.0
import { at, permute, rowsOf, sortEdges } from './sort-edges.ts'
import { PROVENANCES } from './vocabulary.ts'

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

export function createColumns(size: number): Columns {
  return {
    from: new Int32Array(size),
    to: new Int32Array(size),
    kind: new Uint8Array(size),
    provenance: new Uint8Array(size),
    sign: new Uint8Array(size),
  }
}

/** The canonical order of edges, as positions: by from, to, kind, provenance, nodes numbered in order. */
export function orderColumns(
  { from, to, kind, provenance }: Omit<Columns, 'sign'>,
  nodes: number,
): Int32Array {
  const code = new Uint8Array(kind.length)
  for (let i = 0; i < code.length; i++) {
    code[i] = at(kind, i) * PROVENANCES.length + at(provenance, i)
  }
  return sortEdges({ nodes, from, to, code })
}

/** The same columns with their edges in another order. */
export function permuteColumns(columns: Columns, order: Int32Array): Columns {
  return {
    from: permute(columns.from, order),
    to: permute(columns.to, order),
    kind: permute(columns.kind, order),
    provenance: permute(columns.provenance, order),
    sign: permute(columns.sign, order),
  }
}

/** A graph's columns, its edges being in order. */
export function compactOf(
  ids: readonly string[],
  index: ReadonlyMap<string, number>,
  columns: Columns,
): Compact {
  return { ...columns, ids, index, rows: rowsOf(columns.from, ids.length) }
}
