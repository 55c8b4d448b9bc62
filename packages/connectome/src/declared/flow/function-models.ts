// SPDX-License-Identifier: Apache-2.0
import { NOTHING, PLAIN, UNKNOWN } from '../facts/module-facts.ts'
import { bind, callValue, callVariable, createArguments, createCall, pass } from './calls.ts'
import { fieldOf, giveAway } from './heap.ts'
import { newValue } from './heap-store.ts'
import { createList } from './lists.ts'
import {
  answer,
  at,
  callBack,
  elementsOf,
  fill,
  type Model,
  settleInto,
  spreadOf,
} from './model.ts'
import { addCopy, addValue, newVariable } from './network.ts'
import { createFunction, ELEMENT } from './values.ts'

export const chained: Model = (flow, call, receiver) => {
  const elements = elementsOf(flow, receiver)
  const made = answer(flow, call, 'promise')
  for (const place of [0, 1]) {
    const list = [place === 0 ? elements : UNKNOWN]
    settleInto(flow, made, callBack(flow, call, place, list))
  }
  if (at(call, 0) === NOTHING) fill(flow, made, elements)
}

export const caught: Model = (flow, call, receiver) => {
  const made = answer(flow, call, 'promise')
  settleInto(flow, made, callBack(flow, call, 0, [UNKNOWN]))
  fill(flow, made, elementsOf(flow, receiver))
}

export const called: Model = (flow, call, receiver) => {
  if (typeof receiver !== 'object') return
  const given = createArguments(call.given.list.slice(1), call.given.tail)
  callValue(flow, createCall(call.site, given, call.result), receiver, at(call, 0))
}

export const applied: Model = (flow, call, receiver) => {
  if (typeof receiver !== 'object') return
  const given = createArguments(createList(0), spreadOf(flow, at(call, 1)))
  callValue(flow, createCall(call.site, given, call.result), receiver, at(call, 0))
}

/** A bound function is the same function with fewer parameters and no `this` to set. */
export const bound: Model = (flow, call, receiver) => {
  const { heap } = flow
  if (typeof receiver !== 'object') return
  const { fn } = receiver
  if (fn === undefined || call.given.tail !== NOTHING) {
    giveAway(heap, receiver)
    return pass(flow, UNKNOWN, call.result)
  }
  if (receiver.of !== undefined) {
    // Bound twice: which parameters are left is not followed.
    if (call.result >= 0) addValue(heap.net, call.result, receiver)
    return pass(flow, UNKNOWN, call.result)
  }
  const fixed = call.given.list.slice(1)
  bind(flow, { given: createArguments(fixed), result: NOTHING }, fn, at(call, 0))
  if (call.result < 0) return
  if (fixed.length === 0 && fn.self < 0) return addValue(heap.net, call.result, receiver)
  const known = heap.made.get(call.site)
  if (known?.of === receiver) return addValue(heap.net, call.result, known)
  const parameters = fn.parameters.slice(fixed.length)
  const rest = createFunction(fn.module, fn.packageName, fn.fact, parameters, { ...fn, self: -1 })
  const made = newValue(heap, 'function', { fn: rest, of: receiver })
  heap.made.set(call.site, made)
  addValue(heap.net, call.result, made)
}

export const promised: Model = (flow, call) =>
  settleInto(flow, answer(flow, call, 'promise'), at(call, 0))

export const promisedAll: Model = (flow, call) => {
  const { heap } = flow
  const list = newValue(heap, 'list')
  const made = answer(flow, call, 'promise')
  settleInto(flow, list, spreadOf(flow, at(call, 0)))
  addValue(heap.net, fieldOf(heap, made, ELEMENT), list)
  addCopy(heap.net, fieldOf(heap, list, ELEMENT), fieldOf(heap, made, ELEMENT))
}

export const newPromise: Model = (flow, call) => {
  const made = answer(flow, call, 'promise')
  const resolve = newVariable(flow.heap.net)
  addValue(flow.heap.net, resolve, newValue(flow.heap, 'builtin', { name: '#resolve', of: made }))
  callBack(flow, call, 0, [resolve, PLAIN])
}

export const resolved: Model = (flow, call, _receiver, callee) => {
  if (callee.of !== undefined) settleInto(flow, callee.of, at(call, 0))
}

export const reflected: Model = (flow, call) => {
  const given = createArguments(createList(0), spreadOf(flow, at(call, 2)))
  callVariable(flow, createCall(call.site, given, call.result), at(call, 0), at(call, 1))
}

export const made: Model = (flow, call) => {
  const given = createArguments(createList(0), spreadOf(flow, at(call, 1)))
  callVariable(flow, createCall(call.site, given, call.result, true), at(call, 0), undefined)
}

export const replaced: Model = (flow, call) => {
  callBack(flow, call, 1, [PLAIN, PLAIN, PLAIN])
  pass(flow, PLAIN, call.result)
}
