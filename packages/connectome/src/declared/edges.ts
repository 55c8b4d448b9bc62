// SPDX-License-Identifier: Apache-2.0
import type { AnalysedScope } from './analyse-scope.ts'
import type { CallPlace, DeclaredBound, ExternalCall, UnresolvedCall } from './bound.ts'
import { sortPlaces } from './bound.ts'
import type { LinkedModule, UnitRef } from './flow/link.ts'
import type { Site } from './flow/sites.ts'
import type { ScopeFunction } from './flow/values.ts'
import { type Grain, judge, type Verdict } from './verdicts.ts'

/** A call from one function of the graph to another, and where it stands. */
export interface CallEdge {
  readonly from: UnitRef
  readonly to: UnitRef
  readonly place: CallPlace
}

/** A call from a function of the graph into a package. */
export interface PackageCall {
  readonly from: UnitRef
  readonly packageName: string
  readonly place: CallPlace
}

export interface FoundCalls {
  readonly edges: readonly CallEdge[]
  readonly packageCalls: readonly PackageCall[]
  readonly bound: Pick<
    DeclaredBound,
    'unresolved_calls' | 'allowlisted_calls' | 'external_callees' | 'dynamic_imports'
  >
}

interface Lists {
  readonly edges: CallEdge[]
  readonly packageCalls: PackageCall[]
  readonly unresolved: UnresolvedCall[]
  readonly allowlisted: UnresolvedCall[]
  readonly external: ExternalCall[]
  readonly dynamic: CallPlace[]
}

/** Judges every call site of a scope once; each ends in exactly one list, or is the platform's own. */
export function findCalls(
  scope: AnalysedScope,
  allowlist: ReadonlySet<string>,
  grain: Grain,
): FoundCalls {
  const lists: Lists = {
    ...{ edges: [], packageCalls: [], unresolved: [], allowlisted: [], external: [], dynamic: [] },
  }
  for (const module of scope.modules) {
    for (const site of module.sites) {
      sortOut(scope, module, site, judge(scope.flow, module, site, grain), lists, allowlist)
    }
  }
  return {
    edges: lists.edges,
    packageCalls: lists.packageCalls,
    bound: {
      unresolved_calls: sortPlaces(lists.unresolved),
      allowlisted_calls: sortPlaces(lists.allowlisted),
      external_callees: sortPlaces(lists.external),
      dynamic_imports: sortPlaces(lists.dynamic),
    },
  }
}

export function unitOfFunction(
  { modules }: AnalysedScope,
  { module, unit }: ScopeFunction,
): UnitRef | undefined {
  return modules[module]?.units[unit]
}

function sortOut(
  scope: AnalysedScope,
  module: LinkedModule,
  site: Site,
  verdict: Verdict,
  lists: Lists,
  allowlist: ReadonlySet<string>,
): void {
  if (verdict.kind === 'builtin' && !isOfPlatformModule(site)) return
  const { unit, line, column } = site.position
  const from = module.units[unit]
  if (from === undefined) return
  const place: CallPlace = { module: from.module, function: from.name, line, column }
  switch (verdict.kind) {
    case 'edges':
      addEdges(scope, lists, from, verdict.targets, place)
      addPackages(lists, from, verdict.callees, place)
      return addPlatform(lists, site, place)
    case 'unresolved': {
      addEdges(scope, lists, from, verdict.targets, place)
      if (verdict.reason === 'dynamic_import') {
        lists.dynamic.push(place)
        return
      }
      const isVouched = allowlist.has(from.module) || allowlist.has(`${from.module}#${from.name}`)
      const list = isVouched ? lists.allowlisted : lists.unresolved
      list.push({ module: from.module, function: from.name, line, column, reason: verdict.reason })
      return
    }
    case 'external':
      return addPackages(lists, from, verdict.callees.length > 0 ? verdict.callees : [''], place)
    case 'builtin':
      return addPlatform(lists, site, place)
  }
}

function addPackages(
  { external, packageCalls }: Lists,
  from: UnitRef,
  callees: readonly string[],
  place: CallPlace,
): void {
  for (const path of callees) {
    const [name, callee] = splitPath(path)
    external.push(externalAt(place, name, callee))
    if (name !== '') packageCalls.push({ from, packageName: name, place })
  }
}

function addPlatform({ external }: Lists, { builtins = [] }: Site, place: CallPlace): void {
  for (const path of builtins) {
    if (!path.startsWith('node:')) continue
    const [name, callee] = splitPath(path, '.')
    external.push(externalAt(place, name, callee))
  }
}

/** Member by member: of these there are ten thousands, and the engine is slower at spreading. */
function externalAt(place: CallPlace, name: string, callee: string): ExternalCall {
  const { module, function: within, line, column } = place
  return { module, function: within, line, column, package: name, callee }
}

function addEdges(
  scope: AnalysedScope,
  { edges }: Lists,
  from: UnitRef,
  targets: readonly ScopeFunction[],
  place: CallPlace,
): void {
  for (const target of targets) {
    const to = unitOfFunction(scope, target)
    if (to !== undefined) edges.push({ from, to, place })
  }
}

function isOfPlatformModule({ builtins = [] }: Site): boolean {
  for (const path of builtins) if (path.startsWith('node:')) return true
  return false
}

/** The package or the platform's module of a path, and the member within it. */
function splitPath(path: string, separator = ' '): readonly [name: string, callee: string] {
  const end = path.indexOf(separator)
  return end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end + 1)]
}
