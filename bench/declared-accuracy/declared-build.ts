// SPDX-License-Identifier: Apache-2.0
import {
  type AnalysedScope,
  analyseScope,
} from '../../packages/connectome/src/declared/analyse-scope.ts'
import { buildDeclared } from '../../packages/connectome/src/declared/build-declared.ts'
import { type Grain, judge } from '../../packages/connectome/src/declared/verdicts.ts'
import { nodeId } from '../../packages/connectome/src/graph/node-id.ts'
import { type Declared, pairKey, type Verdict } from './compare.ts'
import { unitKey } from './naming.ts'
import type { Subject } from './subjects.ts'

type BuiltModule = AnalysedScope['modules'][number]
type BuiltSite = BuiltModule['sites'][number]
type Named = Pick<Subject, 'entries' | 'roots'>
interface Place {
  readonly module: number
  readonly unit: number
}

const SERVER = 'accuracy'

/**
 * What `buildDeclared` says of a subject. Edges are its graphs'. Which of the functions that a site
 * leads to are called there and which are handed on is more than they say, so the verdicts behind
 * them are asked as well.
 *
 * @throws Error where the verdicts list other places than the bound does
 */
export async function declareByBuild({ entries, roots }: Named): Promise<Declared> {
  const scope = { entries, packages: roots.map(({ name }) => name) }
  const built = await analyseScope(scope)
  const names = createNames(built)
  const { bound, graph } = await buildDeclared({ server: SERVER, scope, level: 'mfa' })
  const modules = await buildDeclared({ server: SERVER, scope, level: 'module' })
  const [verdicts, moduleVerdicts] = [new Map<string, Verdict>(), new Map<string, Verdict>()]
  const moduleOf = ({ module: place }: Place): string => built.modules[place]?.source.id ?? ''
  // Calls of one chain begin at one place, which the bound has once.
  const listed = new Set<string>()
  for (const module of built.modules) {
    for (const site of module.sites) {
      const verdict = verdictOn(built, module, site, 'function', names.of)
      const key = spanKey(module.source.id, site.fact)
      verdicts.set(key, verdict)
      moduleVerdicts.set(key, verdictOn(built, module, site, 'module', moduleOf))
      if (verdict.isListed) listed.add(lineKey({ module: module.source.id, ...site.fact }))
    }
  }
  const told = new Set([...bound.unresolved_calls, ...bound.dynamic_imports].map(lineKey))
  if (told.size !== listed.size || [...listed].some((place) => !told.has(place))) {
    throw new Error(`the verdicts list ${listed.size} places, the bound ${told.size}`)
  }
  return {
    functionEdges: edgesOf(graph.edges, names.functions),
    moduleEdges: edgesOf(modules.graph.edges, names.modules),
    verdictOf: (site) => verdicts.get(spanKey(site.module, site)),
    moduleVerdictOf: (site) => moduleVerdicts.get(spanKey(site.module, site)),
  }
}

interface Names {
  readonly of: (place: Place) => string
  /** Names by the ids of nodes. */
  readonly functions: ReadonlyMap<string, string>
  readonly modules: ReadonlyMap<string, string>
}

function createNames({ modules: built }: AnalysedScope): Names {
  const [functions, modules] = [new Map<string, string>(), new Map<string, string>()]
  for (const { source } of built) {
    const { id: module, facts } = source
    modules.set(nodeId({ kind: 'module', server: SERVER, module }), module)
    for (const { name, arity } of facts.units) {
      const id = nodeId({ kind: 'module', server: SERVER, module, function: name, arity })
      functions.set(id, unitKey({ module, name, arity }))
    }
  }
  const of = ({ module, unit }: Place): string => {
    const source = built[module]?.source
    const { name = '', arity = 0 } = source?.facts.units[unit] ?? {}
    return unitKey({ module: source?.id ?? '', name, arity })
  }
  return { of, functions, modules }
}

type Edges = readonly { readonly from: string; readonly to: string }[]

function edgesOf(edges: Edges, names: ReadonlyMap<string, string>): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const edge of edges) {
    const [from, to] = [names.get(edge.from), names.get(edge.to)]
    if (from !== undefined && to !== undefined) keys.add(pairKey(from, to))
  }
  return keys
}

function lineKey({
  module,
  line,
  column,
}: {
  module: string
  line: number
  column: number
}): string {
  return `${module}:${line}:${column}`
}

function spanKey(module: string, { start, end }: { start: number; end: number }): string {
  return `${module} ${start} ${end}`
}

function verdictOn(
  { flow }: AnalysedScope,
  module: BuiltModule,
  site: BuiltSite,
  grain: Grain,
  nameOf: Names['of'],
): Verdict {
  const verdict = judge(flow, module, site, grain)
  const targets: readonly Place[] = 'targets' in verdict ? verdict.targets : []
  const called = new Set<Place>(site.targets)
  const calls = unique(targets.filter((target) => called.has(target)).map(nameOf))
  // What a built-in calls that it was handed is among the targets.
  const isOutside = site.builtins !== undefined || site.externals !== undefined
  return {
    isListed: verdict.kind === 'unresolved',
    reason: verdict.kind === 'unresolved' ? verdict.reason : verdict.kind,
    calls: isOutside ? [] : calls,
    mayCall: isOutside ? calls : [],
    passes: unique(targets.filter((target) => !called.has(target)).map(nameOf)),
  }
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]
