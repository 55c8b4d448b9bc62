// SPDX-License-Identifier: Apache-2.0
import { NOTHING, PLAIN, UNKNOWN } from '../facts/module-facts.ts'
import { hear, pass } from './calls.ts'
import { everyOf, fieldOf } from './heap.ts'
import { builtin } from './heap-store.ts'
import { answer, at, callBack, elementsOf, fill, type Model, selfOf, spreadOf } from './model.ts'
import { addValue, newVariable } from './network.ts'
import { ELEMENT, isOfScope } from './values.ts'

export const each: Model = (flow, call, receiver) => {
  callBack(flow, call, 0, [elementsOf(flow, receiver), PLAIN, selfOf(flow, receiver)])
  pass(flow, PLAIN, call.result)
}

export const find: Model = (flow, call, receiver) => {
  callBack(flow, call, 0, [elementsOf(flow, receiver), PLAIN, selfOf(flow, receiver)])
  pass(flow, elementsOf(flow, receiver), call.result)
}

export const keep: Model = (flow, call, receiver) => {
  const elements = elementsOf(flow, receiver)
  callBack(flow, call, 0, [elements, elements === PLAIN ? PLAIN : elements, PLAIN])
  fill(flow, answer(flow, call, 'list'), elements)
}

export const mapped: Model = (flow, call, receiver) => {
  const list = [elementsOf(flow, receiver), PLAIN, selfOf(flow, receiver)]
  const result = callBack(flow, call, 0, list)
  const made = answer(flow, call, 'list')
  fill(flow, made, result)
  fill(flow, made, spreadOf(flow, result))
  fill(flow, made, PLAIN)
}

export const reduced: Model = (flow, call, receiver) => {
  const total = newVariable(flow.heap.net)
  const elements = elementsOf(flow, receiver)
  pass(flow, at(call, 1), total)
  pass(flow, elements, total)
  pass(flow, callBack(flow, call, 0, [total, elements, PLAIN, selfOf(flow, receiver)]), total)
  pass(flow, total, call.result)
}

export const copied: Model = (flow, call, receiver) => {
  const made = answer(flow, call, 'list')
  fill(flow, made, elementsOf(flow, receiver))
  for (let i = 0; i < call.given.list.length; i++) {
    fill(flow, made, at(call, i))
    fill(flow, made, spreadOf(flow, at(call, i)))
  }
  fill(flow, made, PLAIN)
}

/** Elements of lists that stand in a list; what is no list stays as it is. */
export const flattened: Model = (flow, call, receiver) => {
  const made = answer(flow, call, 'list')
  const elements = elementsOf(flow, receiver)
  fill(flow, made, elements)
  fill(flow, made, spreadOf(flow, elements))
  fill(flow, made, PLAIN)
}

export const taken: Model = (flow, call, receiver) => {
  pass(flow, elementsOf(flow, receiver), call.result)
  pass(flow, PLAIN, call.result)
}

export const put: Model = (flow, call, receiver) => {
  const elements = elementsOf(flow, receiver)
  for (const one of [...call.given.list, call.given.tail]) pass(flow, one, elements)
  if (typeof receiver === 'object') pass(flow, selfOf(flow, receiver), call.result)
  pass(flow, PLAIN, call.result)
}

export const membersOf: Model = (flow, call) => {
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
export const pairsOf: Model = (flow, call, receiver) => {
  const { heap } = flow
  membersOf(flow, call, receiver, builtin(heap, '#entries'))
  const made = answer(flow, call, 'list')
  addValue(heap.net, fieldOf(heap, made, ELEMENT), made)
  fill(flow, made, PLAIN)
}

export const iterated: Model = (flow, call, receiver) => {
  const made = answer(flow, call, 'list')
  fill(flow, made, elementsOf(flow, receiver))
  fill(flow, made, PLAIN)
  addValue(flow.heap.net, fieldOf(flow.heap, made, ELEMENT), made)
}

export const collection: Model = (flow, call) => {
  const made = answer(flow, call, 'list')
  for (let i = 0; i < call.given.list.length; i++) {
    const inner = spreadOf(flow, at(call, i))
    fill(flow, made, inner)
    fill(flow, made, spreadOf(flow, inner))
    fill(flow, made, at(call, i))
  }
}

export const listFrom: Model = (flow, call) => {
  const made = answer(flow, call, 'list')
  const elements = spreadOf(flow, at(call, 0))
  fill(flow, made, elements)
  if (at(call, 1) !== NOTHING) fill(flow, made, callBack(flow, call, 1, [elements, PLAIN]))
  fill(flow, made, PLAIN)
}

export const compared: Model = (flow, call, receiver) => {
  const elements = elementsOf(flow, receiver)
  callBack(flow, call, 0, [elements, elements])
  if (typeof receiver === 'object') pass(flow, selfOf(flow, receiver), call.result)
  pass(flow, PLAIN, call.result)
}
