// SPDX-License-Identifier: Apache-2.0
import { putOwn } from './put-own.ts'
import { eachEntry, readString, skipScalar, skipSpace, skipString } from './walk-text.ts'

/**
 * What `JSON.parse` is specified to give, also where V8's own differs: in Node 24 and 26 it may
 * take a key that is written with an escape for a key of an object made before, in this or any
 * other text. After `{"\\":0}` it reads `{"\u0061":1}` as `{"\\":1}`: one caller could change what
 * another's text says, and a repeated key could pass for two. A text without such a key is read by
 * `JSON.parse` alone; in any other the objects are put together here.
 *
 * @param text  any text; bound the depth of untrusted text before
 * @returns the value; where a key is repeated, the last of the members
 * @throws SyntaxError for what is not JSON; RangeError for thousands of levels and an escaped key
 * @see docs/differences.md, the JSON reader beside `JSON.parse`
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return hasEscapedKey(text) ? buildValue(text) : value
}

/** Passes over each string that has a backslash once, and over the rest with the native search. */
function hasEscapedKey(text: string): boolean {
  let backslash = text.indexOf('\\')
  while (backslash !== -1) {
    const end = skipString(text, backslash - 1)
    if (text[skipSpace(text, end)] === ':') return true
    backslash = text.indexOf('\\', end)
  }
  return false
}

function buildValue(text: string): unknown {
  let built: unknown

  // Leaves the value that starts at `at` in `built`, and returns where it ends.
  const build = (at: number): number => {
    if (text[at] === '{') return buildObject(at)
    if (text[at] === '[') return buildArray(at)
    const end = skipScalar(text, at)
    const written = text.slice(at, end)
    built = written.startsWith('"') ? readString(written) : JSON.parse(written)
    return end
  }
  const buildObject = (at: number): number => {
    const members: Record<string, unknown> = {}
    const end = eachEntry(text, at, (key, valueAt) => {
      const valueEnd = build(valueAt)
      putOwn(members, String(key), built)
      return valueEnd
    })
    built = members
    return end
  }
  const buildArray = (at: number): number => {
    const items: unknown[] = []
    const end = eachEntry(text, at, (_, itemAt) => {
      const itemEnd = build(itemAt)
      putOwn(items, items.length, built)
      return itemEnd
    })
    built = items
    return end
  }

  build(skipSpace(text, 0))
  return built
}
