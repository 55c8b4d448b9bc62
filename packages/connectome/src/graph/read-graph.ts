// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import { compareCodePoints } from './code-points.ts'
import { type Columns, type Compact, columnsOf, compactOf, STRAY } from './compact.ts'
import type { GraphEdge } from './edge.ts'
import type { GraphNode } from './node.ts'
import { isPlainObject, unknownKey } from './plain-object.ts'
import { readEdge } from './read-edge.ts'
import { readNode } from './read-node.ts'
import { at, permute, sortEdges } from './sort-edges.ts'
import { PROVENANCES, type SchemaVersion } from './vocabulary.ts'

/** What a value says, checked and in canonical order. */
export interface GraphParts {
  readonly ok: true
  readonly schemaVersion: SchemaVersion
  readonly nodes: GraphNode[]
  readonly edges: GraphEdge[]
  readonly compact: Compact
}

export interface Refused {
  readonly ok: false
  readonly reason: Reason
}

type Index = ReadonlyMap<string, number>

const KEYS = ['nodes', 'edges', 'schemaVersion']

const refused = (...reason: Reason): Refused => ({ ok: false, reason })

/** The checks of a graph in the order of docs/connectome.md, "Graphs". */
export function readGraph(value: unknown): GraphParts | Refused {
  if (!isPlainObject(value)) return refused('invalid', 'opts', value)
  const unknown = unknownKey(value, KEYS)
  if (unknown !== undefined) return refused('unknown_key', unknown)
  const { nodes, edges, schemaVersion = 2 } = value
  if (nodes === undefined) return refused('missing', 'nodes')
  if (edges === undefined) return refused('missing', 'edges')
  if (schemaVersion !== 2 && schemaVersion !== 3) {
    return refused('invalid', 'schema_version', schemaVersion)
  }
  if (!isListOfObjects(nodes)) return refused('invalid', 'nodes', nodes)
  if (!isListOfObjects(edges)) return refused('invalid', 'edges', edges)
  const nodeList = readAll(nodes, readNode)
  if (!nodeList.ok) return nodeList
  const edgeList = readAll(edges, readEdge)
  if (!edgeList.ok) return edgeList
  return arrange(schemaVersion, nodeList.list, edgeList.list)
}

type Fields = Readonly<Record<string, unknown>>

function isListOfObjects(value: unknown): value is readonly Fields[] {
  if (!Array.isArray(value)) return false
  for (let i = 0; i < value.length; i++) if (!isPlainObject(value[i])) return false
  return true
}

function readAll<Item extends object>(
  list: readonly Fields[],
  read: (fields: Fields) => Item | Reason,
): { ok: true; list: Item[] } | Refused {
  const items: Item[] = []
  for (const fields of list) {
    const item = read(fields)
    if (Array.isArray(item)) return { ok: false, reason: item }
    items.push(item as Item) // the reader answers an item or an array, and it is no array
  }
  return { ok: true, list: items }
}

function arrange(
  schemaVersion: SchemaVersion,
  nodes: GraphNode[],
  given: readonly GraphEdge[],
): GraphParts | Refused {
  nodes.sort((a, b) => compareCodePoints(a.id, b.id))
  const twin = nodes.find((node, i) => nodes[i + 1]?.id === node.id)
  if (twin !== undefined) return refused('duplicate_node', twin.id)
  const index = indexOf(nodes.map((node) => node.id))
  const columns = columnsOf(given, index)
  if (columns.from.includes(STRAY) || columns.to.includes(STRAY)) return strayFault(given, index)
  const { edges, order } = inOrder(given, columns, index.size)
  const again = edges.find((edge, i) => isSameEdge(edge, edges[i + 1]))
  if (again !== undefined) return refused('duplicate_edge', keyOf(again))
  const compact = compactOf(index, {
    from: permute(columns.from, order),
    to: permute(columns.to, order),
    kind: permute(columns.kind, order),
    provenance: permute(columns.provenance, order),
    sign: permute(columns.sign, order),
  })
  return { ok: true, schemaVersion, nodes, edges, compact }
}

function indexOf(ids: readonly string[]): Index {
  const index = new Map<string, number>()
  for (const id of ids) index.set(id, index.size)
  return index
}

function inOrder(
  edges: readonly GraphEdge[],
  { from, to, kind, provenance }: Columns,
  nodes: number,
): { edges: GraphEdge[]; order: Int32Array } {
  const code = kind.map((value, i) => value * PROVENANCES.length + at(provenance, i))
  const order = sortEdges({ nodes, from, to, code })
  const sorted: GraphEdge[] = []
  for (let i = 0; i < order.length; i++) {
    const edge = edges[at(order, i)]
    if (edge !== undefined) sorted.push(edge)
  }
  return { edges: sorted, order }
}

function isSameEdge(a: GraphEdge, b: GraphEdge | undefined): boolean {
  if (b === undefined || a.to !== b.to || a.from !== b.from) return false
  return a.kind === b.kind && a.provenance === b.provenance
}

const keyOf = (edge: GraphEdge): Reason => [edge.from, edge.to, edge.kind, edge.provenance]

/** Some endpoint has no node: a repeated edge is named before the first such endpoint. */
function strayFault(given: readonly GraphEdge[], index: Index): Refused {
  const ids = new Set(index.keys())
  for (const edge of given) ids.add(edge.from).add(edge.to)
  const wider = indexOf([...ids].sort(compareCodePoints))
  const { edges } = inOrder(given, columnsOf(given, wider), wider.size)
  const again = edges.find((edge, i) => isSameEdge(edge, edges[i + 1]))
  if (again !== undefined) return refused('duplicate_edge', keyOf(again))
  const ends = edges.flatMap(({ from, to }) => [from, to])
  return refused(
    'dangling_edge',
    ends.find((id) => !index.has(id)),
  )
}
