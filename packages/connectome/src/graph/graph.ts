// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import type { Compact } from './compact.ts'
import type { EdgeInput, GraphEdge } from './edge.ts'
import type { GraphNode, NodeInput } from './node.ts'
import { readGraph } from './read-graph.ts'
import type { SchemaVersion } from './vocabulary.ts'

/** An immutable graph. Its members were checked when it was made and cannot change since. */
export interface Graph {
  /** The version its bytes are written in unless an option says otherwise. */
  readonly schemaVersion: SchemaVersion
  /** By id, in code point order. */
  readonly nodes: readonly GraphNode[]
  /** By from, to, kind, provenance, in code point order. */
  readonly edges: readonly GraphEdge[]
  /** The number of nodes. Not enumerable, so that a spread of a graph is input for another. */
  readonly order: number
  /** The number of edges. Not enumerable either. */
  readonly size: number
}

/** A graph as a program or a file gives it, checked where it is used. */
export interface GraphInput {
  readonly nodes: readonly NodeInput[]
  readonly edges: readonly EdgeInput[]
  /** @default 2 */
  readonly schemaVersion?: SchemaVersion
}

const known = new WeakMap<object, Compact>()

export type Admitted =
  | { readonly ok: true; readonly graph: Graph; readonly compact: Compact }
  | { readonly ok: false; readonly reason: Reason }

/** A graph with its columns: at once for one of ours, after every check for a literal. */
export function admit(value: unknown): Admitted {
  const own = typeof value === 'object' && value !== null ? known.get(value) : undefined
  if (own !== undefined) return { ok: true, graph: value as Graph, compact: own } // made below
  const read = readGraph(value)
  if (!read.ok) return read
  const { schemaVersion, nodes, edges, compact } = read
  const graph = freezeGraph(schemaVersion, nodes, edges)
  known.set(graph, compact)
  return { ok: true, graph, compact }
}

function freezeGraph(schemaVersion: SchemaVersion, nodes: GraphNode[], edges: GraphEdge[]): Graph {
  const graph = { schemaVersion, nodes: Object.freeze(nodes), edges: Object.freeze(edges) }
  const counts = { order: nodes.length, size: edges.length }
  Object.defineProperty(graph, 'order', { value: counts.order })
  Object.defineProperty(graph, 'size', { value: counts.size })
  return Object.freeze(graph) as Graph // the two counts were defined just above
}
