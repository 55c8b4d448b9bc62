// SPDX-License-Identifier: Apache-2.0
import {
  createGraph,
  dominates,
  type EdgeKind,
  type Graph,
  mandatoryPass,
  type NodeKind,
  type PreparedGraph,
  prepare,
  reachable,
  reachableWithout,
  type Witness,
} from '@beam-mcp/connectome'
import { type Check, check, reasonOf } from './checks.ts'
import { type Tagged, untag } from './tagged.ts'

export interface ReachCase {
  readonly name: string
  readonly nodes: readonly (readonly [string, NodeKind])[]
  readonly edges: readonly (readonly [string, string, EdgeKind])[]
  readonly queries: readonly ReachQuery[]
}

interface ReachQuery {
  readonly op: 'reachable' | 'reachable_without' | 'dominates' | 'mandatory_pass'
  readonly from: string
  readonly to: string
  readonly gate: string
  readonly target: string
  readonly gates: readonly string[]
  readonly options: {
    readonly kinds?: readonly EdgeKind[]
    readonly entries?: readonly string[]
    readonly max_hops?: number
    readonly max_edges?: number
  }
  readonly answer: { readonly ok?: Tagged; readonly error?: Tagged }
}

/** Every query, asked of the graph and of a prepared one. */
export function reachChecks({ nodes, edges, queries }: ReachCase): Check[] {
  const graph = createGraph({
    nodes: nodes.map(([id, kind]) => ({ id, kind, level: 'server' })),
    edges: edges.map(([from, to, kind]) => ({ from, to, kind, provenance: 'declared' })),
  })
  const once = asked(graph)
  const many = prepare(graph)
  return queries.flatMap((query, i) => [
    ...queryChecks(`${i} ${query.op}`, graph, query, once),
    ...queryChecks(`${i} ${query.op}, prepared`, graph, query, many),
  ])
}

type Questions = Omit<PreparedGraph, 'allPaths'>

const asked = (graph: Graph): Questions => ({
  reachable: (...rest) => reachable(graph, ...rest),
  reachableWithout: (...rest) => reachableWithout(graph, ...rest),
  dominates: (...rest) => dominates(graph, ...rest),
  mandatoryPass: (...rest) => mandatoryPass(graph, ...rest),
})

function queryChecks(what: string, graph: Graph, query: ReachQuery, questions: Questions): Check[] {
  const { ok, error } = query.answer
  const actual = reasonOf(() => ask(query, questions))
  if (error !== undefined) return [check(what, actual, untag(error))]
  if (!isWitnessAnswer(ok)) return [check(what, actual, { answered: ok })]
  const { answered } = actual as { answered?: Witness | false } // or a reason, which has neither
  if (!answered) return [check(what, actual, `a path of ${ok.hops} hops`)]
  return [
    check(what, answered.edges.length, ok.hops),
    check(`${what}, its path`, pathFaults(graph, query, answered), []),
  ]
}

function isWitnessAnswer(ok: unknown): ok is { readonly hops: number } {
  return typeof ok === 'object' && ok !== null && 'hops' in ok
}

function ask(query: ReachQuery, questions: Questions): unknown {
  const { op, from, to, gate, gates, target, options } = query
  const { kinds, entries, max_hops: maxHops, max_edges: maxEdges } = options
  const both = { ...(kinds && { kinds }), ...(maxEdges !== undefined && { maxEdges }) }
  const path = { ...both, ...(maxHops !== undefined && { maxHops }) }
  const entry = { ...both, ...(entries && { entries }) }
  if (op === 'reachable') return questions.reachable(from, to, path)
  if (op === 'reachable_without') return questions.reachableWithout(from, to, gates, path)
  if (op === 'dominates') return questions.dominates(gate, target, entry)
  return questions.mandatoryPass(target, entry)
}

/** What is wrong with a witness; its edges must be the graph's own objects. */
export function pathFaults(
  graph: Graph,
  { from, to, gates, options: { kinds } }: Pick<ReachQuery, 'from' | 'to' | 'gates' | 'options'>,
  { nodes, edges }: Witness,
): string[] {
  const faults: string[] = []
  if (nodes[0] !== from || nodes.at(-1) !== to) faults.push('it has other ends')
  if (nodes.length !== edges.length + 1) faults.push('its counts do not fit')
  if (nodes.some((node) => gates.includes(node))) faults.push('it touches a gate')
  for (const [i, edge] of edges.entries()) {
    if (edge.from !== nodes[i] || edge.to !== nodes[i + 1]) faults.push(`step ${i} leaves the path`)
    const first = graph.edges.find(
      (own) => own.from === edge.from && own.to === edge.to && (kinds?.includes(own.kind) ?? true),
    )
    if (first !== edge) faults.push(`step ${i} is not the first edge of the graph`)
  }
  return faults
}
