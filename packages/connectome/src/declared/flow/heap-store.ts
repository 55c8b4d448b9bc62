// SPDX-License-Identifier: Apache-2.0
import { addCopy, type Network, newVariable } from './network.ts'
import {
  ELEMENT,
  NO_ACCESSORS,
  NO_FIELDS,
  type ScopeClass,
  type ScopeFunction,
  type Value,
  type ValueKind,
} from './values.ts'

/** All values of a build, and what is known of each. */
export interface Heap {
  readonly net: Network
  readonly values: Value[]
  readonly builtins: Map<string, Value>
  readonly externals: Map<string, Value>
  readonly instances: Map<Value, Value>
  readonly prototypes: Map<Value, Value>
  /** What a builtin made at a call site, by the site. */
  readonly made: Map<object, Value>
  /** Functions that stand in a member of an object, so that they are called on it. */
  readonly owned: Set<Value>
  readonly pools: Map<string, Pool>
  /** Names under which code outside may find a function of the scope. */
  readonly reachableNames: Set<string>
  /** Whether it may find one under a name that only running tells. */
  reachableByAnyName: boolean
  reachableFunctions: number
}

export function newValue(
  heap: Heap,
  kind: ValueKind,
  about: { fn?: ScopeFunction; cls?: ScopeClass; name?: string; of?: Value } = {},
): Value {
  const value: Value = {
    id: heap.values.length,
    kind,
    fn: about.fn,
    cls: about.cls,
    name: about.name ?? '',
    of: about.of,
    fields: NO_FIELDS,

    looked: NO_FIELDS,
    getters: NO_ACCESSORS,
    setters: NO_ACCESSORS,
    proto: -1,
    every: -1,
    isEscaped: false,
    isShown: false,
  }
  heap.values.push(value)
  return value
}

export function builtin(heap: Heap, name: string): Value {
  const known = heap.builtins.get(name)
  if (known !== undefined) return known
  const made = newValue(heap, 'builtin', { name })
  heap.builtins.set(name, made)
  return made
}

/** A value of a package outside the scope, by the package and the member's path. */
export function external(heap: Heap, name: string): Value {
  const known = heap.externals.get(name)
  if (known !== undefined) return known
  const made = newValue(heap, 'external', { name })
  heap.externals.set(name, made)
  return made
}

/**
 * The meeting place of calls of a member on unknown values and of the functions that code outside may
 * find under that name: arguments and results pass, though no call is certain to reach any of them.
 */
export interface Pool {
  readonly parameters: number[]
  readonly result: number
}

const POOLED_PARAMETERS = 4

export function poolOf(heap: Heap, name: string): Pool {
  const known = heap.pools.get(name)
  if (known !== undefined) return known
  const parameters: number[] = []
  for (let i = 0; i < POOLED_PARAMETERS; i++) parameters.push(newVariable(heap.net))
  const pool = { parameters, result: newVariable(heap.net) }
  heap.pools.set(name, pool)
  return pool
}

export function joinPool(heap: Heap, name: string, { parameters, result }: ScopeFunction): void {
  const pool = poolOf(heap, name)
  pool.parameters.forEach((from, place) => {
    const to = parameters[place]
    if (to !== undefined) addCopy(heap.net, from, to)
  })
  addCopy(heap.net, result, pool.result)
}

export function noteReachable(heap: Heap, owner: Value, name: string): void {
  if (name !== ELEMENT) heap.reachableNames.add(name)
  else if (owner.kind !== 'list') heap.reachableByAnyName = true
}
