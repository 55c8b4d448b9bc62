// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import type { GraphEdge } from './edge.ts'
import { unknownKey } from './plain-object.ts'
import { isEdgeKind, isProvenance, isSign } from './vocabulary.ts'
import { isWeight } from './weight.ts'

const KEYS = ['from', 'to', 'kind', 'provenance', 'sign', 'weight']

/** A frozen copy of an edge given as an object, or its first fault, weight before sign. */
export function readEdge(fields: Readonly<Record<string, unknown>>): GraphEdge | Reason {
  const unknown = unknownKey(fields, KEYS)
  if (unknown !== undefined) return ['unknown_key', unknown]
  const { from, to, kind, provenance, weight, sign = 'unset' } = fields
  if (typeof from !== 'string') return ['invalid', 'from', from]
  if (typeof to !== 'string') return ['invalid', 'to', to]
  if (!isEdgeKind(kind)) return ['invalid', 'kind', kind]
  if (!isProvenance(provenance)) return ['invalid', 'provenance', provenance]
  if (weight !== undefined && !isWeight(weight)) return ['invalid', 'weight', weight]
  if (!isSign(sign)) return ['invalid', 'sign', sign]
  const edge = { from, to, kind, provenance, sign }
  return Object.freeze(weight === undefined ? edge : { ...edge, weight })
}
