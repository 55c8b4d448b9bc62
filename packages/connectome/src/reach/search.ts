// SPDX-License-Identifier: Apache-2.0
import type { Compact } from '../graph/compact.ts'
import { at } from '../graph/sort-edges.ts'

/** Space for searches over one graph. Marks are stamped by search, so nothing is cleared between. */
export interface Scratch {
  readonly queue: Int32Array
  readonly marks: Uint32Array
  /** The edge each node was reached by in the last search, `START` or `FORBIDDEN`. */
  readonly via: Int32Array
  stamp: number
}

export function createScratch(nodes: number): Scratch {
  return {
    queue: new Int32Array(nodes),
    marks: new Uint32Array(nodes),
    via: new Int32Array(nodes),
    stamp: 0,
  }
}

export interface SearchRequest {
  readonly starts: readonly number[]
  readonly target: number
  /** Nodes no path may touch. */
  readonly without: readonly number[]
  readonly mask: number
  readonly maxHops: number
}

const MAX_STAMP = 0xffff_ffff

/**
 * Breadth first from the starts until the target is met: linear in edges, one queue, no recursion.
 * Edges are tried in graph order, so a path made from `via` is a shortest one and always the same.
 */
export function search(compact: Compact, scratch: Scratch, request: SearchRequest): boolean {
  const { target, mask, maxHops } = request
  const { queue, marks, via } = scratch
  const { rows, to, kind } = compact
  let tail = begin(scratch, request)
  const { stamp } = scratch
  if (marks[target] === stamp) return via[target] === START
  let head = 0
  for (let hops = 0; head < tail && hops < maxHops; hops++) {
    for (const levelEnd = tail; head < levelEnd; head++) {
      const node = at(queue, head)
      const end = at(rows, node + 1)
      for (let edge = at(rows, node); edge < end; edge++) {
        if (((mask >> at(kind, edge)) & 1) === 0) continue
        const next = at(to, edge)
        if (marks[next] === stamp) continue
        marks[next] = stamp
        via[next] = edge
        if (next === target) return true
        queue[tail++] = next
      }
    }
  }
  return false
}

const START = -1
/** A node that no path may touch is marked as met before the search begins. */
const FORBIDDEN = -2

function begin(scratch: Scratch, { starts, without }: SearchRequest): number {
  const { queue, marks, via } = scratch
  if (scratch.stamp === MAX_STAMP) {
    marks.fill(0)
    scratch.stamp = 0
  }
  const stamp = ++scratch.stamp
  for (const node of without) {
    marks[node] = stamp
    via[node] = FORBIDDEN
  }
  let tail = 0
  for (const node of starts) {
    if (marks[node] === stamp) continue
    marks[node] = stamp
    via[node] = START
    queue[tail++] = node
  }
  return tail
}

/** The edges of the path the last search found, from a start to the target. */
export function pathTo(compact: Compact, scratch: Scratch, target: number): number[] {
  const edges: number[] = []
  for (let edge = at(scratch.via, target); edge >= 0; ) {
    edges.push(edge)
    edge = at(scratch.via, at(compact.from, edge))
  }
  return edges.reverse()
}
