// SPDX-License-Identifier: Apache-2.0
import { NOTHING, PLAIN, UNKNOWN } from '../facts/module-facts.ts'
import { externalMember, isPlatformName, packageOf } from './builtin-names.ts'
import { everyOf, holdsCode, instanceOf, lookUp, lookUpAt } from './heap.ts'
import { calledPool, external, type Heap, nameAt, numberOf } from './heap-store.ts'
import {
  addCopy,
  addFlag,
  addUnknown,
  addValue,
  IS_GIVEN,
  IS_PLAIN,
  IS_UNKNOWN,
  watch,
} from './network.ts'
import { noteFunction, noteName, type Site } from './sites.ts'
import { createValue, isOfScope, type ScopeFunction, type Value } from './values.ts'
import { WATCHED, watchBy } from './watched.ts'

/** Arguments as variables; `tail` holds all that may come after them, or is NOTHING. */
export interface Arguments {
  readonly list: readonly number[]
  readonly tail: number
}

/** The one place that makes arguments; the list comes of `createList` or `listOf`, or is a slice of one that does. */
export const createArguments = (list: readonly number[], tail: number = NOTHING): Arguments => ({
  list,
  tail,
})

/** One call: where, with what, and where its result goes (NOTHING where nobody looks). */
export interface Call {
  readonly site: Site
  readonly given: Arguments
  readonly result: number
  readonly isNew: boolean
}

/** The one place that makes calls, so that all have the same shape for the engine that runs this. */
export const createCall = (
  site: Site,
  given: Arguments,
  result: number,
  isNew: boolean = false,
): Call => ({ site, given, result, isNew })

/** What `this` is: a value, a variable, or not said. */
export type Receiver = Value | number | undefined

export interface Flow {
  readonly heap: Heap
  /** Calls by the numbers that watched variables name them by. */
  readonly calls: Call[]
  /** Packages that hold functions of the scope, because they were handed some. */
  readonly trusted: Set<string>
  /** Results of calls outside that may be what was handed over: the result, an argument. */
  echoes: { readonly result: number; readonly object: Value }[]
  /** Methods of texts and numbers, by name. */
  readonly plainMethods: Map<string, Value>
  readonly callBuiltin: (flow: Flow, call: Call, callee: Value, receiver: Receiver) => void
}

export const argumentAt = ({ list, tail }: Arguments, place: number): number => list[place] ?? tail

/** Passes what a variable of a module, or one of the three below 0, holds. */
export function pass(flow: Flow, from: number, to: number): void {
  if (from === NOTHING || to < 0) return
  const { net } = flow.heap
  if (from === PLAIN) addFlag(net, to, IS_PLAIN)
  else if (from === UNKNOWN) addUnknown(net, to)
  else addCopy(net, from, to)
}

/** Hears of values and flags of a variable, or of one of the three below 0. */
export function hear(
  flow: Flow,
  variable: number,
  value: (value: Value) => void,
  flag: (flag: number) => void,
): void {
  if (variable >= 0) watchBy(flow.heap, variable, { value, flag })
  else if (variable === PLAIN) flag(IS_PLAIN)
  else if (variable === UNKNOWN) flag(IS_UNKNOWN)
}

export function give(flow: Flow, variable: number): void {
  if (variable >= 0) addFlag(flow.heap.net, variable, IS_GIVEN)
}

export function giveAll(flow: Flow, { list, tail }: Arguments): void {
  for (let i = 0; i < list.length; i++) give(flow, list[i] ?? NOTHING)
  give(flow, tail)
}

/** A call of whatever a variable holds. */
export function callVariable(flow: Flow, call: Call, callee: number, receiver: Receiver): void {
  if (callee >= 0) {
    const number = flow.calls.push(call) - 1
    watch(flow.heap.net, callee, WATCHED.called, number, receiverNumber(receiver), 0)
  } else if (callee === UNKNOWN) callUnknown(flow, call)
}

/** A receiver as one number: none, a value, or a variable. */
function receiverNumber(receiver: Receiver): number {
  if (receiver === undefined) return 0
  return typeof receiver === 'object' ? receiver.id * 2 + 1 : (receiver - UNKNOWN + 1) * 2
}

export function receiverAt({ heap }: Flow, number: number): Receiver {
  if (number === 0) return undefined
  return (number & 1) === 1 ? heap.values[number >> 1] : (number >> 1) + UNKNOWN - 1
}

export function callUnknown(flow: Flow, call: Call): void {
  call.site.isUnknown = true
  giveAll(flow, call.given)
  pass(flow, UNKNOWN, call.result)
}

