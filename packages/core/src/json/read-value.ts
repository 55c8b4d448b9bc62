// SPDX-License-Identifier: Apache-2.0
import { putOwn } from './put-own.ts'
import { type JsonAccepted, type JsonReading, MAX_DEPTH, NOT_JSON, TOO_DEEP } from './reading.ts'

/**
 * Values (members, items and the root) that one message in memory may hold. Without a bound, 40
 * arrays that each hold the next one twice are a message of 2^40 values. No body of a megabyte
 * has as many.
 */
const MAX_VALUES = 1_048_576

/** What `copyValue` gives back for a value with no JSON form. */
const REFUSED = Symbol('refused')

interface Progress {
  values: number
  isTooDeep: boolean
  hasInexact: boolean
}

/**
 * Reads a message that a caller in the same process has already decoded.
 *
 * Admits `null`, booleans, well-formed strings, finite numbers, `bigint`, arrays, and objects that
 * are plain or have no prototype. The value of the reading is a fresh copy: each property is read
 * once, members that are `undefined` are left out, a `bigint` within ±(2^53 - 1) is a `number`.
 * Everything else is refused as not valid JSON: symbol keys, class instances, functions, NaN,
 * infinities, lone surrogates, `undefined` or a hole in an array, a getter that throws, and more
 * than 1,048,576 values. A cycle is refused as nesting deeper than 64 levels.
 *
 * @returns the copy, or a refusal of the kinds `nesting` and `syntax`; never throws. Its
 * `isIntegerLexeme` goes by how `JSON.stringify` would write the number
 * @see docs/http.md, row 11
 */
export function readValue(value: unknown): JsonReading {
  const progress: Progress = { values: 0, isTooDeep: false, hasInexact: false }
  let copy: unknown
  try {
    copy = copyValue(value, 0, progress)
  } catch {
    return NOT_JSON // A getter or a proxy of the caller has thrown.
  }
  if (copy === REFUSED) return progress.isTooDeep ? TOO_DEEP : NOT_JSON
  return {
    ok: true,
    value: copy,
    hasInexact: progress.hasInexact,
    isIntegerLexeme: integerLexemesIn(copy),
  }
}

function copyValue(value: unknown, depth: number, progress: Progress): unknown {
  if (++progress.values > MAX_VALUES) return REFUSED
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value : REFUSED
    case 'number':
      return Number.isFinite(value) ? value : REFUSED
    case 'bigint':
      return copyBigInt(value, progress)
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : copyContainer(value, depth + 1, progress)
    default:
      return REFUSED
  }
}

function copyBigInt(value: bigint, progress: Progress): unknown {
  const rounded = Number(value)
  if (Number.isSafeInteger(rounded)) return rounded
  progress.hasInexact = true
  return value
}

function copyContainer(value: object, depth: number, progress: Progress): unknown {
  if (depth > MAX_DEPTH) {
    progress.isTooDeep = true
    return REFUSED
  }
  if (Object.getOwnPropertySymbols(value).length > 0) return REFUSED
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) {
    return prototype === Array.prototype ? copyItems(value, depth, progress) : REFUSED
  }
  const isPlain = prototype === Object.prototype || prototype === null
  return isPlain ? copyMembers(value, depth, progress) : REFUSED
}

function copyItems(items: readonly unknown[], depth: number, progress: Progress): unknown {
  const copy: unknown[] = []
  const { length } = items
  for (let index = 0; index < length; index++) {
    const item = copyValue(items[index], depth, progress)
    if (item === REFUSED) return REFUSED
    putOwn(copy, index, item)
  }
  return copy
}

function copyMembers(members: object, depth: number, progress: Progress): unknown {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(members)) {
    const given: unknown = Reflect.get(members, key)
    if (given === undefined) continue
    const member = key.isWellFormed() ? copyValue(given, depth, progress) : REFUSED
    if (member === REFUSED) return REFUSED
    putOwn(copy, key, member)
  }
  return copy
}

function integerLexemesIn(root: unknown): JsonAccepted['isIntegerLexeme'] {
  return (path) => {
    let value = root
    for (const key of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return true
      value = Reflect.get(value, key)
    }
    return typeof value !== 'number' || !/[.e]/.test(String(value))
  }
}
