// SPDX-License-Identifier: Apache-2.0
import type { JsonAccepted } from './reading.ts'
import { eachEntry, isContainer, skipScalar, skipSpace, skipValue } from './walk-text.ts'

/** Where a value starts in the text and, once somebody asked for one, where its entries do. */
interface Place {
  readonly at: number
  entries?: ReadonlyMap<string, Place>
}

/** The answer for texts in which no number has a fraction or an exponent. */
export const everyLexemeIsInteger: JsonAccepted['isIntegerLexeme'] = () => true

/**
 * Makes the answer for a text that has numbers with a fraction or an exponent.
 *
 * Nothing is walked before the first question, and then only the arrays and objects on the way,
 * each once: all questions together read the text at most once for each of its levels.
 *
 * @param text  JSON that `JSON.parse` takes, without a repeated key; kept as long as the answer
 */
export function integerLexemesOf(text: string): JsonAccepted['isIntegerLexeme'] {
  const root: Place = { at: skipSpace(text, 0) }
  return (path) => {
    let place: Place | undefined = root
    for (const key of path) {
      place = entriesOf(text, place)?.get(key)
      if (place === undefined) return true
    }
    return !isNumberWithFraction(text, place.at)
  }
}

function entriesOf(text: string, place: Place): ReadonlyMap<string, Place> | undefined {
  if (place.entries !== undefined) return place.entries
  if (!isContainer(text, place.at)) return undefined
  const entries = new Map<string, Place>()
  eachEntry(text, place.at, (key, at) => {
    entries.set(String(key), { at })
    return skipValue(text, at)
  })
  place.entries = entries
  return entries
}

function isNumberWithFraction(text: string, at: number): boolean {
  return /^-?\d+[.eE]/.test(text.slice(at, skipScalar(text, at)))
}
