// SPDX-License-Identifier: Apache-2.0
import { NOTHING, PLAIN, UNKNOWN } from '../facts/module-facts.ts'
import { memberPath } from './builtin-names.ts'
import {
  type Arguments,
  argumentAt,
  bind,
  type Call,
  callValue,
  callVariable,
  type Flow,
  give,
  handCallbacks,
  hear,
  pass,
  type Receiver,
} from './calls.ts'
import {
  builtin,
  everyOf,
  fieldOf,
  giveAway,
  lookUp,
  newValue,
  protoOf,
  prototypeOf,
} from './heap.ts'
import { addCopy, addValue, newVariable } from './network.ts'
import { noteName } from './sites.ts'
import { ELEMENT, isOfScope, type Value } from './values.ts'

type Model = (flow: Flow, call: Call, receiver: Receiver, callee: Value) => void

const at = (call: Call, place: number): number => argumentAt(call.given, place)

/** The variable of a list's elements, made where a receiver is a list or a promise. */
function elementsOf(flow: Flow, receiver: Receiver): number {
  if (typeof receiver !== 'object' || !isOfScope(receiver)) return PLAIN
  return fieldOf(flow.heap, receiver, ELEMENT)
}

/** A new list or promise that the call answers, always the same one. */
function answer(flow: Flow, call: Call, kind: 'list' | 'promise' | 'object'): Value {
  const { heap } = flow
  const made = heap.made.get(call.site.fact)
  if (made !== undefined && made.kind === kind) {
    if (call.result >= 0) addValue(heap.net, call.result, made)
    return made
  }
  const value = newValue(heap, kind)
  heap.made.set(call.site.fact, value)
  if (call.result >= 0) addValue(heap.net, call.result, value)
  return value
}

function fill(flow: Flow, list: Value, from: number): void {
  pass(flow, from, fieldOf(flow.heap, list, ELEMENT))
}

/** Calls what stands in an argument, here and now; answers the variable of what it gives. */
function callBack(flow: Flow, call: Call, place: number, list: readonly number[]): number {
  const result = newVariable(flow.heap.net)
  const given: Arguments = { list, tail: NOTHING }
  callVariable(flow, { site: call.site, given, result, isNew: false }, at(call, place), undefined)
  return result
}

/** Elements of a list, or what a value that is not a list may hold. */
function spreadOf(flow: Flow, variable: number): number {
  if (variable < 0) return variable
  const to = newVariable(flow.heap.net)
  hear(
    flow,
    variable,
    (value) => {
      if (isOfScope(value)) addCopy(flow.heap.net, fieldOf(flow.heap, value, ELEMENT), to)
    },
    (flag) => pass(flow, flag === 1 ? PLAIN : flag === 2 ? UNKNOWN : NOTHING, to),
  )
  return to
}

const each: Model = (flow, call, receiver) => {
  callBack(flow, call, 0, [elementsOf(flow, receiver), PLAIN, selfOf(flow, receiver)])
  pass(flow, PLAIN, call.result)
}

function selfOf(flow: Flow, receiver: Receiver): number {
  if (typeof receiver !== 'object') return receiver ?? PLAIN
  const to = newVariable(flow.heap.net)
  addValue(flow.heap.net, to, receiver)
  return to
}

const find: Model = (flow, call, receiver) => {
  callBack(flow, call, 0, [elementsOf(flow, receiver), PLAIN, selfOf(flow, receiver)])
  pass(flow, elementsOf(flow, receiver), call.result)
}

const keep: Model = (flow, call, receiver) => {
  const elements = elementsOf(flow, receiver)
  callBack(flow, call, 0, [elements, elements === PLAIN ? PLAIN : elements, PLAIN])
  fill(flow, answer(flow, call, 'list'), elements)
}

const mapped: Model = (flow, call, receiver) => {
  const list = [elementsOf(flow, receiver), PLAIN, selfOf(flow, receiver)]
  const result = callBack(flow, call, 0, list)
  const made = answer(flow, call, 'list')
  fill(flow, made, result)
  fill(flow, made, spreadOf(flow, result))
  fill(flow, made, PLAIN)
}

const reduced: Model = (flow, call, receiver) => {
  const total = newVariable(flow.heap.net)
  const elements = elementsOf(flow, receiver)
  pass(flow, at(call, 1), total)
  pass(flow, elements, total)
  pass(flow, callBack(flow, call, 0, [total, elements, PLAIN, selfOf(flow, receiver)]), total)
  pass(flow, total, call.result)
}

const copied: Model = (flow, call, receiver) => {
  const made = answer(flow, call, 'list')
  fill(flow, made, elementsOf(flow, receiver))
  for (let i = 0; i < call.given.list.length; i++) {
    fill(flow, made, at(call, i))
    fill(flow, made, spreadOf(flow, at(call, i)))
  }
  fill(flow, made, PLAIN)
}

