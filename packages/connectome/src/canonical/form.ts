// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import { compareCodePoints } from '../graph/code-points.ts'
import { type Compact, orderColumns } from '../graph/compact.ts'
import { admit, type Graph } from '../graph/graph.ts'
import { at, counting } from '../graph/sort-edges.ts'
import { type LabelText, labelTexts } from './labels-text.ts'
import { normalForm } from './normal.ts'

/** A graph that has canonical bytes, with all that is needed to write them. */
export interface Form {
  readonly graph: Graph
  readonly compact: Compact
  /** Ids in normal form, by the graph's own numbering. */
  readonly ids: readonly string[]
  /** Labels, by the graph's own numbering. */
  readonly labels: readonly (readonly LabelText[])[]
  /** Nodes and edges in the order they are written, as positions in the graph's own lists. */
  readonly nodeOrder: Int32Array
  readonly edgeOrder: Int32Array
}

export type FormOrRefusal =
  | { readonly ok: true; readonly form: Form }
  | { readonly ok: false; readonly reason: Reason }

const refused = (...reason: Reason): FormOrRefusal => ({
  ok: false,
  reason: ['uncanonical', reason],
})

/**
 * The checks of the encoder, in their order: the graph's own, each node's id and labels in the order
 * the graph holds them, then ids that meet after normalising.
 *
 * @see docs/connectome-canonical.md, "Refusals"
 */
export function canonicalForm(value: unknown): FormOrRefusal {
  const read = admit(value)
  if (!read.ok) return refused('invalid_graph', read.reason)
  const { graph, compact } = read
  const ids: string[] = []
  const labels: (readonly LabelText[])[] = []
  let changed = false
  for (const node of graph.nodes) {
    const id = normalForm(node.id)
    if (id === undefined) return refused('invalid_utf8', node.id, 'id')
    const texts = labelTexts(id, node.labels)
    if (!texts.ok) return refused(...texts.reason)
    ids.push(id)
    labels.push(texts.labels)
    changed ||= id !== node.id
  }
  // Nothing was normalised: the graph's order is the canonical one, and its ids are distinct.
  const orders = changed ? reorder(ids, compact) : sameOrder(ids.length, compact.from.length)
  if (orders.twin !== undefined) return refused('duplicate_id_after_nfc', orders.twin)
  return { ok: true, form: { graph, compact, ids, labels, ...orders } }
}

interface Orders {
  readonly twin?: string
  readonly nodeOrder: Int32Array
  readonly edgeOrder: Int32Array
}

function sameOrder(nodes: number, edges: number): Orders {
  return { nodeOrder: counting(nodes), edgeOrder: counting(edges) }
}

function reorder(ids: readonly string[], compact: Compact): Orders {
  const nodeOrder = counting(ids.length)
  const idAt = (position: number | undefined): string => ids[position ?? -1] ?? ''
  nodeOrder.sort((a, b) => compareCodePoints(idAt(a), idAt(b)))
  const rank = new Int32Array(ids.length)
  for (let i = 0; i < nodeOrder.length; i++) {
    if (i > 0 && idAt(nodeOrder[i]) === idAt(nodeOrder[i - 1])) {
      return { twin: idAt(nodeOrder[i]), nodeOrder, edgeOrder: nodeOrder }
    }
    rank[at(nodeOrder, i)] = i
  }
  const from = compact.from.map((node) => at(rank, node))
  const to = compact.to.map((node) => at(rank, node))
  const { kind, provenance } = compact
  return { nodeOrder, edgeOrder: orderColumns({ from, to, kind, provenance }, ids.length) }
}
