// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import { compareCodePoints } from './code-points.ts'
import {
  type Columns,
  type Compact,
  compactOf,
  orderColumns,
  permuteColumns,
  STRAY,
} from './compact.ts'
import type { GraphEdge } from './edge.ts'
import type { GraphNode } from './node.ts'
import { isPlainObject, unknownKey } from './plain-object.ts'
import { type EdgeTable, makeEdges, type NodeIndex, readEdges } from './read-edges.ts'
import { readNode } from './read-node.ts'
import { at } from './sort-edges.ts'
import { EDGE_KINDS, PROVENANCES, type SchemaVersion } from './vocabulary.ts'

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
  const table = readEdges(edges, known)
  if (!table.ok) return table
  const twin = nodeList.nodes.find(({ id }, i) => nodeList.nodes[i + 1]?.id === id)
  if (twin !== undefined) return refused('duplicate_node', twin.id)
  const arranged = arrange(table, known, edges)
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

function arrange(table: EdgeTable, nodes: NodeIndex, given: readonly Fields[]): Arranged | Refused {
  const { ids, index } = nodes
  const { columns } = table
  if (columns.from.includes(STRAY) || columns.to.includes(STRAY)) return strayFault(given, nodes)
  const order = orderColumns(columns, ids.length)
  const sorted = permuteColumns(columns, order)
  const twice = repeatedKey(sorted, ids)
  if (twice !== undefined) return refused('duplicate_edge', twice)
  const edges = makeEdges(table, order, ids)
  return { ok: true, edges, compact: compactOf(ids, index, sorted) }
}

/** The first key that two neighbours of sorted edges share. */
function repeatedKey(
  { from, to, kind, provenance }: Columns,
  ids: readonly string[],
): Reason | undefined {
  for (let i = 1; i < from.length; i++) {
    if (from[i] !== from[i - 1] || to[i] !== to[i - 1]) continue
    if (kind[i] !== kind[i - 1] || provenance[i] !== provenance[i - 1]) continue
    const ends = [ids[at(from, i)], ids[at(to, i)]]
    return [...ends, EDGE_KINDS[at(kind, i)], PROVENANCES[at(provenance, i)]]
  }
  return undefined
}

/** Some endpoint has no node: a repeated edge is named before the first such endpoint. */
function strayFault(given: readonly Fields[], { ids, index }: NodeIndex): Refused {
  const all = new Set<unknown>(ids)
  for (const { from, to } of given) all.add(from).add(to)
  const every = [...all].filter((id) => typeof id === 'string').sort(compareCodePoints)
  const table = readEdges(given, indexOf(every))
  if (!table.ok) return table
  const sorted = permuteColumns(table.columns, orderColumns(table.columns, every.length))
  const twice = repeatedKey(sorted, every)
  if (twice !== undefined) return refused('duplicate_edge', twice)
  const isStray = (place: number): boolean => !index.has(every[place] ?? '')
  const edge = sorted.from.findIndex((from, i) => isStray(from) || isStray(at(sorted.to, i)))
  const from = at(sorted.from, edge)
  return refused('dangling_edge', every[isStray(from) ? from : at(sorted.to, edge)])
}
