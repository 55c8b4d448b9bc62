// SPDX-License-Identifier: Apache-2.0

/** Levels of arrays and objects admitted, one inside another. A constant, no option (docs/http.md). */
export const MAX_DEPTH = 64

/** What the refusal messages call the bytes they are about; both transports use it as it is. */
const MESSAGE_SUBJECT = 'Request body'

/** Code points of a repeated key that its refusal shows. */
const SHOWN_KEY_LENGTH = 256

/**
 * Why a message was not read. `message` is fixed text, ready for the peer; the only part of the
 * input it can hold is the (shortened) key of `repeated_key`.
 */
export interface JsonRefusal {
  readonly kind: 'nesting' | 'repeated_key' | 'syntax'
  readonly message: string
}

/** A message that was read. */
export interface JsonAccepted {
  readonly ok: true
  /**
   * `null`, booleans, strings, numbers, and arrays and plain objects of them. Two more things can
   * stand for a number: a `bigint` is an integer outside ±(2^53 - 1), and an infinity is a number
   * too large to hold, such as `1e400` or an integer of more than 4,096 digits. Every key, `__proto__` included, is an own data property.
   */
  readonly value: unknown
  /** Whether `value` holds a `bigint` or an infinity anywhere. */
  readonly hasInexact: boolean
  /**
   * Tells whether the number at `path` was written without fraction and exponent: `1.0` and `1e0`
   * were not, though both read as 1.
   *
   * Any number of calls costs no more than a few passes over the text, none at all when no number
   * of the message has a fraction or an exponent.
   *
   * @param path  keys from the root; an array index in decimal
   * @returns `false` for a number written with fraction or exponent, otherwise `true`, also where
   * `path` leads to no number
   */
  readonly isIntegerLexeme: (path: readonly string[]) => boolean
}

/** A message that was not read. */
export interface JsonRefused {
  readonly ok: false
  readonly refusal: JsonRefusal
}

/** What the readers of this folder give back. They never throw for a message they refuse. */
export type JsonReading = JsonAccepted | JsonRefused

const refuse = (kind: JsonRefusal['kind'], message: string): JsonRefused =>
  Object.freeze({ ok: false, refusal: Object.freeze({ kind, message }) })

/** The refusal of a 65th level. docs/http.md, row 11. */
export const TOO_DEEP: JsonRefused = refuse(
  'nesting',
  `${MESSAGE_SUBJECT} nests deeper than ${MAX_DEPTH} levels`,
)

/** The refusal of what is not strict JSON in strict UTF-8. docs/http.md, row 11. */
export const NOT_JSON: JsonRefused = refuse('syntax', 'Parse error: body is not valid JSON')

/**
 * The refusal of an object that has a key twice. docs/http.md, row 11.
 *
 * @param key  the repeated key, unescaped; its first 256 code points are shown
 */
export function refuseRepeatedKey(key: string): JsonRefused {
  const shown = firstCodePoints(key, SHOWN_KEY_LENGTH)
  return refuse('repeated_key', `${MESSAGE_SUBJECT} repeats a key: duplicate key "${shown}"`)
}

function firstCodePoints(text: string, count: number): string {
  // Two units for each point are enough, and keep the work small for a key of a megabyte.
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('')
}
