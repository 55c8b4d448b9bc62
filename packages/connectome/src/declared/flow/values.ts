// SPDX-License-Identifier: Apache-2.0
import type { ClassFact, FunctionFact } from '../facts/module-facts.ts'
import { withChanged } from './with-changed.ts'

/** A function of the scope, its variables numbered across all modules. */
export interface ScopeFunction {
  readonly module: number
  readonly packageName: string
  readonly unit: number
  readonly fact: FunctionFact
  /** The variables of what it is called with, or -1 for one that it never reads. */
  readonly parameters: readonly number[]
  /** The variables of what stands in the rest parameter's list and in `arguments`, or -1. */
  readonly rest: number
  readonly all: number
  /** The variable of `this`, or -1 where it never reads it. */
  readonly self: number
  readonly result: number
}

export interface ScopeClass {
  readonly module: number
  readonly fact: ClassFact
  readonly base: number
  readonly maker: ScopeFunction | undefined
  readonly fields: ScopeFunction | undefined
  readonly instance: number
}

export type ValueKind =
  | 'function'
  | 'class'
  | 'object'
  | 'list'
  | 'promise'
  | 'instance'
  | 'prototype'
  | 'space'
  | 'external'
  | 'builtin'
  | 'symbol'

/**
 * Something a variable may hold. One stands for everything made at one place of the source: each
 * object literal, each function, all instances of one class.
 */
export interface Value {
  readonly id: number
  readonly kind: ValueKind
  readonly fn: ScopeFunction | undefined
  readonly cls: ScopeClass | undefined
  /** Of an external value the package, of a builtin its path (`JSON.parse`, `#map`, `node:fs.readFile`). */
  readonly name: string
  /** Of an instance or a prototype the class or function; of a bound function what is bound. */
  readonly of: Value | undefined
  /** The first and the last of its members in the heap's list, or 0, and how many there are. */
  firstField: number
  lastField: number
  fieldCount: number
  getters: ReadonlyMap<string, ScopeFunction>
  setters: ReadonlyMap<string, ScopeFunction>
  /** The variable of what this inherits from, or -1. */
  proto: number
  /** The variable of all members, for reads by a computed name, or -1. */
  every: number
  isEscaped: boolean
  /** Whether its members are within reach of code outside, though it is called on its owner alone. */
  isShown: boolean
}

/** The one place that makes functions, so that all have the same shape for the engine that runs this. */
export function createFunction(
  module: number,
  packageName: string,
  fact: FunctionFact,
  parameters: readonly number[],
  { rest, all, self, result }: Pick<ScopeFunction, 'rest' | 'all' | 'self' | 'result'>,
): ScopeFunction {
  return { module, packageName, unit: fact.unit, fact, parameters, rest, all, self, result }
}

/** The same for values. */
export function createValue(
  id: number,
  kind: ValueKind,
  { fn, cls, name = '', of }: ValueOrigin,
): Value {
  return {
    id,
    kind,
    fn,
    cls,
    name,
    of,
    firstField: 0,
    lastField: 0,
    fieldCount: 0,
    getters: NO_ACCESSORS,
    setters: NO_ACCESSORS,
    proto: -1,
    every: -1,
    isEscaped: false,
    isShown: false,
  }
}

export interface ValueOrigin {
  readonly fn?: ScopeFunction | undefined
  readonly cls?: ScopeClass | undefined
  readonly name?: string | undefined
  readonly of?: Value | undefined
}

export const ELEMENT = '[]'

/** Most values have no accessors, and share what is empty until they have one. */
export const NO_ACCESSORS: ReadonlyMap<string, ScopeFunction> = new Map()

export function setAccessor(
  value: Value,
  table: 'getters' | 'setters',
  name: string,
  fn: ScopeFunction,
): void {
  value[table] = new Map([...value[table], [name, fn]])
}

export function isOfScope({ kind }: Value): boolean {
  return kind !== 'external' && kind !== 'builtin' && kind !== 'symbol'
}

/** Has every field of a value change that may, before an analysis makes any. */
export function prepareValues(): void {
  withChanged(createValue(-1, 'object', {}), {
    firstField: 1,
    lastField: 1,
    fieldCount: 1,
    getters: new Map(),
    setters: new Map(),
    proto: 0,
    every: 0,
    isEscaped: true,
    isShown: true,
  })
}
