// SPDX-License-Identifier: Apache-2.0
import { canonicalForm, type Form } from '../canonical/form.ts'
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import { compareCodeUnits } from '../graph/code-points.ts'
import { admit } from '../graph/graph.ts'
import { at, sortEdges } from '../graph/sort-edges.ts'
import { codeOf, PROVENANCES, type Provenance } from '../graph/vocabulary.ts'

export const refuseDiff = (...reason: Reason): ConnectomeError =>
  new ConnectomeError(CONNECTOME_CODES.DIFF, reason)

/**
 * A graph that may stand on one side of a comparison.
 *
 * @throws ConnectomeError `[side, reason]`: the graph's own fault, the encoder's, or
 * `['invalid', 'provenance', other]`
 */
export function readSide(side: Provenance, value: unknown): Form {
  const read = admit(value)
  if (!read.ok) throw refuseDiff(side, read.reason)
  const form = canonicalForm(read.graph)
  if (!form.ok) throw refuseDiff(side, form.reason)
  const expected = codeOf(PROVENANCES, side)
  const other = read.compact.provenance.find((code) => code !== expected)
  if (other !== undefined) throw refuseDiff(side, ['invalid', 'provenance', PROVENANCES[other]])
  return form.form
}

/** Ids of both sides in UTF-16 order, and each one's place. */
export interface JointIds {
  readonly ids: readonly string[]
  readonly places: ReadonlyMap<string, number>
}

export function joinIds(a: Form, b: Form): JointIds {
  const ids = [...new Set([...a.ids, ...b.ids])].sort(compareCodeUnits)
  return { ids, places: new Map(ids.map((id, place) => [id, place])) }
}

/** One side's edges as labels in joint numbers, sorted by from, to, kind. */
export interface SideLabels {
  readonly size: number
  readonly from: Int32Array
  readonly to: Int32Array
  readonly kind: Uint8Array
  readonly sign: Uint8Array
  /** Which of the joint ids are nodes of this side. */
  readonly has: Uint8Array
}

export function labelsOf({ ids, compact }: Form, joint: JointIds): SideLabels {
  const has = new Uint8Array(joint.ids.length)
  const places = Int32Array.from(ids, (id) => joint.places.get(id) ?? 0)
  for (const place of places) has[place] = 1
  const from = compact.from.map((node) => at(places, node))
  const to = compact.to.map((node) => at(places, node))
  // All edges of a side have one provenance, so the kind completes the key.
  const order = sortEdges({ nodes: joint.ids.length, from, to, code: compact.kind })
  return {
    size: order.length,
    from: order.map((edge) => at(from, edge)),
    to: order.map((edge) => at(to, edge)),
    kind: Uint8Array.from(order, (edge) => at(compact.kind, edge)),
    sign: Uint8Array.from(order, (edge) => at(compact.sign, edge)),
    has,
  }
}
