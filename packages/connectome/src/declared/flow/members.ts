// SPDX-License-Identifier: Apache-2.0
import { NOTHING, PLAIN, SHAPE, UNKNOWN } from '../facts/module-facts.ts'
import { GLOBALS } from './builtin-names.ts'
import { bind, createArguments, type Flow, give, hear, pass, symbolName } from './calls.ts'
import { everyOf, fieldAt, fieldOf, lookUp, protoOf, setOwn } from './heap.ts'
import { builtin, eachField, nameAt, newValue } from './heap-store.ts'
import type { LinkedModule } from './link.ts'
import { listOf } from './lists.ts'
import {
  addCopy,
  addFlag,
  addUnknown,
  addValue,
  IS_PLAIN,
  IS_UNKNOWN,
  markOwn,
  newVariable,
  valuesOf,
  watch,
} from './network.ts'
import { heapOf, type Reader } from './reader.ts'
import { ELEMENT, isOfScope, setAccessor, type Value } from './values.ts'
import { WATCHED } from './watched.ts'

export function makeObject(reader: Reader, to: number, shape: number): void {
  const kind = shape === SHAPE.list ? 'list' : shape === SHAPE.promise ? 'promise' : 'object'
  addValue(heapOf(reader).net, to, newValue(heapOf(reader), kind))
}

/** Reads a member by the number of its name. */
export function loadMember(reader: Reader, to: number, object: number, name: number): void {
  const { heap } = reader.program.flow
  reader.waiting.reads.push({ to, object })
  if (object >= 0) watch(heap.net, object, WATCHED.loaded, to, name, 0)
  else if (object === UNKNOWN) addUnknown(heap.net, to)
  else if (object === PLAIN) addFlag(heap.net, to, IS_PLAIN)
}

/** Sets a member by the number of its name. */
export function storeMember(
  reader: Reader,
  object: number,
  name: number,
  from: number,
  isCertain: boolean,
): void {
  const { flow } = reader.program
  const { heap } = flow
  for (const value of valuesOf(heap.net, from)) if (value.fn !== undefined) heap.owned.add(value)
  if (object >= 0) watch(heap.net, object, WATCHED.stored, from, name, isCertain ? 1 : 0)
  else if (object === UNKNOWN) storeOfFlag(flow, name, from, IS_UNKNOWN)
  else if (object === PLAIN) storeOfFlag(flow, name, from, IS_PLAIN)
}

/** Sets a member of a value by the number of its name. */
export function storeInto(
  flow: Flow,
  value: Value,
  name: number,
  from: number,
  isCertain: boolean,
): void {
  if (!isOfScope(value)) return give(flow, from)
  const { heap } = flow
  const field = fieldAt(heap, value, name)
  if (isCertain) markOwn(heap.net, field)
  pass(flow, from, field)
  const setter = value.setters.get(nameAt(heap, name))
  if (setter !== undefined) callSetter(flow, setter, from, value)
}

/** The same for an object of which a flag says all that is known. */
export function storeOfFlag(flow: Flow, name: number, from: number, flag: number): void {
  // Code outside may later find a function under a name that was set on an unknown object.
  if (flag === IS_UNKNOWN) flow.heap.reachableNames.add(nameAt(flow.heap, name))
  if (flag === IS_UNKNOWN || flag === IS_PLAIN) give(flow, from)
}

type Fn = LinkedModule['functions'][number]

function callSetter(flow: Flow, setter: Fn, from: number, self: Value): void {
  bind(flow, { given: createArguments(listOf([from])), result: NOTHING }, setter, self)
}

export function loadKey(reader: Reader, to: number, object: number, key: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    object,
    (value) => {
      if (!isOfScope(value)) return addCopy(heap.net, lookUp(heap, value, ELEMENT), to)
      hear(
        flow,
        key,
        (name) => {
          const symbol = symbolName(name)
          const from = symbol === undefined ? everyOf(heap, value) : lookUp(heap, value, symbol)
          addCopy(heap.net, from, to)
        },
        (flag) => {
          if (flag === IS_PLAIN || flag === IS_UNKNOWN) addCopy(heap.net, everyOf(heap, value), to)
        },
      )
    },
    (flag) => {
      if (flag === IS_UNKNOWN) addUnknown(heap.net, to)
      else if (flag === IS_PLAIN) addFlag(heap.net, to, IS_PLAIN)
    },
  )
}

