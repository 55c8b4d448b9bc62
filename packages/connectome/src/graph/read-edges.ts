// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import { type Columns, createColumns, STRAY } from './compact.ts'
import type { GraphEdge } from './edge.ts'
import { unknownKey } from './plain-object.ts'
import { at } from './sort-edges.ts'
import { codeOf, EDGE_KINDS, PROVENANCES, SIGNS } from './vocabulary.ts'
import { isWeight, type Weight } from './weight.ts'

type Fields = Readonly<Record<string, unknown>>

/** Nodes by id: their numbers, and the one string each id is kept as. */
export interface NodeIndex {
  readonly ids: readonly string[]
  readonly index: ReadonlyMap<string, number>
}

/** What edges say, in the order given and in columns, so that an object is made of each only once. */
export interface EdgeTable {
  readonly ok: true
  /** An endpoint no node has is `STRAY`. */
  readonly columns: Columns
  /** By place; an edge without a weight has none here. */
  readonly weights: readonly (Weight | undefined)[]
}

const KEYS = ['from', 'to', 'kind', 'provenance', 'sign', 'weight']

/** Edges given as objects, or the first fault of the first that has one. */
export function readEdges(
  list: readonly Fields[],
  nodes: NodeIndex,
): EdgeTable | { readonly ok: false; readonly reason: Reason } {
  const columns = createColumns(list.length)
  const weights: Weight[] = []
  for (let place = 0; place < list.length; place++) {
    const fault = readEdge(list[place] ?? {}, place, nodes, columns, weights)
    if (fault !== undefined) return { ok: false, reason: fault }
  }
  return { ok: true, columns, weights }
}

/** Faults in the order of the fields, weight before sign; each field is read once. */
function readEdge(
  fields: Fields,
  place: number,
  { index }: NodeIndex,
  columns: Columns,
  weights: Weight[],
): Reason | undefined {
  const unknown = unknownKey(fields, KEYS)
  if (unknown !== undefined) return ['unknown_key', unknown]
  const { from, to, kind, provenance, weight, sign = 'unset' } = fields
  if (typeof from !== 'string') return ['invalid', 'from', from]
  if (typeof to !== 'string') return ['invalid', 'to', to]
  const kindCode = codeOf(EDGE_KINDS, kind)
  if (kindCode < 0) return ['invalid', 'kind', kind]
  const provenanceCode = codeOf(PROVENANCES, provenance)
  if (provenanceCode < 0) return ['invalid', 'provenance', provenance]
  if (weight !== undefined && !isWeight(weight)) return ['invalid', 'weight', weight]
  const signCode = codeOf(SIGNS, sign)
  if (signCode < 0) return ['invalid', 'sign', sign]
  columns.from[place] = index.get(from) ?? STRAY
  columns.to[place] = index.get(to) ?? STRAY
  columns.kind[place] = kindCode
  columns.provenance[place] = provenanceCode
  columns.sign[place] = signCode
  if (weight !== undefined) weights[place] = weight
  return undefined
}

/** Frozen edges in an order of places. The strings kept are the nodes' own, not one for each edge. */
export function makeEdges(
  { columns, weights }: EdgeTable,
  order: Int32Array,
  ids: readonly string[],
): GraphEdge[] {
  const edges = new Array<GraphEdge>(order.length)
  for (let i = 0; i < order.length; i++) {
    const place = at(order, i)
    const edge = edgeAt(columns, place, ids)
    const weight = weights[place]
    edges[i] = Object.freeze(weight === undefined ? edge : { ...edge, weight })
  }
  return edges
}

function edgeAt(columns: Columns, place: number, ids: readonly string[]): GraphEdge {
  return {
    from: ids[at(columns.from, place)] ?? '',
    to: ids[at(columns.to, place)] ?? '',
    kind: EDGE_KINDS[at(columns.kind, place)] ?? 'invoke',
    provenance: PROVENANCES[at(columns.provenance, place)] ?? 'declared',
    sign: SIGNS[at(columns.sign, place)] ?? 'unset',
  }
}
