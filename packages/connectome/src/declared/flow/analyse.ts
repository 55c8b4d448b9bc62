// SPDX-License-Identifier: Apache-2.0
import type { ScopeModule } from '../scope/gather-modules.ts'
import { callBuiltin } from './builtins.ts'
import { callMemberUnknown, type Flow } from './calls.ts'
import { type Program, requiredOf } from './exports.ts'
import { createHeap, giveAway, holdsCode, instanceOf, lookUp, lookUpAny } from './heap.ts'
import { newValue } from './heap-store.ts'
import { type LinkedModule, linkModule } from './link.ts'
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
import { hasOutcome } from './sites.ts'
import { isOfScope, type Value } from './values.ts'

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
  const heap = createHeap()
  const flow: Flow = { heap, trusted: new Set(), echoes: [], callBuiltin }
  const modules = sources.map((source, place) => linkModule(flow, source, place))
  const byId = new Map(modules.map((module) => [module.source.id, module]))
  const program: Program = { flow, modules, byId, results: new Map(), spaces: new Map() }
  const global = newValue(heap, 'object')
  const waiting: Waiting = { reads: [], calls: [] }
  for (const module of modules) runProgram(program, module, global, waiting)
  settle(heap.net)
  giveAway(heap, global)
  for (const module of modules) if (module.source.isPublic) publishModule(program, module)
  settle(heap.net)
  complete(flow, modules, waiting)
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
function complete(flow: Flow, modules: readonly LinkedModule[], waiting: Waiting): void {
  const { net } = flow.heap
  const asked = new Set<number>()
  for (let round = 0; round < MOST_ROUNDS; round++) {
    answerEchoes(flow)
    answerTypes(flow, modules, asked)
    if (isSettled(net)) answerReads(flow, waiting)
    if (isSettled(net)) answerCalls(flow, waiting)
    if (isSettled(net)) return
    settle(net)
  }
}

/** What was handed to code outside may come back as its answer. */
function answerEchoes({ heap, echoes }: Flow): void {
  for (const { result, object } of echoes) {
    if (!has(heap.net, result, IS_UNKNOWN) && holdsCode(heap, object)) addUnknown(heap.net, result)
  }
}

/** A parameter of a declared class that anyone may fill holds instances of it and its subclasses. */
function answerTypes(flow: Flow, modules: readonly LinkedModule[], asked: Set<number>): void {
  const { heap } = flow
  const { net } = heap
  for (const [variable, { cls, isAsked }] of net.typed) {
    if (!isAsked || asked.has(variable)) continue
    asked.add(variable)
    const classes = valuesOf(net, cls).filter(({ kind }) => kind === 'class')
    if (classes.length === 0 || has(net, cls, IS_UNKNOWN)) addFlag(net, variable, IS_UNKNOWN)
    for (const one of classes) {
      for (const maker of withSubclasses(flow, modules, one)) {
        addValue(net, variable, instanceOf(heap, maker))
        giveAway(heap, instanceOf(heap, maker))
      }
    }
  }
}

function withSubclasses(
  flow: Flow,
  _modules: readonly LinkedModule[],
  cls: Value,
): readonly Value[] {
  const found = [cls]
  for (const one of found) {
    for (const other of flow.heap.values) {
      if (other.kind !== 'class' || other.cls === undefined || found.includes(other)) continue
      if (other.cls.base >= 0 && valuesOf(flow.heap.net, other.cls.base).includes(one)) {
        found.push(other)
      }
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
      if (isOfScope(value)) lookUpAny(heap, value, lookUp(heap, value, name))
    }
    const isOpen = values.some(
      (value) => value.isEscaped && isEmpty(heap.net, lookUp(heap, value, name)),
    )
    if (isOpen) callMemberUnknown(flow, call, name)
  }
}
