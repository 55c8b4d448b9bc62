// SPDX-License-Identifier: Apache-2.0
import type { Compact } from '../graph/compact.ts'
import { at, rowsOf } from '../graph/sort-edges.ts'
import { type Numbering, numberNodes } from './number-nodes.ts'

/** Edges grouped by the node they lead to. */
export interface Incoming {
  readonly rows: Int32Array
  readonly edges: Int32Array
}

/** One counting pass over the targets. */
export function incomingOf({ to, ids }: Compact): Incoming {
  const rows = rowsOf(to, ids.length)
  const next = rows.slice()
  const edges = new Int32Array(to.length)
  for (let edge = 0; edge < to.length; edge++) {
    const node = at(to, edge)
    const place = at(next, node)
    edges[place] = edge
    next[node] = place + 1
  }
  return { rows, edges }
}

/** No path from an entry leads here. */
export const UNREACHED = -1

/**
 * The immediate dominator of every node: the last node, other than itself, that all paths from the
 * entries to it share. The entries hang off a virtual root, whose number is the count of nodes.
 *
 * Lengauer and Tarjan's algorithm with path compression: edges times the logarithm of nodes, without
 * recursion. Inside, nodes go by their depth-first numbers, the root being 0.
 *
 * @returns for each node its dominator, the root, or `UNREACHED`
 */
export function dominatorTree(
  compact: Compact,
  incoming: Incoming,
  mask: number,
  entries: readonly number[],
): Int32Array {
  const nodes = compact.ids.length
  const numbering = numberNodes(compact, mask, entries)
  const forest = createForest(numbering.count)
  const dominators = new Int32Array(numbering.count)
  const bucket = createBuckets(numbering.count)
  const isEntry = new Uint8Array(nodes)
  for (const entry of entries) isEntry[entry] = 1
  for (let w = numbering.count - 1; w > 0; w--) {
    // Step 2: the semidominator of w, from the predecessors that were numbered.
    forest.semi[w] = semidominator(w, { compact, incoming, mask, numbering, forest, isEntry })
    bucket.add(at(forest.semi, w), w)
    // Step 3: those waiting for the parent of w learn their dominator, or a node with the same one.
    const parent = at(numbering.parent, w)
    forest.ancestor[w] = parent
    bucket.drain(parent, (v) => {
      const u = evaluate(forest, v)
      dominators[v] = at(forest.semi, u) < at(forest.semi, v) ? u : parent
    })
  }
  // Step 4: in the order of numbers, a node with the same dominator has been settled before.
  for (let w = 1; w < numbering.count; w++) {
    const dominator = at(dominators, w)
    if (dominator !== at(forest.semi, w)) dominators[w] = at(dominators, dominator)
  }
  return byNode(dominators, numbering, nodes)
}

function byNode(dominators: Int32Array, numbering: Numbering, nodes: number): Int32Array {
  const tree = new Int32Array(nodes).fill(UNREACHED)
  for (let w = 1; w < numbering.count; w++) {
    const dominator = at(dominators, w)
    tree[at(numbering.vertex, w)] = dominator === 0 ? nodes : at(numbering.vertex, dominator)
  }
  return tree
}

/** The forest of step 3, by depth-first numbers; -1 is no ancestor. */
interface Forest {
  readonly semi: Int32Array
  readonly label: Int32Array
  readonly ancestor: Int32Array
}

function createForest(count: number): Forest {
  const semi = new Int32Array(count)
  for (let i = 0; i < count; i++) semi[i] = i
  return { semi, label: semi.slice(), ancestor: new Int32Array(count).fill(-1) }
}

interface Step {
  readonly compact: Compact
  readonly incoming: Incoming
  readonly mask: number
  readonly numbering: Numbering
  readonly forest: Forest
  readonly isEntry: Uint8Array
}

function semidominator(w: number, step: Step): number {
  const { compact, incoming, mask, numbering, forest, isEntry } = step
  const node = at(numbering.vertex, w)
  if (at(isEntry, node) === 1) return 0
  let lowest = w
  const end = at(incoming.rows, node + 1)
  for (let i = at(incoming.rows, node); i < end; i++) {
    const edge = at(incoming.edges, i)
    if (((mask >> at(compact.kind, edge)) & 1) === 0) continue
    const v = at(numbering.number, at(compact.from, edge))
    if (v < 0) continue
    const semi = at(forest.semi, evaluate(forest, v))
    if (semi < lowest) lowest = semi
  }
  return lowest
}

/** The node of lowest semidominator on the way from v up to, not including, the root of its tree. */
function evaluate({ semi, label, ancestor }: Forest, v: number): number {
  if (at(ancestor, v) < 0) return at(label, v)
  const chain: number[] = []
  for (let x = v; at(ancestor, at(ancestor, x)) >= 0; x = at(ancestor, x)) chain.push(x)
  for (let x = chain.pop(); x !== undefined; x = chain.pop()) {
    const above = at(ancestor, x)
    if (at(semi, at(label, above)) < at(semi, at(label, x))) label[x] = at(label, above)
    ancestor[x] = at(ancestor, above)
  }
  return at(label, v)
}

/** Lists of numbers by owner, as two columns. */
function createBuckets(count: number): {
  add(owner: number, item: number): void
  drain(owner: number, visit: (item: number) => void): void
} {
  const first = new Int32Array(count).fill(-1)
  const next = new Int32Array(count).fill(-1)
  return {
    add: (owner, item) => {
      next[item] = at(first, owner)
      first[owner] = item
    },
    drain: (owner, visit) => {
      for (let item = at(first, owner); item >= 0; item = at(next, item)) visit(item)
      first[owner] = -1
    },
  }
}