const taken: Model = (flow, call, receiver) => {
  pass(flow, elementsOf(flow, receiver), call.result)
  pass(flow, PLAIN, call.result)
}

const put: Model = (flow, call, receiver) => {
  const elements = elementsOf(flow, receiver)
  for (const one of [...call.given.list, call.given.tail]) pass(flow, one, elements)
  if (typeof receiver === 'object') pass(flow, selfOf(flow, receiver), call.result)
  pass(flow, PLAIN, call.result)
}

const then: Model = (flow, call, receiver) => {
  const elements = elementsOf(flow, receiver)
  const made = answer(flow, call, 'promise')
  for (const place of [0, 1]) {
    const list = [place === 0 ? elements : UNKNOWN]
    settleInto(flow, made, callBack(flow, call, place, list))
  }
  if (at(call, 0) === NOTHING) fill(flow, made, elements)
}

const caught: Model = (flow, call, receiver) => {
  const made = answer(flow, call, 'promise')
  settleInto(flow, made, callBack(flow, call, 0, [UNKNOWN]))
  fill(flow, made, elementsOf(flow, receiver))
}

/** A promise of a promise is one of what that holds. */
function settleInto(flow: Flow, promise: Value, from: number): void {
  const { heap } = flow
  const inside = fieldOf(heap, promise, ELEMENT)
  hear(
    flow,
    from,
    (value) => {
      if (value.kind === 'promise') addCopy(heap.net, fieldOf(heap, value, ELEMENT), inside)
      else addValue(heap.net, inside, value)
    },
    (flag) => pass(flow, flag === 1 ? PLAIN : flag === 2 ? UNKNOWN : NOTHING, inside),
  )
}

const called: Model = (flow, call, receiver) => {
  if (typeof receiver !== 'object') return
  const given = { list: call.given.list.slice(1), tail: call.given.tail }
  callValue(flow, { ...call, given, isNew: false }, receiver, at(call, 0))
}

const applied: Model = (flow, call, receiver) => {
  if (typeof receiver !== 'object') return
  const given = { list: [], tail: spreadOf(flow, at(call, 1)) }
  callValue(flow, { ...call, given, isNew: false }, receiver, at(call, 0))
}

/** A bound function is the same function with fewer parameters and no `this` to set. */
const bound: Model = (flow, call, receiver) => {
  const { heap } = flow
  if (typeof receiver !== 'object') return
  const { fn } = receiver
  if (fn === undefined || call.given.tail !== NOTHING) {
    giveAway(heap, receiver)
    return pass(flow, UNKNOWN, call.result)
  }
  const fixed = call.given.list.slice(1)
  bind(flow, { given: { list: fixed, tail: NOTHING }, result: NOTHING }, fn, at(call, 0))
  if (call.result < 0) return
  if (fixed.length === 0 && fn.self < 0) return addValue(heap.net, call.result, receiver)
  const known = heap.made.get(call.site.fact)
  if (known?.of === receiver) return addValue(heap.net, call.result, known)
  const rest = { ...fn, parameters: fn.parameters.slice(fixed.length), self: -1 }
  const made = newValue(heap, 'function', { fn: rest, of: receiver })
  heap.made.set(call.site.fact, made)
  addValue(heap.net, call.result, made)
}

const same: Model = (flow, call) => pass(flow, at(call, 0), call.result)

const assigned: Model = (flow, call) => {
  const { heap } = flow
  hear(
    flow,
    at(call, 0),
    (target) => {
      if (!isOfScope(target)) return
      for (let i = 1; i < call.given.list.length; i++)
        pass(flow, at(call, i), protoOf(heap, target))
      pass(flow, call.given.tail, protoOf(heap, target))
    },
    () => {
      for (let i = 1; i < call.given.list.length; i++) give(flow, at(call, i))
    },
  )
  pass(flow, at(call, 0), call.result)
}

const inherited: Model = (flow, call) => {
  const { heap } = flow
  hear(
    flow,
    at(call, 0),
    (target) => {
      if (isOfScope(target)) pass(flow, at(call, 1), protoOf(heap, target))
    },
    () => give(flow, at(call, 1)),
  )
  pass(flow, at(call, 0), call.result)
}

/** `util.inherits(A, B)`: what A makes inherits from what B makes. */
export const inherits: Model = (flow, call) => {
  const { heap } = flow
  hear(
    flow,
    at(call, 0),
    (target) => {
      if (target.kind !== 'function' && target.kind !== 'class') return
      const proto = protoOf(heap, prototypeOf(heap, target))
      hear(
        flow,
        at(call, 1),
        (base) => addCopy(heap.net, lookUp(heap, base, 'prototype'), proto),
        (flag) => {
          if (flag === 2) pass(flow, UNKNOWN, proto)
        },
      )
    },
    () => {},
  )
}

