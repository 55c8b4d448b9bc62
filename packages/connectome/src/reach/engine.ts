// SPDX-License-Identifier: Apache-2.0
import { at } from '../graph/sort-edges.ts'
import { dominatorTree, type Incoming, incomingOf, UNREACHED } from './dominator-tree.ts'
import { passesGate } from './removal.ts'
import { createScratch, type Scratch } from './search.ts'
import { type Searchable, type Subject, subjectOf } from './subject.ts'

/** A question of dominance, in node numbers. */
export interface DominanceRequest {
  readonly entries: readonly number[]
  readonly mask: number
}

/** How questions are worked out: anew for each, or over what was prepared. */
export interface Engine {
  readonly subject: Subject
  readonly scratchOf: (searchable: Searchable) => Scratch
  readonly treeOf: (searchable: Searchable, request: DominanceRequest) => Int32Array
  /** `undefined` when nothing leads to the target. */
  readonly isPassed: (
    searchable: Searchable,
    request: DominanceRequest,
    gate: number,
    target: number,
  ) => boolean | undefined
}

/** Everything is worked out for one question and dropped: dominance by removal. */
export function oneShot(graph: unknown): Engine {
  return {
    subject: subjectOf(graph),
    scratchOf: ({ compact }) => createScratch(compact.ids.length),
    treeOf: ({ compact }, { entries, mask }) =>
      dominatorTree(compact, incomingOf(compact), mask, entries),
    isPassed: ({ compact }, request, gate, target) =>
      passesGate(compact, createScratch(compact.ids.length), { ...request, gate, target }),
  }
}

const MAX_TREES = 8

/** Space, the edges by target, and the last few dominator trees are kept: dominance by the tree. */
export function prepared(graph: unknown): Engine {
  const subject = subjectOf(graph)
  const { compact } = subject.require()
  const scratch = createScratch(compact.ids.length)
  const servers = subject.servers()
  const trees = new Map<string, Int32Array>()
  let incoming: Incoming | undefined
  const treeOf = (_: Searchable, { entries, mask }: DominanceRequest): Int32Array => {
    const key = `${mask}:${Int32Array.from(new Set(entries)).sort()}`
    let tree = trees.get(key)
    if (tree === undefined) {
      incoming ??= incomingOf(compact)
      tree = dominatorTree(compact, incoming, mask, entries)
      if (trees.size >= MAX_TREES) dropOldest(trees)
      trees.set(key, tree)
    }
    return tree
  }
  return {
    subject: { ...subject, servers: () => servers },
    scratchOf: () => scratch,
    treeOf,
    isPassed: (searchable, request, gate, target) =>
      isAbove(treeOf(searchable, request), gate, target),
  }
}

/** A map keeps the order of insertion. */
function dropOldest(trees: Map<string, Int32Array>): void {
  const [oldest] = trees.keys()
  if (oldest !== undefined) trees.delete(oldest)
}

/** Whether a node stands above another in the tree, or is the same. */
function isAbove(tree: Int32Array, gate: number, target: number): boolean | undefined {
  if (at(tree, target) === UNREACHED) return undefined
  let node = target
  while (node !== gate && node !== tree.length) node = at(tree, node)
  return node === gate
}
