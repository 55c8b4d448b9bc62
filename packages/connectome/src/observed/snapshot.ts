// SPDX-License-Identifier: Apache-2.0
import { createGraph } from '../graph/create-graph.ts'
import { createEdge, type GraphEdge } from '../graph/edge.ts'
import type { Graph } from '../graph/graph.ts'
import { createNode, type GraphNode } from '../graph/node.ts'
import { type NodeIdentity, nodeId } from '../graph/node-id.ts'
import type { EdgeKind, NodeLevel } from '../graph/vocabulary.ts'
import { refuseObserved } from './options.ts'
import type { ObservedRow, Row, RowBook } from './rows.ts'

/** How long an edge took. Never in a graph, never hashed; there are no samples to give. */
export interface EdgeLatency {
  readonly from: string
  readonly to: string
  readonly kind: EdgeKind
  readonly count: number
  /** Microseconds. */
  readonly meanUs: number
  /** Microseconds. */
  readonly maxUs: number
}

/**
 * The graph of what was counted: a node for each end, without labels, and an edge for each row whose
 * weight is its count.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_OBSERVED` with `['malformed_row', key]`
 */
export function graphOf(book: RowBook): Graph {
  const malformed = book.malformed()
  if (malformed !== undefined) throw refuseObserved('malformed_row', malformed)
  const nodes = new Map<string, GraphNode>()
  const edges: GraphEdge[] = []
  const idOf = (identity: NodeIdentity): string => {
    const node = nodeOf(identity)
    if (!nodes.has(node.id)) nodes.set(node.id, node)
    return node.id
  }
  for (const { from, to, kind, count } of book.rows()) {
    const ends = { from: idOf(from), to: idOf(to) }
    edges.push(createEdge({ ...ends, kind, provenance: 'observed', weight: count }))
  }
  return createGraph({ nodes: [...nodes.values()], edges })
}

export function latencyOf(book: RowBook): readonly EdgeLatency[] {
  return Array.from(book.rows(), ({ from, to, kind, count, totalMs, maxMs }) =>
    Object.freeze({
      from: nodeId(from),
      to: nodeId(to),
      kind,
      count,
      meanUs: (totalMs * 1_000) / count,
      maxUs: maxMs * 1_000,
    }),
  )
}

export function copyRow({ from, to, kind, count, totalMs, maxMs }: Row): ObservedRow {
  return Object.freeze({ from, to, kind, count, totalMs, maxMs })
}

function nodeOf(identity: NodeIdentity): GraphNode {
  const kind = identity.kind === 'boundary' ? 'module' : identity.kind
  return createNode({ kind, level: levelOf(identity), identity })
}

function levelOf(identity: NodeIdentity): NodeLevel {
  if (identity.kind === 'boundary') return 'boundary'
  if (identity.kind !== 'module') return 'server'
  return identity.function === undefined ? 'module' : 'mfa'
}
