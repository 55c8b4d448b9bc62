// SPDX-License-Identifier: Apache-2.0
import { externalMember, inheritedMember, memberPath } from './builtin-names.ts'
import {
  addField,
  builtin,
  eachField,
  emptyHeap,
  external,
  type Heap,
  joinPool,
  knownField,
  nameAt,
  newValue,
  noteReachable,
  numberOf,
} from './heap-store.ts'
import {
  addCopy,
  addFlag,
  addUnknown,
  addValue,
  has,
  IS_GIVEN,
  IS_OWN,
  IS_UNKNOWN,
  markOwn,
  newVariable,
  giveAway as putInLine,
  valuesOf,
  watch,
} from './network.ts'
import { addPair, getPair } from './pair-table.ts'
import { ELEMENT, isOfScope, type ScopeFunction, type Value } from './values.ts'
import { WATCHED, watchBy } from './watched.ts'

/** @param words  how long the programs are together, which says about how large the tables become */
export function createHeap(words: number): Heap {
  const heap: Heap = emptyHeap(words, (value) => handOver(heap, value))
  for (const name of [PROTOTYPE, ELEMENT]) numberOf(heap, name)
  return heap
}

const PROTOTYPE = 'prototype'
const PROTOTYPE_NUMBER = 0
export const ELEMENT_NUMBER = 1

/** The variable of an object's own member. */
export function fieldOf(heap: Heap, object: Value, name: string): number {
  return fieldAt(heap, object, numberOf(heap, name))
}

/** The same by the number of the name. */
export function fieldAt(heap: Heap, object: Value, name: number): number {
  const known = knownField(heap, object, name)
  if (known >= 0) return known
  const { net } = heap
  const field = newVariable(net)
  addField(heap, object, name, field)
  const looked = getPair(heap.looked, object.id, name)
  if (looked >= 0) addCopy(net, field, looked)
  if (object.every >= 0) addCopy(net, field, object.every)
  if (object.isEscaped) giveField(heap, object, name, field)
  return field
}

/** Says that a member is an object's own for certain. */
export function setOwn(heap: Heap, object: Value, name: string): void {
  markOwn(heap.net, fieldOf(heap, object, name))
}

export function protoOf(heap: Heap, object: Value): number {
  if (object.proto >= 0) return object.proto
  object.proto = newVariable(heap.net)
  if (object.isEscaped) addFlag(heap.net, object.proto, IS_GIVEN)
  return object.proto
}

/**
 * The variable of what a computed name may read: each member of an object literal, else what was set
 * under a computed name, and what is unknown.
 */
export function everyOf(heap: Heap, object: Value): number {
  if (object.kind === 'list') return lookUp(heap, object, ELEMENT)
  if (object.every >= 0) return object.every
  if (object.kind !== 'object') {
    object.every = newVariable(heap.net)
    addFlag(heap.net, object.every, IS_UNKNOWN)
    addCopy(heap.net, lookUp(heap, object, ELEMENT), object.every)
    return object.every
  }
  object.every = newVariable(heap.net)
  eachField(heap, object, (_, field) => addCopy(heap.net, field, object.every))
  watchBy(heap, protoOf(heap, object), {
    value: (proto) => {
      if (isOfScope(proto)) addCopy(heap.net, everyOf(heap, proto), object.every)
    },
    flag: (flag) => {
      if (flag === IS_UNKNOWN) addUnknown(heap.net, object.every)
    },
  })
  return object.every
}

/** The variable of what a member of this name may be, prototypes included. */
export function lookUp(heap: Heap, object: Value, name: string): number {
  return lookUpAt(heap, object, numberOf(heap, name))
}

/** The same by the number of the name. */
export function lookUpAt(heap: Heap, object: Value, number: number): number {
  const known = getPair(heap.looked, object.id, number)
  if (known >= 0) return known
  const { net } = heap
  const found = newVariable(net)
  addPair(heap.looked, object.id, number, found)
  const name = nameAt(heap, number)
  if (object.kind === 'external')
    addValue(net, found, external(heap, externalMember(object.name, name)))
  else if (object.kind === 'builtin') lookUpBuiltin(heap, object, name, found)
  else lookUpOwn(heap, object, number, found)
  return found
}

function lookUpBuiltin(heap: Heap, object: Value, name: string, found: number): void {
  addValue(heap.net, found, builtin(heap, memberPath(object.name, name)))
}

