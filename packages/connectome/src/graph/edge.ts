// SPDX-License-Identifier: Apache-2.0
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import { isPlainObject, unknownKey } from './plain-object.ts'
import {
  type EdgeKind,
  isEdgeKind,
  isProvenance,
  type Provenance,
  type Sign,
} from './vocabulary.ts'
import { isWeight, type Weight } from './weight.ts'

/** An edge of a graph. Frozen when this library made it. Identity is from, to, kind, provenance. */
export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly kind: EdgeKind
  readonly provenance: Provenance
  readonly sign: Sign
  readonly weight?: Weight
}

/** An edge as given to `createGraph`: a sign left out is `unset`. */
export interface EdgeInput {
  readonly from: string
  readonly to: string
  readonly kind: EdgeKind
  readonly provenance: Provenance
  readonly sign?: Sign
  readonly weight?: Weight
}

/** What an edge is built from. It has no sign: a consumer sets one on a copy. */
export interface EdgeOptions {
  readonly from: string
  readonly to: string
  readonly kind: EdgeKind
  readonly provenance: Provenance
  readonly weight?: Weight
}

const OPTIONS = ['from', 'to', 'kind', 'provenance', 'weight']
const REQUIRED = ['from', 'to', 'kind', 'provenance']

/**
 * A frozen edge with `sign: 'unset'`.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_INVALID` with, in this order: `['invalid', 'opts', given]`,
 * `['unknown_key', key]` (`sign` among them), `['missing', key]`, `['invalid', field, value]` for
 * from, to, kind, provenance, weight
 * @see docs/connectome.md, "Building nodes and edges"
 */
export function createEdge(options: EdgeOptions): GraphEdge {
  const read = readEdgeOptions(options)
  if (!read.ok) throw new ConnectomeError(CONNECTOME_CODES.GRAPH, read.reason)
  return read.edge
}

type Read = { ok: true; edge: GraphEdge } | { ok: false; reason: Reason }

const refused = (...reason: Reason): Read => ({ ok: false, reason })

function readEdgeOptions(options: unknown): Read {
  if (!isPlainObject(options)) return refused('invalid', 'opts', options)
  const unknown = unknownKey(options, OPTIONS)
  if (unknown !== undefined) return refused('unknown_key', unknown)
  const missing = REQUIRED.find((key) => options[key] === undefined)
  if (missing !== undefined) return refused('missing', missing)
  const { from, to, kind, provenance, weight } = options
  if (typeof from !== 'string') return refused('invalid', 'from', from)
  if (typeof to !== 'string') return refused('invalid', 'to', to)
  if (!isEdgeKind(kind)) return refused('invalid', 'kind', kind)
  if (!isProvenance(provenance)) return refused('invalid', 'provenance', provenance)
  const edge: GraphEdge = { from, to, kind, provenance, sign: 'unset' }
  if (weight === undefined) return { ok: true, edge: Object.freeze(edge) }
  if (!isWeight(weight)) return refused('invalid', 'weight', weight)
  return { ok: true, edge: Object.freeze({ ...edge, weight }) }
}
