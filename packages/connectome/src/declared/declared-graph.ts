// SPDX-License-Identifier: Apache-2.0
import { ConnectomeError } from '../error.ts'
import { createGraph } from '../graph/create-graph.ts'
import type { EdgeInput } from '../graph/edge.ts'
import { invokeEdge, readEdge } from '../graph/edge-kinds.ts'
import type { Graph } from '../graph/graph.ts'
import type { GraphNode } from '../graph/node.ts'
import {
  boundaryNode,
  functionNode,
  moduleNode,
  promptNode,
  resourceNode,
  serverNode,
  toolNode,
} from '../graph/node-kinds.ts'
import type { AnalysedScope } from './analyse-scope.ts'
import { type DeclaredBound, sortNames, sortPlaces, type UngroupedCall } from './bound.ts'
import { type Boundaries, type Boundary, groupModules } from './boundaries.ts'
import type { CatalogEntries } from './catalog.ts'
import type { FoundCalls } from './edges.ts'
import type { UnitRef } from './flow/link.ts'
import type { CheckedOptions } from './options.ts'
import { refuse } from './refuse.ts'
import { findHandlers } from './tools.ts'

/** A graph being collected: nodes and edges by what identifies them. */
interface Draft {
  readonly server: string
  readonly nodes: Map<string, GraphNode>
  readonly edges: Map<GraphNode, Record<'invoke' | 'read', Map<GraphNode, EdgeInput>>>
}

export interface DraftedGraph {
  readonly graph: Graph
  readonly bound: Pick<
    DeclaredBound,
    'unreadable_catalog_entries' | 'tools_without_module' | 'ungrouped_modules' | 'ungrouped_calls'
  >
  readonly usesHandlers: boolean
}

/** Where code stands in the graph of the level that is asked for; `undefined` where it has no place. */
type PlaceCode = (unit: UnitRef) => GraphNode | undefined

export function draftGraph(
  scope: AnalysedScope,
  calls: FoundCalls,
  entries: CatalogEntries | undefined,
  options: CheckedOptions,
): DraftedGraph {
  const { server, level } = options
  const draft: Draft = { server, nodes: new Map(), edges: new Map() }
  const root = addNode(draft, serverNode(server))
  const boundaries = groupModules(scope, options.boundaries)
  const place = placeFor(server, level, boundaries)
  for (const module of scope.modules) {
    for (const unit of module.units) {
      const node = place(unit)
      if (node !== undefined) addNode(draft, node)
    }
  }
  const handlers = findHandlers(scope)
  const tools = addEntries(draft, root, entries, options, implementers)
  addCalls(draft, calls, place, level)
  const isGrouped = level === 'boundary'
  return {
    graph: finish(draft),
    usesHandlers: tools.usesHandlers,
    bound: {
      unreadable_catalog_entries: tools.unreadable,
      tools_without_module: sortNames(tools.unplaced).map((tool) => Object.freeze({ tool })),
      ungrouped_modules: isGrouped ? boundaries.ungrouped : [],
      ungrouped_calls: isGrouped ? ungroupedCalls(calls, boundaries) : [],
    },
  }

  function implementers(name: string): Implementers {
    const module = options.toolModules.get(name)
    if (module !== undefined) {
      const isKnown = scope.modules.some(({ source }) => source.id === module)
      const node = isKnown && level !== 'mfa' ? place({ module, name: '', arity: 0 }) : undefined
      return { nodes: node === undefined ? [] : [node], isHandler: false }
    }
    const units = handlers.get(name) ?? []
    const nodes = units.map(place).filter((node) => node !== undefined)
    return { nodes, isHandler: nodes.length > 0 }
  }
}

function addNode({ nodes }: Draft, node: GraphNode): GraphNode {
  const known = nodes.get(node.id)
  if (known !== undefined) return known
  nodes.set(node.id, node)
  return node
}

function addEdge({ edges }: Draft, from: GraphNode, to: GraphNode, kind: 'invoke' | 'read'): void {
  const known = edges.get(from) ?? { invoke: new Map(), read: new Map() }
  if (known[kind].has(to)) return
  edges.set(from, known)
  const ends = { from: from.id, to: to.id, provenance: 'declared' } as const
  known[kind].set(to, kind === 'invoke' ? invokeEdge(ends) : readEdge(ends))
}

function boundaryOf(server: string, { source, name }: Boundary): GraphNode {
  return boundaryNode(server, { source, name })
}

