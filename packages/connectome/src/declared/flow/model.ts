// SPDX-License-Identifier: Apache-2.0
import { NOTHING, PLAIN, UNKNOWN } from '../facts/module-facts.ts'
import {
  argumentAt,
  type Call,
  callVariable,
  createArguments,
  createCall,
  type Flow,
  hear,
  pass,
  type Receiver,
} from './calls.ts'
import { fieldOf } from './heap.ts'
import { newValue } from './heap-store.ts'
import { listOf } from './lists.ts'
import { addCopy, addValue, newVariable } from './network.ts'
import { ELEMENT, isOfScope, type Value } from './values.ts'

export type Model = (flow: Flow, call: Call, receiver: Receiver, callee: Value) => void

export const at = (call: Call, place: number): number => argumentAt(call.given, place)

/** The variable of a list's elements, made where a receiver is a list or a promise. */
export function elementsOf(flow: Flow, receiver: Receiver): number {
  if (typeof receiver !== 'object' || !isOfScope(receiver)) return PLAIN
  return fieldOf(flow.heap, receiver, ELEMENT)
}

/** A new list or promise that the call answers, always the same one. */
export function answer(flow: Flow, call: Call, kind: 'list' | 'promise' | 'object'): Value {
  const { heap } = flow
  const made = heap.made.get(call.site)
  if (made !== undefined && made.kind === kind) {
    if (call.result >= 0) addValue(heap.net, call.result, made)
    return made
  }
  const value = newValue(heap, kind)
  heap.made.set(call.site, value)
  if (call.result >= 0) addValue(heap.net, call.result, value)
  return value
}

export function fill(flow: Flow, list: Value, from: number): void {
  pass(flow, from, fieldOf(flow.heap, list, ELEMENT))
}

/** Calls what stands in an argument, here and now; answers the variable of what it gives. */
export function callBack(flow: Flow, call: Call, place: number, list: readonly number[]): number {
  const result = newVariable(flow.heap.net)
  const given = createArguments(listOf(list))
  callVariable(flow, createCall(call.site, given, result), at(call, place), undefined)
  return result
}

/** Elements of a list, or what a value that is not a list may hold. */
export function spreadOf(flow: Flow, variable: number): number {
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

/** A variable that holds a receiver and nothing else. */
export function selfOf(flow: Flow, receiver: Receiver): number {
  if (typeof receiver !== 'object') return receiver ?? PLAIN
  const { selves, net } = flow.heap
  const known = selves.get(receiver)
  if (known !== undefined) return known
  const to = newVariable(net)
  selves.set(receiver, to)
  addValue(net, to, receiver)
  return to
}

/** A promise of a promise is one of what that holds. */
export function settleInto(flow: Flow, promise: Value, from: number): void {
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