function lookUpOwn(heap: Heap, object: Value, number: number, found: number): void {
  const { net } = heap
  const name = nameAt(heap, number)
  const own = knownField(heap, object, number)
  if (own >= 0) addCopy(net, own, found)
  const getter = object.getters.get(name)
  if (getter !== undefined) {
    addCopy(net, getter.result, found)
    if (getter.self >= 0) addValue(net, getter.self, object)
  }
  if (number === PROTOTYPE_NUMBER && (object.kind === 'function' || object.kind === 'class')) {
    addValue(net, fieldAt(heap, object, number), prototypeOf(heap, object))
    return
  }
  if (own >= 0 && has(net, own, IS_OWN)) return
  const inherited = inheritedMember(object.kind, name)
  if (inherited !== undefined) addValue(net, found, builtin(heap, inherited))
  watch(net, protoOf(heap, object), WATCHED.inherited, object.id, number, found)
}

/** Looks for a member in a prototype of an object. */
export function inheritFrom(
  heap: Heap,
  object: Value,
  name: number,
  to: number,
  proto: Value,
): void {
  if (proto === object) return
  const getter = proto.getters.get(nameAt(heap, name))
  if (getter !== undefined && getter.self >= 0) addValue(heap.net, getter.self, object)
  addCopy(heap.net, lookUpAt(heap, proto, name), to)
}

/** What was set under a computed name is looked for under a name that nothing was set under. */
export function lookUpAny(heap: Heap, object: Value, to: number): void {
  const dynamic = knownField(heap, object, ELEMENT_NUMBER)
  if (dynamic >= 0 && object.kind !== 'list') addCopy(heap.net, dynamic, to)
  if (object.proto < 0) return
  for (const proto of valuesOf(heap.net, object.proto)) {
    const inherited = knownField(heap, proto, ELEMENT_NUMBER)
    if (inherited >= 0 && proto.kind !== 'list') addCopy(heap.net, inherited, to)
  }
}

/** What `new` of a class or a function gives: one value for all of them. */
export function instanceOf(heap: Heap, maker: Value): Value {
  const known = heap.instances.get(maker)
  if (known !== undefined) return known
  const made = newValue(heap, 'instance', { of: maker })
  heap.instances.set(maker, made)
  const { net } = heap
  addCopy(net, lookUp(heap, maker, 'prototype'), protoOf(heap, made))
  if (maker.cls !== undefined) bindInstance(heap, maker, made)
  else if (maker.fn !== undefined && maker.fn.self >= 0) addValue(net, maker.fn.self, made)
  return made
}

/** `this` of the constructors and initialisers that run for an instance, up the classes it extends. */
function bindInstance(heap: Heap, maker: Value, made: Value, seen: Set<Value> = new Set()): void {
  const { net } = heap
  // A variable may hold a class and what it extends at once, so that the way up leads round.
  if (seen.has(maker)) return
  seen.add(maker)
  const { cls } = maker
  if (cls === undefined) {
    if (maker.fn !== undefined && maker.fn.self >= 0) addValue(net, maker.fn.self, made)
    return
  }
  addValue(net, cls.instance, made)
  if (cls.maker !== undefined && cls.maker.self >= 0) addValue(net, cls.maker.self, made)
  if (cls.base < 0) return
  watchBy(heap, cls.base, {
    value: (base) => {
      if (base.kind === 'class' || base.kind === 'function') bindInstance(heap, base, made, seen)
      else if (base.kind === 'external') giveAway(heap, made)
    },
    flag: (flag) => {
      if (flag === IS_UNKNOWN) giveAway(heap, made)
    },
  })
}

export function prototypeOf(heap: Heap, maker: Value): Value {
  const known = heap.prototypes.get(maker)
  if (known !== undefined) return known
  const made = newValue(heap, 'prototype', { of: maker })
  heap.prototypes.set(maker, made)
  const { net } = heap
  addValue(net, fieldOf(heap, made, 'constructor'), maker)
  if (maker.cls !== undefined && maker.cls.base >= 0) {
    watchBy(heap, maker.cls.base, {
      value: (base) => {
        if (base !== maker) addCopy(net, lookUp(heap, base, 'prototype'), protoOf(heap, made))
      },
      flag: (flag) => {
        if (flag === IS_UNKNOWN) addUnknown(net, protoOf(heap, made))
      },
    })
    addCopy(net, maker.cls.base, protoOf(heap, maker))
  }
  return made
}

