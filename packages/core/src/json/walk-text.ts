// SPDX-License-Identifier: Apache-2.0

/*
 * Steps over JSON text that `JSON.parse` has already taken, to see what a parsed value no longer
 * shows: repeated keys, and how a number was written. Nothing is checked twice, so on other text
 * the answers mean nothing.
 */

/**
 * Is told an entry's key (the index in an array) and where its value starts; returns where the
 * value ends.
 */
type VisitEntry = (key: string | number, valueAt: number) => number

/** Finds the first character from `at` on that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  let next = at
  while (isSpace(text.charCodeAt(next))) next++
  return next
}

/** Finds the end of the number, string, `true`, `false` or `null` that starts at `at`. */
export function skipScalar(text: string, at: number): number {
  if (text[at] === '"') return skipString(text, at)
  let next = at
  while (next < text.length && !isAfterScalar(text.charCodeAt(next))) next++
  return next
}

/** Finds the end of the value of any kind that starts at `at`. */
export function skipValue(text: string, at: number): number {
  if (!isContainer(text, at)) return skipScalar(text, at)
  let depth = 1
  let next = at + 1
  while (depth > 0 && next < text.length) {
    const code = text.charCodeAt(next)
    if (code === 0x22) next = skipString(text, next)
    else {
      if (code === 0x5b || code === 0x7b) depth++
      else if (code === 0x5d || code === 0x7d) depth--
      next++
    }
  }
  return next
}

/** Whether an array or an object starts at `at`. */
export function isContainer(text: string, at: number): boolean {
  return text[at] === '{' || text[at] === '['
}

/**
 * Visits the entries of the array or object that starts at `at`, in the order of the text.
 *
 * @returns where the array or object ends
 */
export function eachEntry(text: string, at: number, visit: VisitEntry): number {
  const isObject = text[at] === '{'
  let next = skipSpace(text, at + 1)
  if (text[next] === (isObject ? '}' : ']')) return next + 1
  for (let index = 0; ; index++) {
    let key: string | number = index
    if (isObject) {
      const keyEnd = skipString(text, next)
      key = readString(text.slice(next, keyEnd))
      next = skipSpace(text, skipSpace(text, keyEnd) + 1)
    }
    const comma = skipSpace(text, visit(key, next))
    if (text[comma] !== ',') return comma + 1
    next = skipSpace(text, comma + 1)
  }
}

/** Gives the text that a string with its quotes stands for. */
export function readString(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  const string: string = JSON.parse(quoted)
  return string
}

/**
 * Finds the end of a string, given its opening quote or any other character before the first
 * backslash in it: the run of backslashes before a quote ends there at the latest.
 */
export function skipString(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1)
  while (quote !== -1) {
    let before = quote - 1
    while (text[before] === '\\') before--
    if ((quote - before) % 2 === 1) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
  return text.length
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

// A comma, a closing bracket of either kind, or white space.
function isAfterScalar(code: number): boolean {
  return code === 0x2c || code === 0x5d || code === 0x7d || isSpace(code)
}
