// SPDX-License-Identifier: Apache-2.0
import type { ScopeModule } from '../scope/gather-modules.ts'
import { callBuiltin } from './builtins.ts'
import { callMemberUnknown, type Flow } from './calls.ts'
import { type Program, requiredOf } from './exports.ts'
import { createHeap, giveAway, holdsCode, instanceOf, lookUpAny, lookUpAt } from './heap.ts'
import { nameAt, newValue } from './heap-store.ts'
import { type LinkedModule, linkModule } from './link.ts'
import { createListener } from './listener.ts'
import {
  addFlag,
  addUnknown,
  addValue,
  has,
  IS_GIVEN,
  IS_UNKNOWN,
  isEmpty,
  isSettled,
  settle,
  valuesOf,
} from './network.ts'
import type { Waiting } from './reader.ts'
import { runProgram } from './run-program.ts'
import { hasOutcome, prepareSites } from './sites.ts'
import { isOfScope, prepareValues, type Value } from './values.ts'
import { withChanged } from './with-changed.ts'

const NONE: never[] = []

/** Everything that is known of the calls of a scope. */
export interface Analysis {
  readonly flow: Flow
  readonly modules: readonly LinkedModule[]
  readonly program: Program
}

/**
 * Follows functions, classes and objects from where they are written to where they are called, through
 * all modules at once and without regard to order. What code outside may hand in is unknown; what it
 * is handed is taken to be called by it with anything.
 */
export function analyse(sources: readonly ScopeModule[]): Analysis {
  const words = sources.reduce((sum, { facts }) => sum + facts.code.length, 0)
  prepareValues()
  prepareSites()
  const heap = createHeap(words)
  const flow: Flow = {
    heap,
    calls: [],
    trusted: new Set(),
    echoes: NONE,
    plainMethods: new Map(),
    callBuiltin,
  }
  withChanged(flow, { echoes: [] })
  withChanged(heap.net, { listener: createListener(flow) })
  const modules = sources.map((source, place) => linkModule(flow, source, place))
  const byId = new Map(modules.map((module) => [module.source.id, module]))
  const program: Program = { flow, modules, byId, results: new Map(), spaces: new Map() }
  const global = newValue(heap, 'object')
  const waiting = withChanged<Waiting>({ reads: NONE, calls: NONE }, { reads: [], calls: [] })
  for (const module of modules) runProgram(program, module, global, waiting)
  settle(heap.net)
  giveAway(heap, global)
  for (const module of modules) if (module.source.isPublic) publishModule(program, module)
  settle(heap.net)
  complete(flow, waiting)
  return { flow, modules, program }
}

function publishModule(program: Program, module: LinkedModule): void {
  const { heap } = program.flow
  if (module.source.facts.format === 'module') giveAway(heap, module.space)
  else addFlag(heap.net, requiredOf(program, module), IS_GIVEN)
}

/** More rounds than any real scope needs; what is open after them stays listed. */
const MOST_ROUNDS = 40

/** Answers what could only be asked once all values were known, until no answer changes another. */
function complete(flow: Flow, waiting: Waiting): void {
  const { net } = flow.heap
  const asked = new Set<number>()
  for (let round = 0; round < MOST_ROUNDS; round++) {
    answerEchoes(flow)
    answerTypes(flow, asked)
    if (isSettled(net)) answerReads(flow, waiting)
    if (isSettled(net)) answerCalls(flow, waiting)
    if (isSettled(net)) return
    settle(net)
  }
}

/** What was handed to code outside may come back as its answer. */
function answerEchoes(flow: Flow): void {
  const { heap } = flow
  flow.echoes = flow.echoes.filter(({ result, object }) => {
    if (has(heap.net, result, IS_UNKNOWN)) return false
    if (!holdsCode(heap, object)) return true
    addUnknown(heap.net, result)
    return false
  })
}

/** A parameter of a declared class that anyone may fill holds instances of it and its subclasses. */
function answerTypes(flow: Flow, asked: Set<number>): void {
  const { heap } = flow
  const { net } = heap
  let subclasses: ReadonlyMap<Value, readonly Value[]> | undefined
  for (const [variable, { cls, isAsked }] of net.typed) {
    if (!isAsked || asked.has(variable)) continue
    asked.add(variable)
    const classes = valuesOf(net, cls).filter(({ kind }) => kind === 'class')
    if (classes.length === 0 || has(net, cls, IS_UNKNOWN)) addFlag(net, variable, IS_UNKNOWN)
    subclasses ??= findSubclasses(flow)
    const makers = new Set(classes)
    for (const maker of makers) for (const one of subclasses.get(maker) ?? []) makers.add(one)
    for (const maker of makers) {
      addValue(net, variable, instanceOf(heap, maker))
      giveAway(heap, instanceOf(heap, maker))
    }
  }
}

/** The classes that extend each class, one step down. */
function findSubclasses({ heap }: Flow): ReadonlyMap<Value, readonly Value[]> {
  const found = new Map<Value, Value[]>()
  for (const value of heap.classes) {
    if (value.cls === undefined || value.cls.base < 0) continue
    for (const base of valuesOf(heap.net, value.cls.base)) {
      const known = found.get(base)
      if (known === undefined) found.set(base, [value])
      else known.push(value)
    }
  }
  return found
}

/** A member that the scope never sets, on an object that code outside has, may be set there. */
function answerReads(flow: Flow, waiting: Waiting): void {
  const { net } = flow.heap
  waiting.reads = waiting.reads.filter(({ to, object }) => object >= 0 && isEmpty(net, to))
  for (const { to, object } of waiting.reads) {
    const values = valuesOf(net, object)
    for (const value of values) if (isOfScope(value)) lookUpAny(flow.heap, value, to)
    if (isEmpty(net, to) && values.some(({ isEscaped }) => isEscaped)) addUnknown(net, to)
  }
}

function answerCalls(flow: Flow, waiting: Waiting): void {
  const { heap } = flow
  waiting.calls = waiting.calls.filter(({ call, object }) => object >= 0 && !hasOutcome(call.site))
  for (const { call, object, name } of waiting.calls) {
    const values = valuesOf(heap.net, object)
    for (const value of values) {
      if (isOfScope(value)) lookUpAny(heap, value, lookUpAt(heap, value, name))
    }
    const isOpen = values.some(
      (value) => value.isEscaped && isEmpty(heap.net, lookUpAt(heap, value, name)),
    )
    if (isOpen) callMemberUnknown(flow, call, nameAt(heap, name))
  }
}