/** Gives a value to code outside, which may then call it, read it and hand it on. */
export function giveAway(heap: Heap, value: Value): void {
  if (!value.isEscaped && isOfScope(value)) putInLine(heap.net, value)
}

function handOver(heap: Heap, value: Value): void {
  if (value.isEscaped || !isOfScope(value)) return
  value.isEscaped = true
  const { net } = heap
  if (value.fn !== undefined) {
    // A function with methods on its prototype is a constructor: `this` is what it makes.
    const isMaker = (heap.prototypes.get(value)?.fieldCount ?? 0) > 1
    if (isMaker) giveAway(heap, instanceOf(heap, value))
    openFunction(
      heap,
      value.fn,
      isMaker ? instanceOf(heap, value) : undefined,
      heap.owned.has(value),
    )
  }
  if (value.kind === 'class' || value.kind === 'function') {
    if (value.kind === 'class') escapeClass(heap, value)
    heap.reachableFunctions++
  }
  giveMembers(heap, value, value)
  for (const getter of value.getters.values()) openFunction(heap, getter, receiverOf(heap, value))
  for (const setter of value.setters.values()) openFunction(heap, setter, receiverOf(heap, value))
  if (value.proto >= 0) addFlag(net, value.proto, IS_GIVEN)
}

function escapeClass(heap: Heap, value: Value): void {
  const made = instanceOf(heap, value)
  if (value.cls?.maker !== undefined) openFunction(heap, value.cls.maker, made)
  giveAway(heap, made)
}

function giveMembers(heap: Heap, object: Value, receiver: Value): void {
  eachField(heap, object, (name, field) => giveField(heap, receiver, name, field))
}

/** A function that is found in an object is called on that object. */
function giveField(heap: Heap, receiver: Value, name: number, field: number): void {
  watch(heap.net, field, WATCHED.given, receiver.id, name, 0)
}

/** A value in a member of an object that code outside has. */
export function giveMember(heap: Heap, owner: Value, name: number, value: Value): void {
  if (value.kind === 'function' || value.kind === 'class') noteReachable(heap, owner, name)
  if (value.fn !== undefined && name !== ELEMENT_NUMBER) joinPool(heap, name, value.fn)
  if (value.kind !== 'function' || value.fn === undefined) return giveAway(heap, value)
  if (value.isEscaped) return
  openFunction(heap, value.fn, receiverOf(heap, owner))
  if (value.isShown) return
  value.isShown = true
  giveMembers(heap, value, value)
}

function receiverOf(heap: Heap, object: Value): Value {
  return object.kind === 'prototype' && object.of !== undefined
    ? instanceOf(heap, object.of)
    : object
}

/** Code outside may call this with anything. Without an object it may be called on anything, too. */
function openFunction(
  heap: Heap,
  fn: ScopeFunction,
  receiver: Value | undefined,
  isOwned = false,
): void {
  const { net } = heap
  heap.reachableFunctions++
  const { parameters } = fn
  for (let i = 0; i < parameters.length; i++) {
    const parameter = parameters[i] ?? -1
    if (parameter >= 0) addUnknown(net, parameter)
  }
  if (fn.rest >= 0) addUnknown(net, fn.rest)
  if (fn.all >= 0) addUnknown(net, fn.all)
  addFlag(net, fn.result, IS_GIVEN)
  if (fn.self < 0) return
  if (receiver !== undefined) addValue(net, fn.self, receiver)
  else if (!fn.fact.isMethod && !isOwned) addUnknown(net, fn.self)
}

/** Whether an object may hold a function or an instance of the scope. */
export function holdsCode(heap: Heap, object: Value): boolean {
  if (object.kind === 'function' || object.kind === 'class' || object.kind === 'instance')
    return true
  if (!isOfScope(object)) return false
  const { fieldList } = heap
  for (let at = object.firstField; at !== 0; at = fieldList[at + 2] ?? 0) {
    const field = fieldList[at + 1] ?? 0
    const values = valuesOf(heap.net, field)
    if (values.some(({ kind }) => kind === 'function' || kind === 'class' || kind === 'instance')) {
      return true
    }
    if (has(heap.net, field, IS_UNKNOWN)) return true
  }
  return false
}
