// SPDX-License-Identifier: Apache-2.0
import { canonicalForm, type Form } from '../canonical/form.ts'
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import { compareCodeUnits } from '../graph/code-points.ts'
import { admit } from '../graph/graph.ts'
import { at, permute, sortEdges } from '../graph/sort-edges.ts'
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
  const { from, to, kind, sign } = compact
  const size = from.length
  const isInOrder = isRising(places)
  // In order and without a gap, the joint numbers are the graph's own, and its columns serve as they are.
  if (isInOrder && places.length === joint.ids.length) return { size, from, to, kind, sign, has }
  const columns = { from: renumber(from, places), to: renumber(to, places), kind, sign }
  if (isInOrder) return { size, ...columns, has }
  // All edges of a side have one provenance, so the kind completes the key.
  const order = sortEdges({ nodes: joint.ids.length, ...columns, code: columns.kind })
  return {
    size,
    from: permute(columns.from, order),
    to: permute(columns.to, order),
    kind: permute(columns.kind, order),
    sign: permute(columns.sign, order),
    has,
  }
}

function renumber(column: Int32Array, places: Int32Array): Int32Array {
  const renumbered = new Int32Array(column.length)
  for (let i = 0; i < column.length; i++) renumbered[i] = at(places, at(column, i))
  return renumbered
}

/** Whether the graph's own order is the joint one already, and its edges are in order with it. */
function isRising(places: Int32Array): boolean {
  for (let i = 1; i < places.length; i++) if (at(places, i) <= at(places, i - 1)) return false
  return true
}
