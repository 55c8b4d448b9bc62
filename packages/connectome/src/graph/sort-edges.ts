// SPDX-License-Identifier: Apache-2.0

/** Edges in columns: endpoints as numbers below `nodes`, and one small code for the rest of the key. */
export interface EdgeColumns {
  readonly nodes: number
  readonly from: Int32Array
  readonly to: Int32Array
  readonly code: Uint8Array
}

const CODES = 256

/**
 * The order of edges by (from, to, code): three stable counting passes from the last column to the
 * first, so linear in edges and nodes.
 *
 * @returns positions into the columns, sorted
 */
export function sortEdges(edges: EdgeColumns): Int32Array {
  const given = counting(edges.code.length)
  const byCode = countingPass(given, edges.code, CODES, new Int32Array(given.length))
  const byTo = countingPass(byCode, edges.to, edges.nodes, given)
  return countingPass(byTo, edges.from, edges.nodes, byCode)
}

/** The numbers from 0 to before the length. */
export function counting(length: number): Int32Array {
  const order = new Int32Array(length)
  for (let i = 0; i < length; i++) order[i] = i
  return order
}

/** Writes to `sorted`, which is another array than `order`, so that the passes need two of them in all. */
function countingPass(
  order: Int32Array,
  column: Int32Array | Uint8Array,
  range: number,
  sorted: Int32Array,
): Int32Array {
  const starts = rowsOf(column, range)
  for (let i = 0; i < order.length; i++) {
    const position = at(order, i)
    const value = at(column, position)
    const start = at(starts, value)
    sorted[start] = position
    starts[value] = start + 1
  }
  return sorted
}

/** Where each value's run begins once a column is sorted; one more entry holds the end. */
export function rowsOf(column: Int32Array | Uint8Array, range: number): Int32Array {
  const rows = new Int32Array(range + 1)
  for (let i = 0; i < column.length; i++) {
    const next = at(column, i) + 1
    rows[next] = at(rows, next) + 1
  }
  for (let value = 0; value < range; value++) {
    rows[value + 1] = at(rows, value + 1) + at(rows, value)
  }
  return rows
}

/** A column with its entries in another order. */
export function permute<Column extends Int32Array | Uint8Array>(
  column: Column,
  order: Int32Array,
): Column {
  const permuted = column.slice() as Column // a slice is of the same class
  for (let i = 0; i < order.length; i++) permuted[i] = at(column, at(order, i))
  return permuted
}

/** A number of a typed array at a place known to be inside it. */
export function at(array: Int32Array | Uint8Array, place: number): number {
  return array[place] ?? 0
}