const created: Model = (flow, call) => {
  const made = answer(flow, call, 'object')
  pass(flow, at(call, 0), protoOf(flow.heap, made))
  const described = at(call, 1)
  if (described === NOTHING) return
  hear(
    flow,
    described,
    (value) => {
      for (const [name, field] of value.fields) {
        hear(
          flow,
          field,
          (descriptor) => {
            addCopy(
              flow.heap.net,
              lookUp(flow.heap, descriptor, 'value'),
              fieldOf(flow.heap, made, name),
            )
          },
          () => {},
        )
      }
    },
    () => {},
  )
}

const membersOf: Model = (flow, call) => {
  const made = answer(flow, call, 'list')
  hear(
    flow,
    at(call, 0),
    (value) => {
      if (isOfScope(value)) fill(flow, made, everyOf(flow.heap, value))
    },
    (flag) => fill(flow, made, flag === 2 ? UNKNOWN : PLAIN),
  )
}

/** A list of pairs; a pair and a list of pairs are one list here, so elements are members too. */
const pairsOf: Model = (flow, call, receiver) => {
  const { heap } = flow
  membersOf(flow, call, receiver, builtin(heap, '#entries'))
  const made = answer(flow, call, 'list')
  addValue(heap.net, fieldOf(heap, made, ELEMENT), made)
  fill(flow, made, PLAIN)
}

const iterated: Model = (flow, call, receiver) => {
  const made = answer(flow, call, 'list')
  fill(flow, made, elementsOf(flow, receiver))
  fill(flow, made, PLAIN)
  addValue(flow.heap.net, fieldOf(flow.heap, made, ELEMENT), made)
}

const collection: Model = (flow, call) => {
  const made = answer(flow, call, 'list')
  for (let i = 0; i < call.given.list.length; i++) {
    const inner = spreadOf(flow, at(call, i))
    fill(flow, made, inner)
    fill(flow, made, spreadOf(flow, inner))
    fill(flow, made, at(call, i))
  }
}

const listFrom: Model = (flow, call) => {
  const made = answer(flow, call, 'list')
  const elements = spreadOf(flow, at(call, 0))
  fill(flow, made, elements)
  if (at(call, 1) !== NOTHING) fill(flow, made, callBack(flow, call, 1, [elements, PLAIN]))
  fill(flow, made, PLAIN)
}

const promised: Model = (flow, call) => settleInto(flow, answer(flow, call, 'promise'), at(call, 0))

const promisedAll: Model = (flow, call) => {
  const { heap } = flow
  const list = newValue(heap, 'list')
  const made = answer(flow, call, 'promise')
  settleInto(flow, list, spreadOf(flow, at(call, 0)))
  addValue(heap.net, fieldOf(heap, made, ELEMENT), list)
  addCopy(heap.net, fieldOf(heap, list, ELEMENT), fieldOf(heap, made, ELEMENT))
}

const newPromise: Model = (flow, call) => {
  const made = answer(flow, call, 'promise')
  const resolve = newVariable(flow.heap.net)
  addValue(flow.heap.net, resolve, newValue(flow.heap, 'builtin', { name: '#resolve', of: made }))
  callBack(flow, call, 0, [resolve, PLAIN])
}

const resolved: Model = (flow, call, _receiver, callee) => {
  if (callee.of !== undefined) settleInto(flow, callee.of, at(call, 0))
}

const wrapped: Model = (flow, call) => {
  for (const one of call.given.list) give(flow, one)
  pass(flow, UNKNOWN, call.result)
}

const reflected: Model = (flow, call) => {
  const given = { list: [], tail: spreadOf(flow, at(call, 2)) }
  callVariable(flow, { ...call, given, isNew: false }, at(call, 0), at(call, 1))
}

const made: Model = (flow, call) => {
  const given = { list: [], tail: spreadOf(flow, at(call, 1)) }
  callVariable(flow, { ...call, given, isNew: true }, at(call, 0), undefined)
}

const symbol: Model = (flow, call) => {
  if (call.result >= 0) addValue(flow.heap.net, call.result, builtin(flow.heap, 'Symbol.for()'))
}

const replaced: Model = (flow, call) => {
  callBack(flow, call, 1, [PLAIN, PLAIN, PLAIN])
  pass(flow, PLAIN, call.result)
}

const compared: Model = (flow, call, receiver) => {
  const elements = elementsOf(flow, receiver)
  callBack(flow, call, 0, [elements, elements])
  if (typeof receiver === 'object') pass(flow, selfOf(flow, receiver), call.result)
  pass(flow, PLAIN, call.result)
}

const prototypes: Model = (flow, call) => {
  hear(
    flow,
    at(call, 0),
    (value) => {
      if (isOfScope(value)) pass(flow, protoOf(flow.heap, value), call.result)
    },
    (flag) => pass(flow, flag === 2 ? UNKNOWN : PLAIN, call.result),
  )
}

