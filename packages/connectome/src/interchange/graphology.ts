// SPDX-License-Identifier: Apache-2.0
import { MultiDirectedGraph } from 'graphology'
import type { AbstractGraph, Attributes } from 'graphology-types'
import { CONNECTOME_CODES, ConnectomeError } from '../error.ts'
import { createGraph } from '../graph/create-graph.ts'
import type { EdgeInput, GraphEdge } from '../graph/edge.ts'
import type { Graph, GraphInput } from '../graph/graph.ts'
import type { GraphNode, NodeInput } from '../graph/node.ts'
import type { SchemaVersion } from '../graph/vocabulary.ts'

/** What a node of the other form carries; its id is its key. */
export type NodeAttributes = Omit<GraphNode, 'id'>
/** What an edge of the other form carries; its ends are its source and target. */
export type EdgeAttributes = Omit<GraphEdge, 'from' | 'to'>
/** What the graph itself carries. */
export interface GraphAttributes {
  schemaVersion: SchemaVersion
}

/**
 * A copy of a graph as graphology's `MultiDirectedGraph`, for layouts, metrics and traversals. The
 * key of an edge is its position in the graph's `edges`.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_INVALID` as `createGraph`
 * @see docs/connectome.md, "Graphology"
 */
export function toGraphology(
  input: Graph | GraphInput,
): MultiDirectedGraph<NodeAttributes, EdgeAttributes, GraphAttributes> {
  const graph = createGraph(input)
  const copy = new MultiDirectedGraph<NodeAttributes, EdgeAttributes, GraphAttributes>()
  copy.setAttribute('schemaVersion', graph.schemaVersion)
  for (const { id, ...attributes } of graph.nodes) copy.addNode(id, attributes)
  for (const [i, { from, to, ...attributes }] of graph.edges.entries()) {
    copy.addDirectedEdgeWithKey(String(i), from, to, attributes)
  }
  return copy
}

/**
 * A graph from graphology's form: node keys are ids, and the attributes of the vocabulary are taken
 * as they are and checked by `createGraph`. Other attributes, such as the coordinates of a layout,
 * are not part of a graph and stay behind.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_INVALID` as `createGraph`; `['undirected_edge', key]`
 */
export function fromGraphology(graph: AbstractGraph<Attributes, Attributes, Attributes>): Graph {
  const nodes = graph.mapNodes((id, { kind, level, labels }) => {
    return { id, kind, level, ...(labels !== undefined && { labels }) } as NodeInput // checked below
  })
  const edges = graph.mapEdges((key, attributes, from, to, _from, _to, isUndirected) => {
    if (isUndirected) {
      throw new ConnectomeError(CONNECTOME_CODES.GRAPH, ['undirected_edge', key])
    }
    const { kind, provenance, sign, weight } = attributes
    return { from, to, kind, provenance, sign, weight } as EdgeInput // checked below
  })
  const schemaVersion = graph.getAttribute('schemaVersion') as SchemaVersion | undefined // the same
  const input: GraphInput = { nodes, edges }
  return createGraph(schemaVersion === undefined ? input : { ...input, schemaVersion })
}
