// SPDX-License-Identifier: Apache-2.0
import { type Json, pointTo, setMember } from './json.ts'
import { SCHEMA_LIMITS } from './limits.ts'
import type { Refuse } from './refuse.ts'

/**
 * Copies a host's schema into plain JSON, within bounds that hold before anything recurses into it.
 * Symbol keys, members that are `undefined` and everything inherited are left out, as
 * `JSON.stringify` leaves them out of what is published; the host's object is only read, each member
 * once.
 *
 * @throws BEAM_ERR_SCHEMA_UNSUPPORTED on values that JSON lacks, and on a schema that is too deep
 *   (which is how a cycle shows) or too large
 */
export function readDocument(schema: unknown, refuse: Refuse): Json {
  let values = 0
  let textLength = 0

  function readValue(value: unknown, pointer: string, level: number): Json {
    values++
    if (values > SCHEMA_LIMITS.values) {
      throw refuse('', `it has more than ${SCHEMA_LIMITS.values} values; make it smaller`)
    }
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') return readText(value)
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (typeof value !== 'object') throw refuse(pointer, `${describe(value)} is not JSON`)
    if (level > SCHEMA_LIMITS.nesting) throw refuse(pointer.slice(0, 80), TOO_DEEP)
    return Array.isArray(value)
      ? readArray(value, pointer, level)
      : readObject(value, pointer, level)
  }

  function readArray(items: readonly unknown[], pointer: string, level: number): Json {
    // Array.from visits the holes of a sparse array too: they are `undefined`, which is not JSON.
    return Array.from(items, (item, index) => readValue(item, pointTo(pointer, index), level + 1))
  }

  function readObject(object: object, pointer: string, level: number): Json {
    if (!isPlain(object)) throw refuse(pointer, `${describe(object)} is not a plain object`)
    const copy: Record<string, Json> = {}
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined) continue
      readText(key)
      setMember(copy, key, readValue(value, pointTo(pointer, key), level + 1))
    }
    return copy
  }

  function readText(text: string): string {
    textLength += text.length
    if (textLength > SCHEMA_LIMITS.textLength) {
      throw refuse('', `its text is longer than ${SCHEMA_LIMITS.textLength} characters; shorten it`)
    }
    return text
  }

  return readValue(schema, '', 1)
}

const TOO_DEEP = `it nests deeper than ${SCHEMA_LIMITS.nesting} levels, or contains itself; name the repeated part in $defs and refer to it`

/** An object literal, of this realm or of another one, or one without a prototype. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype === null) return true
  return (
    typeof prototype === 'object' &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'hasOwnProperty')
  )
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return `a value of type ${typeof value}`
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object of a class'
}
