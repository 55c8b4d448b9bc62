// SPDX-License-Identifier: Apache-2.0
import { NOTHING } from '../facts/module-facts.ts'
import { type Arguments, type Call, createArguments, createCall, hear, pass } from './calls.ts'
import type { Program } from './exports.ts'
import { lookUp } from './heap.ts'
import { type Heap, numberOf } from './heap-store.ts'
import { globalOf, type LinkedModule } from './link.ts'
import { createList } from './lists.ts'
import { addCopy, addFlag, addUnknown, IS_PLAIN, IS_UNKNOWN, newVariable } from './network.ts'
import type { Site } from './sites.ts'
import { ELEMENT, isOfScope, type Value } from './values.ts'

/** A read that found nothing may have to answer that it is unknown, once all values are known. */
export interface Pending {
  readonly to: number
  readonly object: number
}

/** A call of a member of which the same is true. */
export interface PendingCall {
  readonly call: Call
  readonly object: number
  /** By its number. */
  readonly name: number
}

/** What waits until all values are known. */
export interface Waiting {
  reads: Pending[]
  calls: PendingCall[]
}

/** A module's program while it is read: the words, and where in them. */
export interface Reader {
  readonly program: Program
  readonly module: LinkedModule
  readonly global: Value
  readonly waiting: Waiting
  at: number
}

export function word(reader: Reader): number {
  return reader.module.source.facts.code[reader.at++] ?? NOTHING
}

export function variable(reader: Reader): number {
  return globalOf(reader.module, word(reader))
}

export function string(reader: Reader): string {
  return reader.module.source.facts.strings[word(reader)] ?? ''
}

/** The number of a name among those of all modules. */
export function name(reader: Reader): number {
  const { names, source } = reader.module
  const place = word(reader)
  const known = names[place] ?? 0
  if (known > 0) return known - 1
  const number = numberOf(heapOf(reader), source.facts.strings[place] ?? '')
  names[place] = number + 1
  return number
}

export function site(reader: Reader): Site {
  const found = reader.module.sites[word(reader)]
  if (found !== undefined) return found
  throw new TypeError('A program names a call site that it does not have') // only a fault of ours
}

const NO_ARGUMENTS = createArguments(createList(0))

export function given(reader: Reader): Arguments {
  const count = word(reader)
  if (count === 0) return NO_ARGUMENTS
  const list = createList(count)
  let size = 0
  let tail = NOTHING
  for (let i = 0; i < count; i++) {
    const packed = word(reader)
    const one = globalOf(reader.module, packed >> 1)
    if ((packed & 1) === 0 && tail === NOTHING) list[size++] = one
    else {
      if (tail === NOTHING) tail = newVariable(heapOf(reader).net)
      if ((packed & 1) === 0) pass(reader.program.flow, one, tail)
      else readElement(reader, tail, one)
    }
  }
  list.length = size
  return createArguments(list, tail)
}

export const heapOf = (reader: Reader): Heap => reader.program.flow.heap

export function callAt(reader: Reader, where: Site, isNew: boolean): Call {
  const result = variable(reader)
  return createCall(where, given(reader), result, isNew)
}

export function readElement(reader: Reader, to: number, list: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    list,
    (value) => {
      if (isOfScope(value)) addCopy(heap.net, lookUp(heap, value, ELEMENT), to)
      else addUnknown(heap.net, to)
    },
    (flag) => {
      if (flag === IS_UNKNOWN) addUnknown(heap.net, to)
      else if (flag === IS_PLAIN) addFlag(heap.net, to, IS_PLAIN)
    },
  )
}
