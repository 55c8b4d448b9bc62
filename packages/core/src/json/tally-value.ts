// SPDX-License-Identifier: Apache-2.0

/** What a tree of values shows of the text it came from. */
export interface Tally {
  /** Whether a number lies outside ±(2^53 - 1), so that digits of it may be lost. */
  hasUnsafeNumber: boolean
}

type JsonObject = Readonly<Record<string, unknown>>

// Inside a `for…in`, V8 answers this call (unlike `Object.hasOwn`) without looking the key up.
const { hasOwnProperty: isOwn } = Object.prototype

/**
 * Counts the own members of all objects in a tree that `JSON.parse` made, and takes note of unsafe
 * numbers. Recursive: the depth is to be bounded before.
 */
export function countMembers(value: unknown, tally: Tally): number {
  if (typeof value === 'number') {
    if (!isSafe(value)) tally.hasUnsafeNumber = true
    return 0
  }
  if (!isObject(value)) return 0
  return Array.isArray(value) ? countInItems(value, tally) : countInObject(value, tally)
}

/** Whether a number is within ±(2^53 - 1); its fraction does not matter. */
export function isSafe(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

function countInItems(items: readonly unknown[], tally: Tally): number {
  let members = 0
  for (let index = 0; index < items.length; index++) members += countMembers(items[index], tally)
  return members
}

function countInObject(object: JsonObject, tally: Tally): number {
  let members = 0
  for (const key in object) {
    if (!isOwn.call(object, key)) continue
    members += 1 + countMembers(object[key], tally)
  }
  return members
}
