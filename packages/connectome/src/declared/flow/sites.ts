// SPDX-License-Identifier: Apache-2.0
import {
  kindAt,
  positionAt,
  reasonAt,
  requestAt,
  type SiteFact,
  type SiteKind,
  type SitePosition,
  type SiteReason,
  siteAt,
} from '../facts/module-facts.ts'
import type { ScopeFunction } from './values.ts'
import { withChanged } from './with-changed.ts'

/** What was found of one call site; a list that nothing was noted in is not there. */
export class Site {
  readonly module: number
  readonly facts: Int32Array
  readonly place: number
  /** Functions that it calls. */
  targets: ScopeFunction[] | undefined = undefined
  /** Functions that it hands to code outside, which is taken to call them. */
  callbacks: ScopeFunction[] | undefined = undefined
  /** Functions that a computed name may lead to. */
  computed: ScopeFunction[] | undefined = undefined
  /** Paths of the callees outside the scope, package first. */
  externals: string[] | undefined = undefined
  builtins: string[] | undefined = undefined
  /** Members called on a value of which nothing is known. */
  unknownMembers: string[] | undefined = undefined
  /** Whether the callee may be anything at all. */
  isUnknown = false
  /** Whether it calls a member of a known object that may hold anything. */
  isReplaced = false
  /** Whether a builtin may run functions that were handed out before. */
  isReentrant = false

  constructor(module: number, facts: Int32Array, place: number) {
    this.module = module
    this.facts = facts
    this.place = place
  }

  get position(): SitePosition {
    return positionAt(this.facts, this.place)
  }

  get fact(): SiteFact {
    return siteAt(this.facts, this.place)
  }

  get kind(): SiteKind {
    return kindAt(this.facts, this.place)
  }

  get reason(): SiteReason {
    return reasonAt(this.facts, this.place)
  }

  get request(): number {
    return requestAt(this.facts, this.place)
  }
}

/** Has every field of a site change that may, before an analysis makes any. */
export function prepareSites(): void {
  withChanged(new Site(-1, new Int32Array(0), -1), {
    targets: [],
    callbacks: [],
    computed: [],
    externals: [],
    builtins: [],
    unknownMembers: [],
    isUnknown: true,
    isReplaced: true,
    isReentrant: true,
  })
}

type FunctionList = 'targets' | 'callbacks' | 'computed'
type NameList = 'externals' | 'builtins' | 'unknownMembers'

/** Notes a function; answers whether it is new. */
export function noteFunction(site: Site, list: FunctionList, fn: ScopeFunction): boolean {
  const known = site[list]
  if (known === undefined) site[list] = [fn]
  else if (known.includes(fn)) return false
  else known.push(fn)
  return true
}

/** Notes a name; answers whether it is new. */
export function noteName(site: Site, list: NameList, name: string): boolean {
  const known = site[list]
  if (known === undefined) site[list] = [name]
  else if (known.includes(name)) return false
  else known.push(name)
  return true
}

/** Whether anything at all is known of where a site leads. */
export function hasOutcome(site: Site): boolean {
  return (
    site.isUnknown ||
    (site.targets ?? site.callbacks ?? site.computed) !== undefined ||
    (site.externals ?? site.builtins ?? site.unknownMembers) !== undefined
  )
}
