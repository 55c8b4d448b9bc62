// SPDX-License-Identifier: Apache-2.0
import { NOTHING } from '../facts/module-facts.ts'
import { type Call, construct, give, hear } from './calls.ts'
import { protoOf, prototypeOf } from './heap.ts'
import { type Heap, knownField, numberOf } from './heap-store.ts'
import { addFlag, addUnknown, addValue, IS_PLAIN, IS_UNKNOWN } from './network.ts'
import type { Reader } from './reader.ts'
import type { Value } from './values.ts'

/** What a class extends, or the prototype of that for code that runs on an instance. */
export function eachBase(
  reader: Reader,
  cls: number,
  isStatic: boolean,
  found: (base: Value) => void,
  unknown: () => void,
): void {
  const { flow } = reader.program
  hear(
    flow,
    cls,
    (value) => {
      const owner = isStatic ? value : prototypeOf(flow.heap, value)
      hear(flow, protoOf(flow.heap, owner), found, (flag) => {
        if (flag === IS_UNKNOWN) unknown()
      })
    },
    () => {},
  )
}

export function superCall(reader: Reader, call: Call, cls: number, self: number): void {
  const { flow } = reader.program
  hear(
    flow,
    cls,
    (value) => {
      hear(
        flow,
        value.cls?.base ?? NOTHING,
        (base) => {
          if (base !== value) construct(flow, call, base, self)
        },
        (flag) => {
          if (flag !== IS_UNKNOWN) return
          call.site.isUnknown = true
          for (const one of call.given.list) give(flow, one)
        },
      )
    },
    () => {},
  )
}

/**
 * What of a variable is an instance of a class: an instance that was made by the class or one below
 * it. Of a class that is not known for certain anything may be an instance.
 */
export function narrow(reader: Reader, to: number, from: number, cls: number): void {
  const { flow } = reader.program
  const { net } = flow.heap
  hear(
    flow,
    from,
    (value) => {
      if (value.kind !== 'instance') return addValue(net, to, value)
      hear(
        flow,
        cls,
        (maker) => {
          if (isMadeBy(flow.heap, value, maker)) addValue(net, to, value)
        },
        (flag) => {
          if (flag === IS_UNKNOWN) addValue(net, to, value)
        },
      )
    },
    (flag) => {
      if (flag === IS_UNKNOWN) addUnknown(net, to)
      else if (flag === IS_PLAIN) addFlag(net, to, IS_PLAIN)
    },
  )
}

/**
 * Whether an instance may be one of what stands right of `instanceof`: a class that extends nothing
 * makes instances of itself alone, unless the other one says by itself which are its own.
 */
function isMadeBy(heap: Heap, { of }: Value, maker: Value): boolean {
  if (maker.kind === 'object' || maker.kind === 'list') return false
  if (of === undefined || of === maker || of.kind !== 'class') return true
  return (
    of.cls === undefined ||
    of.cls.base >= 0 ||
    knownField(heap, maker, numberOf(heap, HAS_INSTANCE)) >= 0
  )
}

const HAS_INSTANCE = '@@Symbol.hasInstance'
