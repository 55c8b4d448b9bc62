// SPDX-License-Identifier: Apache-2.0
import type { Graph } from '../graph/graph.ts'
import { type AnalysedScope, analyseScope } from './analyse-scope.ts'
import { type DeclaredBound, type MissingSource, sortNames, sortPlaces } from './bound.ts'
import { type CatalogEntries, readCatalog } from './catalog.ts'
import { draftGraph } from './declared-graph.ts'
import { findCalls } from './edges.ts'
import { type CheckedOptions, type DeclaredOptions, readOptions } from './options.ts'

/** What a system can do, and what the build could not see of it. Frozen. */
export interface Declared {
  readonly graph: Graph
  readonly bound: DeclaredBound
}

/**
 * Builds the graph of what a system can do: its server, the entries of its catalog, and the calls
 * between modules, functions or boundaries that its source shows. Nothing runs but
 * `catalog.capabilities()`; files are read and nothing else.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_DECLARED` with, in this order: `['invalid', 'opts', given]`,
 * `['unknown_key', key]`, `['missing' | 'invalid', 'server']`, `['invalid', 'level', given]`,
 * `['unsupported', 'boundaries', 'reflect']`, `['invalid', 'boundaries', given]`, the scope's
 * refusals, `['invalid', 'catalog', reason]`, `['unavailable', package]`, `['unknown_manifest', path]`,
 * `['unknown_entry', path]`, `['graph', reason]`
 * @see docs/connectome-declared.md
 */
export async function buildDeclared(options: DeclaredOptions): Promise<Declared> {
  const checked = readOptions(options)
  const { catalog } = checked
  const entries = catalog === undefined ? undefined : await readCatalog(catalog)
  const scope = await analyseScope(checked.scope)
  const calls = findCalls(scope, checked.allowlist, checked.level === 'mfa' ? 'function' : 'module')
  const { graph, bound, usesHandlers } = draftGraph(scope, calls, entries, checked)
  return Object.freeze({
    graph,
    bound: freezeLists({
      ...calls.bound,
      modules_without_source: missingSources(scope),
      unparsed_modules: sortPlaces(scope.gathered.unparsed.map((one) => ({ ...one }))),
      ...bound,
      sources_used: sourcesUsed(checked, entries, usesHandlers),
    }),
  })
}

function missingSources({ modules }: AnalysedScope): readonly MissingSource[] {
  const found: MissingSource[] = []
  for (const { source } of modules) {
    source.facts.requests.forEach(({ specifier, kind, line, column }, place) => {
      if (source.links[place]?.kind !== 'missing' || kind === 'type') return
      found.push({ module: source.id, line, column, specifier })
    })
  }
  return sortPlaces(found)
}

function sourcesUsed(
  { level, boundaries, toolModules }: CheckedOptions,
  entries: CatalogEntries | undefined,
  usesHandlers: boolean,
): readonly string[] {
  const used = ['source']
  if (entries !== undefined) used.push('catalog')
  if (usesHandlers) used.push('define_tool')
  if (toolModules.size > 0) used.push('tool_modules')
  if (level === 'boundary') used.push(boundaries === undefined ? 'application' : 'boundary_map')
  return sortNames(used)
}

function freezeLists(bound: DeclaredBound): DeclaredBound {
  for (const list of Object.values(bound)) Object.freeze(list)
  return Object.freeze(bound)
}
