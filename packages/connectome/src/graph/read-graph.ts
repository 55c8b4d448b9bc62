// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import { compareCodePoints } from './code-points.ts'
import type { GraphEdge } from './edge.ts'
import type { GraphNode } from './node.ts'
import { isPlainObject, unknownKey } from './plain-object.ts'
import { readEdge } from './read-edge.ts'
import { readNode } from './read-node.ts'
import { at, sortEdges } from './sort-edges.ts'
import { codeOf, EDGE_KINDS, PROVENANCES, type SchemaVersion } from './vocabulary.ts'

/** What a value says, checked and in canonical order. */
export interface GraphParts {
  readonly ok: true
  readonly schemaVersion: SchemaVersion
  readonly nodes: GraphNode[]
  readonly edges: GraphEdge[]
  readonly index: ReadonlyMap<string, number>
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
  const complete = given.every((edge) => index.has(edge.from) && index.has(edge.to))
  const edges = inOrder(given, complete ? index : indexWithStrays(index, given))
  const again = edges.find((edge, i) => isSameEdge(edge, edges[i + 1]))
  if (again !== undefined) return refused('duplicate_edge', keyOf(again))
  const stray = complete ? undefined : firstStray(edges, index)
  if (stray !== undefined) return refused('dangling_edge', stray)
  return { ok: true, schemaVersion, nodes, edges, index }
}

function indexOf(ids: readonly string[]): Index {
  const index = new Map<string, number>()
  for (const [i, id] of ids.entries()) index.set(id, i)
  return index
}

/** An index that also places the endpoints no node has, so that their edges can be ordered. */
function indexWithStrays(index: Index, edges: readonly GraphEdge[]): Index {
  const ids = new Set(index.keys())
  for (const edge of edges) ids.add(edge.from).add(edge.to)
  return indexOf([...ids].sort(compareCodePoints))
}

function inOrder(edges: readonly GraphEdge[], index: Index): GraphEdge[] {
  const from = new Int32Array(edges.length)
  const to = new Int32Array(edges.length)
  const code = new Uint8Array(edges.length)
  for (const [i, edge] of edges.entries()) {
    from[i] = index.get(edge.from) ?? 0
    to[i] = index.get(edge.to) ?? 0
    code[i] = codeOf(EDGE_KINDS, edge.kind) * 2 + codeOf(PROVENANCES, edge.provenance)
  }
  const order = sortEdges({ nodes: index.size, from, to, code })
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

function firstStray(edges: readonly GraphEdge[], index: Index): string | undefined {
  for (const { from, to } of edges) {
    if (!index.has(from)) return from
    if (!index.has(to)) return to
  }
  return undefined
}