export function callValue(flow: Flow, call: Call, callee: Value, receiver: Receiver): void {
  switch (callee.kind) {
    case 'function':
      if (callee.fn === undefined) return
      if (!call.isNew) return enterFunction(flow, call, callee.fn, receiver)
      if (call.result >= 0) addValue(flow.heap.net, call.result, instanceOf(flow.heap, callee))
      return enterFunction(flow, call, callee.fn, instanceOf(flow.heap, callee))
    case 'class':
      if (!call.isNew) return
      if (call.result >= 0) addValue(flow.heap.net, call.result, instanceOf(flow.heap, callee))
      return construct(flow, call, callee, undefined)
    case 'external':
      return callExternal(flow, call, callee.name)
    case 'builtin':
      return flow.callBuiltin(flow, call, callee, receiver)
    default:
  }
}

/** Runs a class's constructor, or the nearest one above it, and the initialisers of fields. */
export function construct(
  flow: Flow,
  call: Call,
  maker: Value,
  self: Receiver,
  seen: Set<Value> = new Set(),
): void {
  const { cls } = maker
  if (seen.has(maker)) return
  seen.add(maker)
  if (maker.kind === 'external') return callExternal(flow, call, maker.name)
  if (maker.kind === 'builtin') {
    noteName(call.site, 'builtins', maker.name)
    return giveAll(flow, call.given)
  }
  const inner = createCall(call.site, call.given, NOTHING, call.isNew)
  if (cls === undefined) {
    if (maker.fn !== undefined) enterFunction(flow, inner, maker.fn, self)
    return
  }
  if (cls.maker !== undefined) return enterFunction(flow, inner, cls.maker, self)
  if (cls.fields !== undefined) noteFunction(call.site, 'targets', cls.fields)
  if (cls.base < 0) {
    noteName(call.site, 'builtins', 'constructor')
    return
  }
  hear(
    flow,
    cls.base,
    (base) => construct(flow, inner, base, self, seen),
    (flag) => {
      if (flag === IS_UNKNOWN) callUnknown(flow, inner)
    },
  )
}

export function enterFunction(flow: Flow, call: Call, fn: ScopeFunction, receiver: Receiver): void {
  noteFunction(call.site, 'targets', fn)
  bind(flow, call, fn, receiver)
}

/** Passes arguments, `this` and the result of one call of one function. */
export function bind(
  flow: Flow,
  { given, result }: Pick<Call, 'given' | 'result'>,
  fn: ScopeFunction,
  receiver: Receiver,
): void {
  const { parameters, rest, all, self } = fn
  for (let i = 0; i < parameters.length; i++) {
    pass(flow, argumentAt(given, i), parameters[i] ?? NOTHING)
  }
  if (rest >= 0) {
    for (let i = parameters.length; i < given.list.length; i++) {
      pass(flow, given.list[i] ?? NOTHING, rest)
    }
    pass(flow, given.tail, rest)
  }
  if (all >= 0) {
    for (let i = 0; i < given.list.length; i++) pass(flow, given.list[i] ?? NOTHING, all)
    pass(flow, given.tail, all)
  }
  if (typeof receiver === 'number') pass(flow, receiver, self)
  else if (receiver !== undefined && self >= 0) addValue(flow.heap.net, self, receiver)
  pass(flow, fn.result, result)
}

/** Code outside gets the arguments, may call those that are functions, and may answer any of them. */
export function callExternal(flow: Flow, call: Call, path: string): void {
  const { site, given, result } = call
  if (!noteName(site, 'externals', path)) return
  giveAll(flow, given)
  handCallbacks(flow, call, packageOf(path))
  if (result < 0) return
  addValue(flow.heap.net, result, external(flow.heap, externalMember(path, '()')))
}

/** Notes which functions code outside is handed, and that its answer may be one of the arguments. */
export function handCallbacks(flow: Flow, call: Call, holder: string | undefined): void {
  const { list, tail } = call.given
  if (list.length === 0 && tail === NOTHING) return
  const number = flow.calls.push(call) - 1
  const held = holder === undefined ? -1 : numberOf(flow.heap, holder)
  for (let i = 0; i < list.length; i++) handCallback(flow, number, held, list[i] ?? NOTHING)
  handCallback(flow, number, held, tail)
}

/** One argument of a call that has a number; who is handed it is the number of a name, or -1. */
function handCallback(flow: Flow, number: number, holder: number, variable: number): void {
  if (variable >= 0) watch(flow.heap.net, variable, WATCHED.handed, number, holder, 0)
  else if (variable === UNKNOWN) pass(flow, UNKNOWN, flow.calls[number]?.result ?? NOTHING)
}

