// SPDX-License-Identifier: Apache-2.0
import { isSafe } from './tally-value.ts'
import { eachEntry, isContainer, skipScalar, skipSpace } from './walk-text.ts'

/**
 * Digits of an integer that is kept exactly; a longer one reads as an infinity, like any number too
 * large to hold. Making and printing a `bigint` takes more than linear time: a megabyte of
 * integers of this length costs some tens of milliseconds, a single one of a megabyte half a
 * second.
 */
const MAX_INTEGER_DIGITS = 4_096

/** A tree whose numbers are as exact as they were written. */
export interface RestoredValue {
  readonly value: unknown
  /** Whether the tree holds a `bigint` or an infinity. */
  readonly hasInexact: boolean
}

type Container = Record<string | number, unknown>

/**
 * Puts a `bigint` where `JSON.parse` has rounded an integer.
 *
 * Text and tree are walked side by side and values are put in place, so no key is ever made here.
 *
 * @param text  JSON that `JSON.parse` takes, at most 64 levels deep and without a repeated key
 * @param value  what `JSON.parse` made of it; changed in place
 * @see docs/catalog.md
 */
export function restoreNumbers(text: string, value: unknown): RestoredValue {
  let hasInexact = false

  const restoreEntry = (holder: Container, key: string | number, at: number): number => {
    const entry = holder[key]
    if (isHolder(entry) && isContainer(text, at)) {
      return eachEntry(text, at, (inner, valueAt) => restoreEntry(entry, inner, valueAt))
    }
    const end = skipScalar(text, at)
    if (typeof entry === 'number' && !isSafe(entry)) {
      const exact = readExact(text.slice(at, end), entry)
      if (exact !== entry) holder[key] = exact
      if (typeof exact === 'bigint' || !Number.isFinite(exact)) hasInexact = true
    }
    return end
  }

  const root: Container = { value }
  restoreEntry(root, 'value', skipSpace(text, 0))
  return { value: root['value'], hasInexact }
}

function isHolder(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function readExact(lexeme: string, rounded: number): bigint | number {
  const digits = lexeme.startsWith('-') ? lexeme.length - 1 : lexeme.length
  return digits > MAX_INTEGER_DIGITS || /[.eE]/.test(lexeme) ? rounded : BigInt(lexeme)
}