const METHODS: Readonly<Record<string, Model>> = {
  ...{ forEach: each, some: each, every: each, findIndex: each, findLastIndex: each },
  ...{ find, findLast: find, filter: keep, map: mapped, flatMap: mapped, reduce: reduced },
  ...{ reduceRight: reduced, concat: copied, slice: copied, splice: copied, flat: copied },
  ...{ reverse: copied, toReversed: copied, toSpliced: copied, with: copied, toArray: copied },
  ...{ take: copied, drop: copied, values: iterated, entries: iterated, keys: iterated },
  ...{ pop: taken, shift: taken, at: taken, get: taken, deref: taken, push: put, unshift: put },
  ...{ set: put, add: put, fill: put, sort: compared, toSorted: compared, then, catch: caught },
  ...{ finally: caught, call: called, apply: applied, bind: bound, replace: replaced },
  ...{ replaceAll: replaced, next: iterated, resolve: resolved },
}

const STATICS: Readonly<Record<string, Model>> = {
  ...{ 'Object.assign': assigned, 'Object.create': created, 'Object.setPrototypeOf': inherited },
  ...{ 'Object.freeze': same, 'Object.seal': same, 'Object.preventExtensions': same },
  ...{ 'Object.values': membersOf, 'Object.entries': pairsOf, 'Object.fromEntries': collection },
  ...{ 'Object.getPrototypeOf': prototypes, 'Reflect.getPrototypeOf': prototypes, Object: same },
  ...{ 'Reflect.apply': reflected, 'Reflect.construct': made, 'Reflect.setPrototypeOf': inherited },
  ...{ 'Array.from': listFrom, 'Array.of': collection, Array: collection, Map: collection },
  ...{ Set: collection, WeakMap: collection, WeakSet: collection, WeakRef: collection },
  ...{ 'Promise.resolve': promised, 'Promise.all': promisedAll, 'Promise.race': promisedAll },
  ...{ 'Promise.any': promisedAll, 'Promise.allSettled': promisedAll, Promise: newPromise },
  ...{ Proxy: wrapped, 'Symbol.for': symbol, 'Object.defineProperty': same },
  ...{ 'Object.defineProperties': same, 'node:util.inherits': inherits },
}

/** What hands nothing on: arguments stay where they are and the answer holds nothing of the scope. */
const HARMLESS =
  /^(?:Math|JSON|Number|String|Boolean|console|Date|RegExp|BigInt|Object|Reflect|Intl|Atomics|Buffer|URL|parse\w+|is\w+|\w*code\w*|\w*[eE]rror|\w*Array|node:path|node:os|node:querystring|node:url|node:crypto)\b|^#/

/** Members of the platform that run what was handed to it before. */
const REENTRANT =
  /\.(?:emit|publish|runStores|dispatchEvent|abort|write|end|push|read|destroy|resume)$/
const HOLDERS =
  /^(?:node:(?:events|stream|http|https|http2|net|tls|zlib|diagnostics_channel|async_hooks|worker_threads|readline)|EventTarget|AbortController|process)\b/

export function callBuiltin(flow: Flow, call: Call, callee: Value, receiver: Receiver): void {
  const { name } = callee
  const { site, given, result } = call
  const isAgain = !noteName(site, 'builtins', name)
  const model = name.startsWith('#') ? ownEntry(METHODS, name.slice(1)) : ownEntry(STATICS, name)
  if (model !== undefined) return model(flow, call, receiver, callee)
  if (REENTRANT.test(name) && HOLDERS.test(name)) site.isReentrant = true
  const isHarmless = HARMLESS.test(name)
  if (isAgain) return
  if (isHarmless) for (let i = 0; i < given.list.length; i++) callIfWritten(flow, call, i)
  else {
    for (const one of [...given.list, given.tail]) give(flow, one)
    handCallbacks(flow, call, undefined)
  }
  if (isHarmless) pass(flow, PLAIN, result)
  else if (result >= 0) {
    addValue(flow.heap.net, result, builtin(flow.heap, memberPath(name, '()')))
  }
}

/** Calls an argument that is a function of the scope; one that is unknown is taken to be data. */
function callIfWritten(flow: Flow, call: Call, place: number): void {
  const given: Arguments = { list: [PLAIN, PLAIN, PLAIN], tail: NOTHING }
  hear(
    flow,
    at(call, place),
    (value) => {
      if (value.kind !== 'function') return
      callValue(flow, { site: call.site, given, result: NOTHING, isNew: false }, value, undefined)
    },
    () => {},
  )
}

function ownEntry(models: Readonly<Record<string, Model>>, name: string): Model | undefined {
  return Object.hasOwn(models, name) ? models[name] : undefined
}
