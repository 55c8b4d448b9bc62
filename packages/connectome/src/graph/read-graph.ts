// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import { compareCodePoints } from './code-points.ts'
import { type Columns, type Compact, compactOf, permuteColumns, STRAY } from './compact.ts'
import type { GraphEdge } from './edge.ts'
import type { GraphNode } from './node.ts'
import { isPlainObject, unknownKey } from './plain-object.ts'
import { type EdgeList, type NodeIndex, readEdges } from './read-edges.ts'
import { readNode } from './read-node.ts'
import { at, sortEdges } from './sort-edges.ts'
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

type Fields = Readonly<Record<string, unknown>>

const KEYS = ['nodes', 'edges', 'schemaVersion', 'order', 'size']

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
  const { order = nodes.length, size = edges.length } = value
  if (order !== nodes.length) return refused('invalid', 'order', order)
  if (size !== edges.length) return refused('invalid', 'size', size)
  const nodeList = readNodes(nodes)
  if (!nodeList.ok) return nodeList
  const known = indexOf(nodeList.nodes.map(({ id }) => id))
  const edgeList = readEdges(edges, known)
  if (!edgeList.ok) return edgeList
  const twin = nodeList.nodes.find(({ id }, i) => nodeList.nodes[i + 1]?.id === id)
  if (twin !== undefined) return refused('duplicate_node', twin.id)
  const arranged = arrange(edgeList, known)
  return arranged.ok ? { ...arranged, schemaVersion, nodes: nodeList.nodes } : arranged
}

function isListOfObjects(value: unknown): value is readonly Fields[] {
  if (!Array.isArray(value)) return false
  for (let i = 0; i < value.length; i++) if (!isPlainObject(value[i])) return false
  return true
}

/** Frozen nodes in order, or the first fault in the order given. */
function readNodes(list: readonly Fields[]): { ok: true; nodes: GraphNode[] } | Refused {
  const nodes: GraphNode[] = []
  for (const fields of list) {
    const read = readNode(fields)
    if (!read.ok) return read
    nodes.push(read.node)
  }
  nodes.sort((a, b) => compareCodePoints(a.id, b.id))
  return { ok: true, nodes }
}

function indexOf(ids: readonly string[]): NodeIndex {
  const index = new Map<string, number>()
  for (let i = 0; i < ids.length; i++) index.set(ids[i] ?? '', i)
  return { ids, index }
}

type Arranged = Pick<GraphParts, 'ok' | 'edges' | 'compact'>

function arrange({ edges: given, columns }: EdgeList, nodes: NodeIndex): Arranged | Refused {
  const { ids, index } = nodes
  if (columns.from.includes(STRAY) || columns.to.includes(STRAY)) return strayFault(given, nodes)
  const order = orderOf(columns, ids.length)
  const edges = inOrder(given, order)
  const again = edges.find((edge, i) => isSameEdge(edge, edges[i + 1]))
  if (again !== undefined) return refused('duplicate_edge', keyOf(again))
  return { ok: true, edges, compact: compactOf(ids, index, permuteColumns(columns, order)) }
}

function orderOf({ from, to, kind, provenance }: Columns, nodes: number): Int32Array {
  const code = new Uint8Array(kind.length)
  for (let i = 0; i < code.length; i++) {
    code[i] = at(kind, i) * PROVENANCES.length + at(provenance, i)
  }
  return sortEdges({ nodes, from, to, code })
}

function inOrder(edges: readonly GraphEdge[], order: Int32Array): GraphEdge[] {
  const sorted: GraphEdge[] = []
  for (let i = 0; i < order.length; i++) {
    const edge = edges[at(order, i)]
    if (edge !== undefined) sorted.push(edge)
  }
  return sorted
}

function isSameEdge(a: GraphEdge, b: GraphEdge | undefined): boolean {
  if (b === undefined || a.to !== b.to || a.from !== b.from) return false
  return a.kind === b.kind && a.provenance === b.provenance
}

const keyOf = (edge: GraphEdge): Reason => [edge.from, edge.to, edge.kind, edge.provenance]

/** Some endpoint has no node: a repeated edge is named before the first such endpoint. */
function strayFault(given: readonly GraphEdge[], { ids, index }: NodeIndex): Refused {
  const all = new Set(ids)
  for (const edge of given) all.add(edge.from).add(edge.to)
  const placed = readEdges(given.map(fieldsOf), indexOf([...all].sort(compareCodePoints)))
  if (!placed.ok) return placed
  const edges = inOrder(given, orderOf(placed.columns, all.size))
  const again = edges.find((edge, i) => isSameEdge(edge, edges[i + 1]))
  if (again !== undefined) return refused('duplicate_edge', keyOf(again))
  const ends = edges.flatMap(({ from, to }) => [from, to])
  return refused(
    'dangling_edge',
    ends.find((id) => !index.has(id)),
  )
}

const fieldsOf = (edge: GraphEdge): Fields => ({ ...edge })
