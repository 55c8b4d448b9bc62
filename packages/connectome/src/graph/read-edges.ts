// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import { type Columns, createColumns, STRAY } from './compact.ts'
import type { GraphEdge } from './edge.ts'
import { unknownKey } from './plain-object.ts'
import { codeOf, EDGE_KINDS, PROVENANCES, SIGNS } from './vocabulary.ts'
import { isWeight } from './weight.ts'

type Fields = Readonly<Record<string, unknown>>

/** Nodes by id: their numbers, and the one string each id is kept as. */
export interface NodeIndex {
  readonly ids: readonly string[]
  readonly index: ReadonlyMap<string, number>
}

export interface EdgeList {
  readonly ok: true
  readonly edges: GraphEdge[]
  /** The same edges in columns; an endpoint no node has is `STRAY`. */
  readonly columns: Columns
}

const KEYS = ['from', 'to', 'kind', 'provenance', 'sign', 'weight']

/** Frozen copies of edges given as objects, or the first fault of the first that has one. */
export function readEdges(
  list: readonly Fields[],
  nodes: NodeIndex,
): EdgeList | { readonly ok: false; readonly reason: Reason } {
  const columns = createColumns(list.length)
  const edges: GraphEdge[] = []
  for (let i = 0; i < list.length; i++) {
    const fault = readEdge(list[i] ?? {}, i, nodes, columns, edges)
    if (fault !== undefined) return { ok: false, reason: fault }
  }
  return { ok: true, edges, columns }
}

/** Faults in the order of the fields, weight before sign; each field is read once. */
function readEdge(
  fields: Fields,
  place: number,
  nodes: NodeIndex,
  columns: Columns,
  edges: GraphEdge[],
): Reason | undefined {
  const unknown = unknownKey(fields, KEYS)
  if (unknown !== undefined) return ['unknown_key', unknown]
  const { from, to, kind, provenance, weight, sign = 'unset' } = fields
  if (typeof from !== 'string') return ['invalid', 'from', from]
  if (typeof to !== 'string') return ['invalid', 'to', to]
  const kindCode = codeOf(EDGE_KINDS, kind)
  const kindWord = EDGE_KINDS[kindCode]
  if (kindWord === undefined) return ['invalid', 'kind', kind]
  const provenanceCode = codeOf(PROVENANCES, provenance)
  const provenanceWord = PROVENANCES[provenanceCode]
  if (provenanceWord === undefined) return ['invalid', 'provenance', provenance]
  if (weight !== undefined && !isWeight(weight)) return ['invalid', 'weight', weight]
  const signCode = codeOf(SIGNS, sign)
  const signWord = SIGNS[signCode]
  if (signWord === undefined) return ['invalid', 'sign', sign]
  const source = nodes.index.get(from) ?? STRAY
  const target = nodes.index.get(to) ?? STRAY
  columns.from[place] = source
  columns.to[place] = target
  columns.kind[place] = kindCode
  columns.provenance[place] = provenanceCode
  columns.sign[place] = signCode
  // The strings kept are the nodes' own, so that a large graph does not hold each id many times.
  const edge: GraphEdge = {
    from: nodes.ids[source] ?? from,
    to: nodes.ids[target] ?? to,
    kind: kindWord,
    provenance: provenanceWord,
    sign: signWord,
  }
  edges.push(Object.freeze(weight === undefined ? edge : { ...edge, weight }))
  return undefined
}
