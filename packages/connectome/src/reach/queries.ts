// SPDX-License-Identifier: Apache-2.0
import type { GraphEdge } from '../graph/edge.ts'
import { at } from '../graph/sort-edges.ts'
import { UNREACHED } from './dominator-tree.ts'
import type { Engine } from './engine.ts'
import { readDominanceOptions, readPathOptions } from './reach-options.ts'
import { pathTo, search } from './search.ts'
import { refuseReach, type Searchable } from './subject.ts'

/** A path: its nodes, and between each two the first edge of the graph that is admitted. */
export interface Witness {
  readonly nodes: readonly string[]
  /** The graph's own edge objects, one fewer than nodes. */
  readonly edges: readonly GraphEdge[]
}

export function askReachable(
  engine: Engine,
  from: unknown,
  to: unknown,
  options: unknown,
): boolean {
  const limits = readPathOptions(options, engine.subject)
  const searchable = engine.subject.require()
  const start = nodeOf(searchable, from)
  const target = nodeOf(searchable, to)
  const scratch = engine.scratchOf(searchable)
  return search(searchable.compact, scratch, { ...limits, starts: [start], target, without: [] })
}

export function askReachableWithout(
  engine: Engine,
  from: unknown,
  to: unknown,
  gates: unknown,
  options: unknown,
): Witness | false {
  const limits = readPathOptions(options, engine.subject)
  const searchable = engine.subject.require()
  const start = nodeOf(searchable, from)
  const target = nodeOf(searchable, to)
  if (!Array.isArray(gates)) throw refuseReach('invalid', 'gates', gates)
  const without = Array.from(gates, (gate: unknown) => nodeOf(searchable, gate))
  if (without.includes(start) || without.includes(target)) return false
  const { compact, graph } = searchable
  const scratch = engine.scratchOf(searchable)
  if (!search(compact, scratch, { ...limits, starts: [start], target, without })) return false
  const edges = pathTo(compact, scratch, target).flatMap((edge) => graph.edges[edge] ?? [])
  const nodes = [compact.ids[start] ?? '', ...edges.map((edge) => edge.to)]
  return Object.freeze({ nodes: Object.freeze(nodes), edges: Object.freeze(edges) })
}

export function askDominates(
  engine: Engine,
  gate: unknown,
  target: unknown,
  options: unknown,
): boolean {
  const { mask, entries } = readDominanceOptions(options, engine.subject)
  const searchable = engine.subject.require()
  const passed = nodeOf(searchable, gate)
  const reached = nodeOf(searchable, target)
  const request = { mask, entries: numbersOf(searchable, entries) }
  const answer = engine.isPassed(searchable, request, passed, reached)
  if (answer === undefined) throw refuseReach('unreachable', target)
  return answer
}

export function askMandatoryPass(
  engine: Engine,
  target: unknown,
  options: unknown,
): readonly string[] {
  const { mask, entries } = readDominanceOptions(options, engine.subject)
  const searchable = engine.subject.require()
  const reached = nodeOf(searchable, target)
  const tree = engine.treeOf(searchable, { mask, entries: numbersOf(searchable, entries) })
  if (at(tree, reached) === UNREACHED) throw refuseReach('unreachable', target)
  const passed: number[] = []
  for (let node = at(tree, reached); node !== tree.length; node = at(tree, node)) passed.push(node)
  // Nodes are numbered in code point order of their ids.
  passed.sort((a, b) => a - b)
  return passed.map((node) => searchable.compact.ids[node] ?? '')
}

function numbersOf(searchable: Searchable, ids: readonly unknown[]): number[] {
  return ids.map((id) => nodeOf(searchable, id))
}

function nodeOf({ compact }: Searchable, id: unknown): number {
  const node = typeof id === 'string' ? compact.index.get(id) : undefined
  if (node === undefined) throw refuseReach('unknown_node', id)
  return node
}
