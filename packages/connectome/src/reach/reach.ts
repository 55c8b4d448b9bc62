// SPDX-License-Identifier: Apache-2.0
import type { Graph, GraphInput } from '../graph/graph.ts'
import { oneShot, prepared } from './engine.ts'
import {
  askDominates,
  askMandatoryPass,
  askReachable,
  askReachableWithout,
  type Witness,
} from './queries.ts'
import type { DominanceOptions, PathOptions } from './reach-options.ts'
import { refuseReach } from './subject.ts'

/**
 * Whether a path of edges, followed in their direction, leads from one node to another. A node
 * reaches itself in no hops. Signs are never read.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_REACH`
 * @see docs/connectome-reach.md, "Refusals" for their order
 */
export function reachable(
  graph: Graph | GraphInput,
  from: string,
  to: string,
  options?: PathOptions,
): boolean {
  return askReachable(oneShot(graph), from, to, options)
}

/**
 * A shortest path that touches none of the gates, or `false` when there is none, which is also the
 * answer when `from` or `to` is a gate itself.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_REACH`
 */
export function reachableWithout(
  graph: Graph | GraphInput,
  from: string,
  to: string,
  gates: readonly string[],
  options?: PathOptions,
): Witness | false {
  return askReachableWithout(oneShot(graph), from, to, gates, options)
}

/**
 * Whether every path from the entries to the target passes the gate. A reachable target dominates
 * itself; with several entries, none of them dominates what another reaches too.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_REACH`, `['unreachable', target]` among its reasons
 */
export function dominates(
  graph: Graph | GraphInput,
  gate: string,
  target: string,
  options?: DominanceOptions,
): boolean {
  return askDominates(oneShot(graph), gate, target, options)
}

/**
 * Ids of the nodes that every path from the entries to the target crosses, the target excluded, in
 * code point order.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_REACH`, `['unreachable', target]` among its reasons
 */
export function mandatoryPass(
  graph: Graph | GraphInput,
  target: string,
  options?: DominanceOptions,
): readonly string[] {
  return askMandatoryPass(oneShot(graph), target, options)
}

/**
 * Always refused: the paths of a graph can outnumber anything that could hold them, and the
 * questions above are answered without listing one.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_REACH`, `['refused', 'all_paths']`
 */
export function allPaths(..._question: readonly unknown[]): never {
  throw refuseReach('refused', 'all_paths')
}

/** The questions of this module over one graph, with answers the same as asked one by one. */
export interface PreparedGraph {
  reachable(from: string, to: string, options?: PathOptions): boolean
  reachableWithout(
    from: string,
    to: string,
    gates: readonly string[],
    options?: PathOptions,
  ): Witness | false
  dominates(gate: string, target: string, options?: DominanceOptions): boolean
  mandatoryPass(target: string, options?: DominanceOptions): readonly string[]
  allPaths(...question: readonly unknown[]): never
}

/**
 * An index over a graph for hosts that ask it many questions: space for searches is made once, and
 * the dominator trees of the last few choices of kinds and entries are kept.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_REACH`, `['invalid_graph', reason]`
 */
export function prepare(graph: Graph | GraphInput): PreparedGraph {
  const engine = prepared(graph)
  return Object.freeze({
    reachable: (from, to, options) => askReachable(engine, from, to, options),
    reachableWithout: (from, to, gates, options) =>
      askReachableWithout(engine, from, to, gates, options),
    dominates: (gate, target, options) => askDominates(engine, gate, target, options),
    mandatoryPass: (target, options) => askMandatoryPass(engine, target, options),
    allPaths,
  } satisfies PreparedGraph)
}
