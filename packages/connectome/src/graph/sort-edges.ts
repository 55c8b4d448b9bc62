// SPDX-License-Identifier: Apache-2.0

/** Edges in columns: endpoints as ranks below `nodes`, and one small code for the rest of the key. */
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
  const size = edges.code.length
  let order: Int32Array = new Int32Array(size)
  for (let i = 0; i < size; i++) order[i] = i
  order = countingPass(order, edges.code, CODES)
  order = countingPass(order, edges.to, edges.nodes)
  return countingPass(order, edges.from, edges.nodes)
}

function countingPass(
  order: Int32Array,
  column: Int32Array | Uint8Array,
  range: number,
): Int32Array {
  const starts = new Int32Array(range + 1)
  for (const value of column) starts[value + 1] = at(starts, value + 1) + 1
  for (let value = 0; value < range; value++) {
    starts[value + 1] = at(starts, value + 1) + at(starts, value)
  }
  const sorted = new Int32Array(order.length)
  for (const position of order) {
    const value = at(column, position)
    const start = at(starts, value)
    sorted[start] = position
    starts[value] = start + 1
  }
  return sorted
}

/** A number of a typed array at a place known to be inside it. */
export function at(array: Int32Array | Uint8Array, place: number): number {
  return array[place] ?? 0
}
