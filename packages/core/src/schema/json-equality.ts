// SPDX-License-Identifier: Apache-2.0
import { randomInt } from 'node:crypto'
import { type Meter, spend } from './meter.ts'

/** Work of one value, and characters read per unit. */
const VALUE_UNITS = 3
const MEMBER_UNITS = 6
const CHARS_PER_UNIT = 4

/** Unknown outside this process, so that nobody can prepare values whose hashes meet. */
const SEED = randomInt(2 ** 31)

const double = new Float64Array(1)
const words = new Int32Array(double.buffer)

/**
 * A 32-bit hash that equal JSON values share: `1` and `1.0` are one number, the order of members means
 * nothing. Members may have any name, `__proto__` too.
 *
 * @param meter  charged for every value and character
 */
export function hashJson(value: unknown, meter: Meter): number {
  spend(meter, VALUE_UNITS)
  if (typeof value === 'string') return hashText(value, meter)
  if (typeof value === 'number') return hashNumber(value)
  if (typeof value !== 'object' || value === null)
    return value === null ? 1 : value === true ? 2 : 3
  return Array.isArray(value) ? hashArray(value, meter) : hashObject(value, meter)
}

/**
 * Whether two JSON values are equal.
 *
 * @param meter  charged as for a hash of the shorter one
 * @see JSON Schema 2020-12, Core, section 4.2.2
 */
export function equalsJson(a: unknown, b: unknown, meter: Meter): boolean {
  spend(meter, VALUE_UNITS)
  if (typeof a === 'string' && typeof b === 'string') return equalsText(a, b, meter)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equalsJson(item, b[index], meter))
  }
  if (Array.isArray(a) || Array.isArray(b)) return false
  return equalsObject(a, b, meter)
}

function equalsText(a: string, b: string, meter: Meter): boolean {
  if (a.length !== b.length) return false
  spend(meter, a.length / CHARS_PER_UNIT)
  return a === b
}

function equalsObject(a: object, b: object, meter: Meter): boolean {
  const names = Object.keys(a)
  const others = Object.keys(b)
  spend(meter, MEMBER_UNITS * Math.max(names.length, others.length))
  if (names.length !== others.length) return false
  return names.every(
    (name) =>
      Object.hasOwn(b, name) && equalsJson(Reflect.get(a, name), Reflect.get(b, name), meter),
  )
}

function hashText(text: string, meter: Meter): number {
  spend(meter, text.length / CHARS_PER_UNIT)
  let hash = SEED ^ text.length
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix(hash)
}

function hashNumber(value: number): number {
  // Adding zero makes one number of 0 and -0.
  double[0] = value + 0
  return mix(Math.imul((words[0] ?? 0) ^ SEED, 0x2c1b3c6d) ^ mix((words[1] ?? 0) + 7))
}

function hashArray(items: readonly unknown[], meter: Meter): number {
  let hash = SEED ^ 0x5bd1e995
  for (const item of items) hash = mix(hash ^ hashJson(item, meter))
  return hash
}

function hashObject(object: object, meter: Meter): number {
  const names = Object.keys(object)
  spend(meter, MEMBER_UNITS * names.length)
  // A sum doesn't depend on the order of what is added.
  let sum = SEED ^ names.length
  for (const name of names) {
    const value: unknown = Reflect.get(object, name)
    sum = (sum + mix(hashText(name, meter) ^ Math.imul(hashJson(value, meter), 0x27d4eb2f))) | 0
  }
  return mix(sum)
}

/** Spreads every bit over the whole word. */
function mix(word: number): number {
  let hash = word
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return hash ^ (hash >>> 16)
}
