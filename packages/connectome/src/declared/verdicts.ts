// SPDX-License-Identifier: Apache-2.0
import { isPlatformName, packageOf } from './flow/builtin-names.ts'
import type { Flow } from './flow/calls.ts'
import { linkOf } from './flow/exports.ts'
import type { LinkedModule } from './flow/link.ts'
import type { Site } from './flow/sites.ts'
import type { ScopeFunction } from './flow/values.ts'

/** Why a call site is listed as not resolved. */
export const UNRESOLVED_REASONS = [
  'callback',
  'computed_member',
  'eval',
  'many_targets',
  'member',
  'no_value',
  'reentrant',
  'value',
] as const
export type UnresolvedReason = (typeof UNRESOLVED_REASONS)[number]

/** What became of a call site: exactly one of four. All have the same shape for the engine that runs this. */
export type Verdict = Reached &
  (
    | { readonly kind: 'edges' | 'external' | 'builtin'; readonly reason: undefined }
    /** `dynamic_import` has a list of its own. */
    | { readonly kind: 'unresolved'; readonly reason: UnresolvedReason | 'dynamic_import' }
  )

interface Reached {
  /** Functions that it reaches for certain; of one that is not resolved, among those that are not known. */
  readonly targets: readonly ScopeFunction[]
  /** Paths of the callees outside the scope; of one that is not resolved, none. */
  readonly callees: readonly string[]
}

/** What a graph has nodes for; packages and boundaries are judged by their modules. */
export type Grain = 'function' | 'module'

/** A site that may lead to more nodes of the graph than this says too little to draw edges from. */
const MOST_TARGETS = 4

/** As many functions as a module may have in a registry, by the mean. */
const MOST_OF_EACH = 2

const NONE: readonly ScopeFunction[] = []
const NO_NAMES: readonly string[] = []
const BUILTIN: Verdict = { kind: 'builtin', reason: undefined, targets: NONE, callees: NO_NAMES }

const unresolved = (
  reason: UnresolvedReason | 'dynamic_import',
  targets: readonly ScopeFunction[] = NONE,
): Verdict => ({ kind: 'unresolved', reason, targets, callees: NO_NAMES })

const external = (callees: readonly string[]): Verdict => ({
  kind: 'external',
  reason: undefined,
  targets: NONE,
  callees,
})

/** @param grain  what the graph has a node for, so that as many count as one */
export function judge(flow: Flow, module: LinkedModule, site: Site, grain: Grain): Verdict {
  const { reason: said, request } = site
  if (said === 'builtin') return BUILTIN
  if (said !== '') return unresolved(said)
  if (request >= 0) return judgeLoad(module, request)
  const isMany = countNodes(site.targets ?? NONE, grain) > MOST_TARGETS
  const isRegistry = isMany && callsRegistry(site)
  const reason = isMany && !isRegistry ? 'many_targets' : reasonOf(flow, site)
  // Whether a function that is handed over is called, only the callee that is not known could say.
  if (reason !== undefined) {
    const targets = isRegistry ? site.targets : isMany ? NONE : certainOf(site, reason, grain)
    return unresolved(reason, targets)
  }
  const targets = targetsOf(site)
  if (targets.length > 0) {
    return { kind: 'edges', reason: undefined, targets, callees: site.externals ?? NO_NAMES }
  }
  if (site.externals !== undefined) return external(site.externals)
  if (site.unknownMembers !== undefined) return external(NO_NAMES)
  if (site.builtins !== undefined) return BUILTIN
  return unresolved('no_value')
}

/**
 * Whether a call of many functions is one of a registry: so many modules have put one or two there to
 * be called from here that it is no accident of values that were mixed up. Where the member called may
 * have been replaced, each has to be of a module of its own.
 */
function callsRegistry(site: Site): boolean {
  const targets: readonly ScopeFunction[] = site.targets ?? NONE
  const modules = new Set(targets.map(({ module }) => module)).size
  const mostOfEach = site.isReplaced ? 1 : MOST_OF_EACH
  return modules > MOST_TARGETS && countNodes(targets, 'function') <= modules * mostOfEach
}

/** How many nodes these are in: what is nested in a function counts as that one. */
function countNodes(targets: readonly ScopeFunction[], grain: Grain): number {
  if (targets.length <= 1) return targets.length
  const nodeOf = NODE_OF[grain]
  return new Set(targets.map(nodeOf)).size
}

const NODE_OF = {
  function: ({ module, unit }: ScopeFunction): string => `${module} ${unit}`,
  module: ({ module }: ScopeFunction): string => `${module}`,
}

/**
 * The functions that a call of which not all is known is drawn to: all that a loop goes through, and one
 * that is the only one known. Of several, a value that is passed around may be any, and a member of what is
 * known in part is drawn to all where each is of a module of its own: those of one module are mostly forms
 * of one thing, of which the call has another. A member that may have been replaced is none for certain.
 */
function certainOf(site: Site, reason: UnresolvedReason, grain: Grain): readonly ScopeFunction[] {
  const targets = site.targets ?? NONE
  if (site.isReplaced) return NONE
  if (site.kind === 'each' || countNodes(targets, grain) <= 1) return targets
  const isValue =
    reason === 'value' || site.unknownMembers?.every((name) => OF_ANY_FUNCTION.has(name))
  const isSpread = countNodes(targets, 'module') === countNodes(targets, 'function')
  return isSpread && !isValue ? targets : NONE
}

function targetsOf(site: Site): readonly ScopeFunction[] {
  const targets: readonly ScopeFunction[] = site.targets ?? NONE
  const callbacks: readonly ScopeFunction[] = site.callbacks ?? NONE
  if (callbacks.length === 0) return targets
  return targets.length === 0 ? callbacks : [...new Set([...targets, ...callbacks])]
}

/** Loading a module is the platform's work: what the module then does are its own calls. */
function judgeLoad(module: LinkedModule, request: number): Verdict {
  const link = linkOf(module, request)
  return link.kind === 'external' ? external([link.name]) : BUILTIN
}

function reasonOf(flow: Flow, site: Site): UnresolvedReason | undefined {
  const { heap, trusted } = flow
  if (site.isUnknown) return 'value'
  if (site.computed !== undefined) return 'computed_member'
  for (const name of site.unknownMembers ?? []) if (isReachable(flow, name)) return 'member'
  if (site.isReentrant && heap.reachableFunctions > 0) return 'reentrant'
  for (const path of site.externals ?? []) {
    if (path.includes('()') && trusted.has(packageOf(path))) return 'callback'
  }
  return undefined
}

const OF_ANY_FUNCTION: ReadonlySet<string> = new Set(['call', 'apply'])

/** Whether code of the scope may stand under this name in an object that came from outside. */
function isReachable({ heap }: Flow, name: string): boolean {
  if (heap.reachableNames.has(name)) return true
  if (heap.reachableByAnyName && !isPlatformName(name)) return true
  return OF_ANY_FUNCTION.has(name) && heap.reachableFunctions > 0
}