export function storeKey(reader: Reader, object: number, key: number, from: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    object,
    (value) => {
      if (!isOfScope(value)) return give(flow, from)
      hear(
        flow,
        key,
        (name) => {
          pass(flow, from, fieldOf(heap, value, symbolName(name) ?? ELEMENT))
        },
        (flag) => {
          if (flag === IS_PLAIN || flag === IS_UNKNOWN)
            pass(flow, from, fieldOf(heap, value, ELEMENT))
        },
      )
    },
    (flag) => {
      if (flag !== IS_UNKNOWN && flag !== IS_PLAIN) return
      if (flag === IS_UNKNOWN) noteAnyName(reader, from)
      give(flow, from)
    },
  )
}

function noteAnyName(reader: Reader, from: number): void {
  const { flow } = reader.program
  hear(
    flow,
    from,
    ({ kind }) => {
      if (kind === 'function' || kind === 'class') flow.heap.reachableByAnyName = true
    },
    () => {},
  )
}

/** What awaiting gives: what a promise holds, anything else as it is. */
export function unwrap(reader: Reader, from: number, to: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    from,
    (value) => {
      if (value.kind !== 'promise') addValue(heap.net, to, value)
      else addCopy(heap.net, fieldOf(heap, value, ELEMENT), to)
    },
    (flag) => {
      if (flag === IS_UNKNOWN) addUnknown(heap.net, to)
      else if (flag === IS_PLAIN) addFlag(heap.net, to, IS_PLAIN)
    },
  )
}

export function readGlobal(reader: Reader, to: number, name: string): void {
  const { heap } = reader.program.flow
  if (name === 'globalThis' || name === 'global') return addValue(heap.net, to, reader.global)
  if (GLOBALS.has(name)) return addValue(heap.net, to, builtin(heap, name))
  addCopy(heap.net, fieldOf(heap, reader.global, name), to)
  const object = newVariable(heap.net)
  addValue(heap.net, object, reader.global)
  reader.waiting.reads.push({ to, object })
}

export function define(reader: Reader, object: number, name: string, descriptor: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    object,
    (value) => {
      if (!isOfScope(value)) return give(flow, descriptor)
      hear(
        flow,
        descriptor,
        (described) => {
          if (!isOfScope(described)) return
          addCopy(heap.net, lookUp(heap, described, 'value'), fieldOf(heap, value, name))
          hear(
            flow,
            lookUp(heap, described, 'get'),
            ({ fn }) => {
              if (fn === undefined) return
              addCopy(heap.net, fn.result, fieldOf(heap, value, name))
              if (fn.self >= 0) addValue(heap.net, fn.self, value)
            },
            () => {},
          )
        },
        () => {},
      )
    },
    (flag) => {
      if (flag === IS_UNKNOWN) heap.reachableNames.add(name)
      give(flow, descriptor)
    },
  )
}

export function inherit(reader: Reader, object: number, from: number): void {
  const { flow } = reader.program
  hear(
    flow,
    object,
    (value) => {
      if (isOfScope(value)) pass(flow, from, protoOf(flow.heap, value))
      else give(flow, from)
    },
    () => give(flow, from),
  )
}

export function addAccessor(
  reader: Reader,
  object: number,
  name: string,
  place: number,
  isSetter: boolean,
): void {
  const { flow } = reader.program
  const fn = reader.module.functions[place]
  hear(
    flow,
    object,
    (value) => {
      if (fn === undefined) return
      if (isSetter) setAccessor(value, 'setters', name, fn)
      else {
        setAccessor(value, 'getters', name, fn)
        setOwn(flow.heap, value, name)
      }
      if (value.kind === 'prototype' && value.of !== undefined && fn.self >= 0) {
        bindSelf(reader, fn, value.of)
      }
    },
    () => {},
  )
}

/** An accessor of a class runs on its instances; one of an object on that. */
function bindSelf(reader: Reader, fn: Fn, maker: Value): void {
  const { cls } = maker
  if (cls !== undefined) addCopy(heapOf(reader).net, cls.instance, fn.self)
}

export function publish(reader: Reader, object: number, members: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    members,
    (value) => {
      eachField(heap, value, (name, field) => {
        hear(
          flow,
          field,
          ({ fn }) => {
            if (fn === undefined) return
            hear(
              flow,
              object,
              (target) => {
                if (isOfScope(target)) addCopy(heap.net, fn.result, fieldAt(heap, target, name))
              },
              () => {},
            )
          },
          () => {},
        )
      })
    },
    () => {},
  )
}
