// SPDX-License-Identifier: Apache-2.0
import type { Compact } from '../graph/compact.ts'
import { at } from '../graph/sort-edges.ts'

/** Depth-first numbers of the nodes that entries reach; 0 is the virtual root above the entries. */
export interface Numbering {
  /** How many numbers there are, the root's included. */
  readonly count: number
  /** A node's number, or -1. */
  readonly number: Int32Array
  /** The node of a number; meaningless for 0. */
  readonly vertex: Int32Array
  /** The number a number was found from. */
  readonly parent: Int32Array
}

/** Step 1 of Lengauer and Tarjan: numbers in the order of a depth-first search, on a stack of its own. */
export function numberNodes(compact: Compact, mask: number, entries: readonly number[]): Numbering {
  const nodes = compact.ids.length
  const number = new Int32Array(nodes).fill(-1)
  const vertex = new Int32Array(nodes + 1)
  const parent = new Int32Array(nodes + 1)
  const next = compact.rows.slice()
  const stack = new Int32Array(nodes)
  let count = 1
  const visit = (node: number, from: number): void => {
    number[node] = count
    vertex[count] = node
    parent[count] = from
    count++
  }
  for (const entry of entries) {
    if (at(number, entry) >= 0) continue
    visit(entry, 0)
    stack[0] = entry
    for (let depth = 1; depth > 0; ) {
      const node = at(stack, depth - 1)
      const found = nextUnnumbered(compact, mask, number, next, node)
      if (found < 0) {
        depth--
        continue
      }
      visit(found, at(number, node))
      stack[depth++] = found
    }
  }
  return { count, number, vertex, parent }
}

/** The next node out of this one that has no number, or -1; moves the node's place on. */
function nextUnnumbered(
  { rows, to, kind }: Compact,
  mask: number,
  number: Int32Array,
  next: Int32Array,
  node: number,
): number {
  const end = at(rows, node + 1)
  for (let edge = at(next, node); edge < end; edge++) {
    if (((mask >> at(kind, edge)) & 1) === 0 || at(number, at(to, edge)) >= 0) continue
    next[node] = edge + 1
    return at(to, edge)
  }
  next[node] = end
  return -1
}
