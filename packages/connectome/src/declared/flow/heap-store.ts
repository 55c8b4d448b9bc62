// SPDX-License-Identifier: Apache-2.0

import { addCopy, markNarrow, newVariable } from './network.ts'
import { createNetwork, type Network } from './network-store.ts'
import { addPair, createPairTable, getPair, type PairTable } from './pair-table.ts'
import {
  createValue,
  ELEMENT,
  type ScopeFunction,
  type Value,
  type ValueKind,
  type ValueOrigin,
} from './values.ts'
import type { Watcher } from './watcher.ts'
import { withChanged } from './with-changed.ts'

/** All values of a build, and what is known of each. */
export interface Heap {
  readonly net: Network
  readonly values: Value[]
  /** Names of members, by number and the other way round. */
  readonly names: string[]
  readonly nameNumbers: Map<string, number>
  /** The variables of members, by object and name. */
  readonly fields: PairTable
  /** Three numbers for each member from 3 on: its name, its variable, the next one of its object. */
  readonly fieldList: number[]
  /** What a member may be, prototypes included, by object and name. */
  readonly looked: PairTable
  readonly classes: Value[]
  readonly watchers: Watcher[]
  readonly builtins: Map<string, Value>
  readonly externals: Map<string, Value>
  readonly instances: Map<Value, Value>
  readonly prototypes: Map<Value, Value>
  /** Variables that hold one value each. */
  readonly selves: Map<Value, number>
  /** What a builtin made at a call site, by the site. */
  readonly made: Map<object, Value>
  /** Functions that stand in a member of an object, so that they are called on it. */
  readonly owned: Set<Value>
  readonly pools: Map<number, Pool>
  /** Names under which code outside may find a function of the scope. */
  readonly reachableNames: Set<string>
  /** Whether it may find one under a name that only running tells. */
  reachableByAnyName: boolean
  reachableFunctions: number
}

export function emptyHeap(words: number, handOver: (value: Value) => void): Heap {
  const values: Value[] = []
  const heap: Heap = {
    net: createNetwork(values, words, handOver),
    values,
    names: [],
    nameNumbers: new Map(),
    fields: createPairTable(words / 16),
    fieldList: [0, 0, 0],
    looked: createPairTable(words / 16),
    classes: [],
    watchers: [],
    builtins: new Map(),
    externals: new Map(),
    instances: new Map(),
    prototypes: new Map(),
    selves: new Map(),
    made: new Map(),
    owned: new Set(),
    pools: new Map(),
    reachableNames: new Set(),
    reachableByAnyName: true,
    reachableFunctions: -1,
  }
  return withChanged(heap, { reachableByAnyName: false, reachableFunctions: 0 })
}

/** The number of a name. */
export function numberOf({ names, nameNumbers }: Heap, name: string): number {
  const known = nameNumbers.get(name)
  if (known !== undefined) return known
  nameNumbers.set(name, names.length)
  return names.push(name) - 1
}

export const nameAt = ({ names }: Heap, number: number): string => names[number] ?? ''

/** The variable of an object's own member, or -1. */
export function knownField({ fields }: Heap, object: Value, name: number): number {
  return object.fieldCount === 0 ? -1 : getPair(fields, object.id, name)
}

export function addField(heap: Heap, object: Value, name: number, variable: number): void {
  const { fieldList } = heap
  const place = fieldList.length
  fieldList.push(name, variable, 0)
  if (object.lastField === 0) object.firstField = place
  else fieldList[object.lastField + 2] = place
  object.lastField = place
  object.fieldCount++
  addPair(heap.fields, object.id, name, variable)
}

/** Goes through an object's own members in the order they came, with those that come meanwhile. */
export function eachField(
  { fieldList }: Heap,
  object: Value,
  visit: (name: number, variable: number) => void,
): void {
  for (let at = object.firstField; at !== 0; at = fieldList[at + 2] ?? 0) {
    visit(fieldList[at] ?? 0, fieldList[at + 1] ?? 0)
  }
}

const NO_ORIGIN: ValueOrigin = {}

export function newValue(heap: Heap, kind: ValueKind, origin: ValueOrigin = NO_ORIGIN): Value {
  const value = createValue(heap.values.length, kind, origin)
  heap.values.push(value)
  if (kind === 'class') heap.classes.push(value)
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
  readonly functions: Set<ScopeFunction>
  /** Made when the first call comes: most names are never called on what is unknown. */
  variables: { readonly parameters: readonly number[]; readonly result: number } | undefined
}

const NO_VARIABLES = { parameters: [], result: -1 }
const POOLED_PARAMETERS = 4

function poolOf({ pools }: Heap, name: number): Pool {
  const known = pools.get(name)
  if (known !== undefined) return known
  const pool = withChanged<Pool>(
    { functions: new Set(), variables: NO_VARIABLES },
    { variables: undefined },
  )
  pools.set(name, pool)
  return pool
}

/** The variables of a pool for a call. */
export function calledPool(heap: Heap, name: number): NonNullable<Pool['variables']> {
  const pool = poolOf(heap, name)
  if (pool.variables !== undefined) return pool.variables
  const parameters: number[] = []
  for (let i = 0; i < POOLED_PARAMETERS; i++) parameters.push(newVariable(heap.net))
  pool.variables = { parameters, result: newVariable(heap.net) }
  for (const one of [...parameters, pool.variables.result]) markNarrow(heap.net, one)
  for (const fn of pool.functions) connect(heap, pool.variables, fn)
  return pool.variables
}

export function joinPool(heap: Heap, name: number, fn: ScopeFunction): void {
  const pool = poolOf(heap, name)
  if (pool.functions.has(fn)) return
  pool.functions.add(fn)
  if (pool.variables !== undefined) connect(heap, pool.variables, fn)
}

function connect(
  { net }: Heap,
  pool: NonNullable<Pool['variables']>,
  { parameters, result }: ScopeFunction,
): void {
  for (let place = 0; place < Math.min(pool.parameters.length, parameters.length); place++) {
    const to = parameters[place] ?? -1
    if (to >= 0) addCopy(net, pool.parameters[place] ?? -1, to)
  }
  addCopy(net, result, pool.result)
}

export function noteReachable(heap: Heap, owner: Value, number: number): void {
  const name = nameAt(heap, number)
  if (name !== ELEMENT) heap.reachableNames.add(name)
  else if (owner.kind !== 'list') heap.reachableByAnyName = true
}
