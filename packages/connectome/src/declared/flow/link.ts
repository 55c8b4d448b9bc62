// SPDX-License-Identifier: Apache-2.0
import {
  type ClassFact,
  countSites,
  type FunctionFact,
  NOTHING,
  OP,
} from '../facts/module-facts.ts'
import type { ScopeModule } from '../scope/gather-modules.ts'
import type { Flow } from './calls.ts'
import { fieldOf, prototypeOf } from './heap.ts'
import { newValue } from './heap-store.ts'
import { createList } from './lists.ts'
import { addValue, markFixed, markNarrow, newVariables } from './network.ts'
import type { Network } from './network-store.ts'
import { simplify } from './simplify.ts'
import { Site } from './sites.ts'
import {
  createFunction,
  ELEMENT,
  type ScopeClass,
  type ScopeFunction,
  type Value,
} from './values.ts'

/** A function of the graph. */
export interface UnitRef {
  readonly module: string
  readonly name: string
  readonly arity: number
}

/** A module whose variables are numbered among those of all modules, from `first`. */
export interface LinkedModule {
  readonly place: number
  readonly source: ScopeModule
  readonly first: number
  /** The number of each variable of the facts from `first`, or one of the three below 0. */
  readonly numbers: Int32Array
  /** The number of each text of the facts as a name, and 1; 0 until somebody asks. */
  readonly names: Int32Array
  readonly functions: readonly ScopeFunction[]
  readonly classes: readonly ScopeClass[]
  readonly sites: readonly Site[]
  /** Its functions as the graph names them. */
  readonly units: readonly UnitRef[]
  /** The object of all exports, as `import *` gives it. */
  readonly space: Value
}

/** A variable of a module among all; the three below 0 stay what they are. */
export function globalOf(
  { first, numbers }: Pick<LinkedModule, 'first' | 'numbers'>,
  variable: number,
): number {
  if (variable < 0) return variable
  const number = numbers[variable] ?? NOTHING
  return number < 0 ? number : first + number
}

export function linkModule(flow: Flow, source: ScopeModule, place: number): LinkedModule {
  const { facts } = source
  const { heap } = flow
  const { count, numbers, isFixed } = simplify(facts)
  const first = newVariables(heap.net, count)
  markAllFixed(heap.net, first, isFixed)
  const numbering = { first, numbers }
  const shift = (variable: number): number => globalOf(numbering, variable)
  const functions = facts.functions.map((fact) =>
    linkFunction(flow, fact, place, source.packageName, shift),
  )
  const classes = facts.classes.map((fact) => linkClass(fact, place, functions, shift))
  const sites = createSites(place, facts.sites)
  const space = newValue(heap, 'space', { name: source.id })
  const units = facts.units.map(({ name, arity }) => ({ module: source.id, name, arity }))
  const names = new Int32Array(facts.strings.length)
  return { place, source, first, numbers, names, functions, classes, sites, units, space }
}

function markAllFixed(net: Network, first: number, isFixed: Uint8Array): void {
  for (let i = 0; i < isFixed.length; i++) if (isFixed[i] === 1) markFixed(net, first + i)
}

function createSites(module: number, facts: Int32Array): readonly Site[] {
  const sites: Site[] = []
  const count = countSites(facts)
  for (let place = 0; place < count; place++) sites.push(new Site(module, facts, place))
  return sites
}

/** The variables of a list of a function's own. */
function shiftAll(variables: readonly number[], shift: Shift): readonly number[] {
  const list = createList(variables.length)
  for (let i = 0; i < list.length; i++) list[i] = shift(variables[i] ?? NOTHING)
  return list
}

/** What many callers have in common passes through these: no registry, and dear to follow as one. */
function narrow(net: Network, { self, result }: ScopeFunction): void {
  if (self >= 0) markNarrow(net, self)
  if (result >= 0) markNarrow(net, result)
}

type Shift = (variable: number) => number

function linkFunction(
  flow: Flow,
  fact: FunctionFact,
  module: number,
  packageName: string,
  shift: Shift,
): ScopeFunction {
  const fn = createFunction(module, packageName, fact, shiftAll(fact.parameters, shift), {
    rest: fact.rest < 0 ? -1 : listIn(flow, shift(fact.rest)),
    all: fact.all < 0 ? -1 : listIn(flow, shift(fact.all)),
    self: shift(fact.self),
    result: shift(fact.result),
  })
  narrow(flow.heap.net, fn)
  return fn
}

/** A list that a variable holds; answers the variable of its elements. */
function listIn(flow: Flow, variable: number): number {
  const list = newValue(flow.heap, 'list')
  addValue(flow.heap.net, variable, list)
  return fieldOf(flow.heap, list, ELEMENT)
}

function linkClass(
  fact: ClassFact,
  module: number,
  functions: readonly ScopeFunction[],
  shift: Shift,
): ScopeClass {
  return {
    module,
    fact,
    base: shift(fact.base),
    maker: functions[fact.maker],
    fields: functions[fact.fields],
    instance: shift(fact.instance),
  }
}

/** The values of a module's functions and classes, made when its program names them. */
export function makeCallable(flow: Flow, module: LinkedModule, op: number, place: number): Value {
  const { heap } = flow
  if (op === OP.func) {
    const fn = module.functions[place]
    return newValue(heap, 'function', { fn })
  }
  const cls = module.classes[place]
  const value = newValue(heap, 'class', { cls })
  if (cls !== undefined) {
    addValue(heap.net, globalOf(module, cls.fact.prototype), prototypeOf(heap, value))
  }
  return value
}