/** A static and an instance member of one name and arity are two units and one node. */
function placeFunctions(server: string): PlaceCode {
  const byUnit = new Map<UnitRef, GraphNode>()
  const byName = new Map<string, GraphNode>()
  return (unit) => {
    const known = byUnit.get(unit)
    if (known !== undefined) return known
    const key = `${unit.module}\n${unit.name}\n${unit.arity}`
    const node = byName.get(key) ?? functionNode(server, unit)
    byUnit.set(unit, node)
    byName.set(key, node)
    return node
  }
}

function placeFor(
  server: string,
  level: CheckedOptions['level'],
  boundaries: Boundaries,
): PlaceCode {
  const made = new Map<string, GraphNode>()
  const once = (key: string, make: () => GraphNode): GraphNode => {
    const known = made.get(key)
    if (known !== undefined) return known
    const node = make()
    made.set(key, node)
    return node
  }
  if (level === 'module') return ({ module }) => once(module, () => moduleNode(server, module))
  if (level === 'mfa') return placeFunctions(server)
  return ({ module }) => {
    const boundary = boundaries.of.get(module)
    if (boundary === undefined) return undefined
    return once(`${boundary.source}\n${boundary.name}`, () => boundaryOf(server, boundary))
  }
}

/** The nodes of what implements a tool, and whether its handler was found in the source. */
interface Implementers {
  readonly nodes: readonly GraphNode[]
  readonly isHandler: boolean
}

interface AddedEntries {
  readonly unplaced: string[]
  readonly unreadable: DeclaredBound['unreadable_catalog_entries']
  usesHandlers: boolean
}

function addEntries(
  draft: Draft,
  root: GraphNode,
  entries: CatalogEntries | undefined,
  { withReads }: CheckedOptions,
  implementers: (name: string) => Implementers,
): AddedEntries {
  const { server } = draft
  const { tools = [], resources = [], templates = [], prompts = [] } = entries ?? {}
  const unreadable = withReads
    ? []
    : sortNames(templates).map((name) =>
        Object.freeze({ kind: 'resource_template', name } as const),
      )
  const added: AddedEntries = { unplaced: [], unreadable, usesHandlers: false }
  for (const { name, commandClass, mode } of tools) {
    const labels = {
      ...(commandClass === undefined ? {} : { command_class: commandClass }),
      ...(mode === undefined ? {} : { mode }),
    }
    const tool = addNode(draft, toolNode(server, name, { labels }))
    addEdge(draft, root, tool, 'invoke')
    const { nodes, isHandler } = implementers(name)
    if (isHandler) added.usesHandlers = true
    if (nodes.length === 0) added.unplaced.push(name)
    for (const node of nodes) addEdge(draft, tool, addNode(draft, node), 'invoke')
  }
  const readable = [...resources, ...(withReads ? templates : [])]
  const nodes = [
    ...readable.map((uri) => resourceNode(server, uri)),
    ...prompts.map((name) => promptNode(server, name)),
  ]
  for (const node of nodes) {
    addNode(draft, node)
    if (withReads) addEdge(draft, root, node, 'read')
  }
  return added
}

function addCalls(
  draft: Draft,
  { edges, packageCalls }: FoundCalls,
  place: PlaceCode,
  level: CheckedOptions['level'],
): void {
  for (const { from, to } of edges) {
    const [source, target] = [place(from), place(to)]
    if (source === undefined || target === undefined) continue
    if (level !== 'mfa' && source.id === target.id) continue
    addEdge(draft, source, target, 'invoke')
  }
  if (level !== 'boundary') return
  for (const { from, packageName } of packageCalls) {
    const source = place(from)
    if (source === undefined) continue
    const name = { source: 'application', name: packageName } as const
    addEdge(draft, source, addNode(draft, boundaryNode(draft.server, name)), 'invoke')
  }
}

function ungroupedCalls({ edges }: FoundCalls, { of }: Boundaries): readonly UngroupedCall[] {
  return sortPlaces(
    edges
      .filter(
        ({ from, to }) => of.get(from.module) === undefined || of.get(to.module) === undefined,
      )
      .map(({ to, place }) => ({ ...place, to: to.module })),
  )
}

function edgesIn(edges: Draft['edges']): readonly EdgeInput[] {
  return [...edges.values()].flatMap(({ invoke, read }) => [...invoke.values(), ...read.values()])
}

function finish({ nodes, edges }: Draft): Graph {
  try {
    return createGraph({ nodes: [...nodes.values()], edges: edgesIn(edges) })
  } catch (error) {
    if (error instanceof ConnectomeError) return refuse('graph', error.reason)
    throw error
  }
}