/** A value that code outside is handed by a call; `holder` is the package that it is of. */
export function handValue(
  flow: Flow,
  { site, result }: Call,
  holder: string | undefined,
  value: Value,
): void {
  if (value.fn !== undefined && value.kind === 'function') {
    noteFunction(site, 'callbacks', value.fn)
  }
  if (holder !== undefined && !flow.trusted.has(holder) && holdsCode(flow.heap, value)) {
    flow.trusted.add(holder)
  }
  if (result >= 0 && isOfScope(value)) flow.echoes.push({ result, object: value })
}

/** A call of a member by the number of its name. */
export function callMember(flow: Flow, call: Call, object: number, name: number): void {
  if (object >= 0) {
    const number = flow.calls.push(call) - 1
    watch(flow.heap.net, object, WATCHED.member, number, name, 0)
  } else if (object === PLAIN) callMemberOfFlag(flow, call, nameAt(flow.heap, name), IS_PLAIN)
  else if (object === UNKNOWN) callMemberOfFlag(flow, call, nameAt(flow.heap, name), IS_UNKNOWN)
}

/** The same for a value that the object may be; the call and the name by their numbers. */
export function callMemberOf(flow: Flow, call: number, name: number, value: Value): void {
  const kind = isOfScope(value) ? WATCHED.calledMember : WATCHED.called
  const member = lookUpAt(flow.heap, value, name)
  watch(flow.heap.net, member, kind, call, receiverNumber(value), 0)
}

export function callMemberOfFlag(flow: Flow, call: Call, name: string, flag: number): void {
  if (flag === IS_UNKNOWN) return callMemberUnknown(flow, call, name)
  if (flag !== IS_PLAIN) return
  flow.callBuiltin(flow, call, plainMethod(flow, name), undefined)
}

/** A call of a member of a value of which nothing is known. */
export function callMemberUnknown(flow: Flow, call: Call, name: string): void {
  const { site, given, result } = call
  if (!noteName(site, 'unknownMembers', name)) return
  giveAll(flow, given)
  handCallbacks(flow, createCall(site, given, NOTHING, call.isNew), undefined)
  pass(flow, UNKNOWN, result)
  if (isPlatformName(name)) return
  const pool = calledPool(flow.heap, numberOf(flow.heap, name))
  for (let place = 0; place < pool.parameters.length; place++) {
    pass(flow, argumentAt(given, place), pool.parameters[place] ?? NOTHING)
  }
  pass(flow, pool.result, result)
}

/** A method of a text or a number: it has a name and nothing to look up. */
function plainMethod({ plainMethods }: Flow, name: string): Value {
  const known = plainMethods.get(name)
  if (known !== undefined) return known
  const made = createValue(-1, 'builtin', { name: `#${name}` })
  plainMethods.set(name, made)
  return made
}

/** A call of a member that a value names: exact for symbols, open for all else. */
export function callKeyed(flow: Flow, call: Call, object: number, key: number): void {
  const { heap } = flow
  hear(
    flow,
    object,
    (value) => {
      hear(
        flow,
        key,
        (name) => {
          const symbol = symbolName(name)
          if (symbol === undefined) callAny(flow, call, value)
          else callVariable(flow, call, lookUp(heap, value, symbol), value)
        },
        (flag) => {
          if (flag !== IS_GIVEN) callAny(flow, call, value)
        },
      )
    },
    (flag) => {
      if (flag === IS_PLAIN) noteName(call.site, 'builtins', '#[]')
      else if (flag === IS_UNKNOWN) callUnknown(flow, call)
    },
  )
}

function callAny(flow: Flow, call: Call, object: Value): void {
  const { site } = call
  if (object.kind === 'external') return callExternal(flow, call, externalMember(object.name, '[]'))
  if (object.kind === 'builtin') {
    site.isUnknown = true
    return giveAll(flow, call.given)
  }
  hear(
    flow,
    everyOf(flow.heap, object),
    (value) => {
      if (value.kind !== 'function' || value.fn === undefined)
        return callValue(flow, call, value, object)
      noteFunction(site, 'computed', value.fn)
      bind(flow, call, value.fn, object)
    },
    (flag) => {
      if (flag === IS_UNKNOWN) callUnknown(flow, call)
    },
  )
}

/** The name under which a member stands that a symbol names, or `undefined` for other values. */
export function symbolName(key: Value): string | undefined {
  if (key.kind === 'symbol') return `@@${key.id}`
  return key.kind === 'builtin' && key.name.startsWith('Symbol.') ? `@@${key.name}` : undefined
}
