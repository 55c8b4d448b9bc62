// SPDX-License-Identifier: Apache-2.0
import { eachEntry, isContainer, skipScalar, skipSpace } from './walk-text.ts'

/**
 * Finds the first key that stands in an object where the same key, after unescaping, has been
 * before.
 *
 * @param text  JSON that `JSON.parse` takes, at most 64 levels deep
 * @returns the key whose repeat comes first in the text, or `undefined`
 * @see docs/http.md, row 11
 */
export function findRepeatedKey(text: string): string | undefined {
  let found: string | undefined

  const visitValue = (at: number): number => {
    if (!isContainer(text, at)) return skipScalar(text, at)
    let seen: Set<string> | undefined
    return eachEntry(text, at, (key, valueAt) => {
      if (typeof key === 'string' && found === undefined) {
        seen ??= new Set()
        if (seen.has(key)) found = key
        seen.add(key)
      }
      return visitValue(valueAt)
    })
  }

  visitValue(skipSpace(text, 0))
  return found
}
