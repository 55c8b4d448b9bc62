// SPDX-License-Identifier: Apache-2.0
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import { admit, type Graph, type GraphInput } from './graph.ts'

/**
 * A frozen graph, its nodes and edges copied, checked and put in canonical order. Nothing is
 * corrected: what is wrong is refused, the first fault by the order of the page below.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_INVALID` with the reason that `checkGraph` answers
 * @see docs/connectome.md, "Graphs"
 */
export function createGraph(input: GraphInput): Graph {
  const read = admit(input)
  if (!read.ok) throw new ConnectomeError(CONNECTOME_CODES.GRAPH, read.reason)
  return read.graph
}

/**
 * Why a value is not a graph, or `null` when it is one. In this order: `['invalid', 'opts', given]`,
 * `['unknown_key', key]`, `['missing', key]`, `['invalid', 'schema_version', v]`,
 * `['invalid', 'nodes' | 'edges', list]`, `['invalid', 'order' | 'size', count]` for a literal's counts,
 * the first bad node, the first bad edge,
 * `['duplicate_node', id]`, `['duplicate_edge', [from, to, kind, provenance]]`,
 * `['dangling_edge', id]`.
 */
export function checkGraph(value: unknown): Reason | null {
  const read = admit(value)
  return read.ok ? null : read.reason
}
