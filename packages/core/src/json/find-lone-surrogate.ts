// SPDX-License-Identifier: Apache-2.0

// d800 to dbff are the first halves of a pair, dc00 to dfff the second ones.
const HALF = /\\u[dD][89a-fA-F]/g
const PAIR = /\\u[dD][89abAB]..\\u[dD][c-fC-F]/y

/**
 * Tells whether a string of a JSON text has an escaped surrogate without its other half, so that
 * the string has no UTF-8 form. Looks at the text, because of a repeated key the parsed value
 * shows only the last string.
 *
 * @param text  JSON that `JSON.parse` takes, decoded from valid UTF-8
 * @see docs/http.md, row 11
 */
export function hasLoneSurrogate(text: string): boolean {
  if (!text.includes('\\')) return false
  let at = findHalf(text, 0)
  while (at !== -1) {
    const isEscape = isUnescaped(text, at)
    if (isEscape && !isPair(text, at)) return true
    at = findHalf(text, at + (isEscape ? 12 : 2))
  }
  return false
}

function findHalf(text: string, from: number): number {
  HALF.lastIndex = from
  return HALF.test(text) ? HALF.lastIndex - 4 : -1
}

function isPair(text: string, at: number): boolean {
  PAIR.lastIndex = at
  return PAIR.test(text)
}

// A backslash after an odd run of backslashes is itself escaped.
function isUnescaped(text: string, backslash: number): boolean {
  let before = backslash - 1
  while (text[before] === '\\') before--
  return (backslash - before) % 2 === 1
}
