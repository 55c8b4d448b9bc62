// SPDX-License-Identifier: Apache-2.0
import { NOTHING, PLAIN, UNKNOWN } from '../facts/module-facts.ts'
import { give, hear, pass } from './calls.ts'
import { fieldAt, lookUp, protoOf, prototypeOf } from './heap.ts'
import { builtin, eachField } from './heap-store.ts'
import { answer, at, type Model } from './model.ts'
import { addCopy, addValue } from './network.ts'
import { isOfScope } from './values.ts'

export const same: Model = (flow, call) => pass(flow, at(call, 0), call.result)

export const assigned: Model = (flow, call) => {
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

export const inherited: Model = (flow, call) => {
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

export const created: Model = (flow, call) => {
  const made = answer(flow, call, 'object')
  pass(flow, at(call, 0), protoOf(flow.heap, made))
  const described = at(call, 1)
  if (described === NOTHING) return
  hear(
    flow,
    described,
    (value) => {
      eachField(flow.heap, value, (name, field) => {
        hear(
          flow,
          field,
          (descriptor) => {
            addCopy(
              flow.heap.net,
              lookUp(flow.heap, descriptor, 'value'),
              fieldAt(flow.heap, made, name),
            )
          },
          () => {},
        )
      })
    },
    () => {},
  )
}

export const wrapped: Model = (flow, call) => {
  for (const one of call.given.list) give(flow, one)
  pass(flow, UNKNOWN, call.result)
}

export const symbol: Model = (flow, call) => {
  if (call.result >= 0) addValue(flow.heap.net, call.result, builtin(flow.heap, 'Symbol.for()'))
}

export const prototypes: Model = (flow, call) => {
  hear(
    flow,
    at(call, 0),
    (value) => {
      if (isOfScope(value)) pass(flow, protoOf(flow.heap, value), call.result)
    },
    (flag) => pass(flow, flag === 2 ? UNKNOWN : PLAIN, call.result),
  )
}
