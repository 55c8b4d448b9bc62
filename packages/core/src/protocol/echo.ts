// SPDX-License-Identifier: Apache-2.0

/** Characters of a client's text that a message or a log line repeats. */
const ECHO_LIMIT = 256

/** Cuts a client's text to 256 code points, never inside a surrogate pair. */
export function cutText(text: string): string {
  if (text.length <= ECHO_LIMIT) return text
  let end = 0
  for (let count = 0; count < ECHO_LIMIT && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

/** Names a decoded JSON value by its kind, with its article: `an array`, `null`, `a number`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'bigint') return 'a number'
  return typeof value === 'boolean' ? 'a scalar' : `a ${typeof value}`
}

/** A client's value as a message may repeat it: a string cut short, anything else by its kind. */
export function echo(value: unknown): string {
  return typeof value === 'string' ? cutText(value) : kindOf(value)
}
