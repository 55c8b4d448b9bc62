// SPDX-License-Identifier: Apache-2.0
import type { SiteFact } from '../facts/module-facts.ts'
import type { ScopeFunction } from './values.ts'

/** What was found of one call site. */
export interface Site {
  readonly module: number
  readonly fact: SiteFact
  /** Functions that it calls. */
  readonly targets: Set<ScopeFunction>
  /** Functions that it hands to code outside, which is taken to call them. */
  readonly callbacks: Set<ScopeFunction>
  /** Functions that a computed name may lead to. */
  readonly computed: Set<ScopeFunction>
  /** Paths of the callees outside the scope, package first. */
  readonly externals: Set<string>
  readonly builtins: Set<string>
  /** Whether the callee may be anything at all. */
  isUnknown: boolean
  /** Whether a builtin may run functions that were handed out before. */
  isReentrant: boolean
  /** Members called on a value of which nothing is known. */
  readonly unknownMembers: Set<string>
}

export function createSite(module: number, fact: SiteFact): Site {
  return {
    ...{ module, fact, targets: new Set(), callbacks: new Set(), computed: new Set() },
    ...{ externals: new Set(), builtins: new Set(), unknownMembers: new Set() },
    isUnknown: false,
    isReentrant: false,
  }
}
