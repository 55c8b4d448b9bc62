// SPDX-License-Identifier: Apache-2.0
import { isUtf8 } from 'node:buffer'
import { hasLoneSurrogate } from './find-lone-surrogate.ts'
import { findRepeatedKey } from './find-repeated-key.ts'
import { everyLexemeIsInteger, integerLexemesOf } from './number-lexemes.ts'
import { parseJson } from './parse-json.ts'
import { type JsonReading, NOT_JSON, refuseRepeatedKey, TOO_DEEP } from './reading.ts'
import { restoreNumbers } from './restore-numbers.ts'
import { scanBytes } from './scan-bytes.ts'
import { countMembers, type Tally } from './tally-value.ts'

/**
 * Reads one message: a request body, a line, the content of a cursor.
 *
 * Refuses, in this order, what nests deeper than 64 levels, what is not strict JSON in strict
 * UTF-8, and an object that has a key twice. The time taken is linear in the number of bytes.
 *
 * @param bytes  the whole message; not kept, and not to be changed by another thread meanwhile
 * @returns the value, or the first refusal; nothing that the bytes hold makes it throw
 * @see docs/http.md, row 11; RFC 8259
 */
export function readJson(bytes: Uint8Array): JsonReading {
  const buffer = asBuffer(bytes)
  const scan = scanBytes(buffer)
  if (scan === undefined) return TOO_DEEP

  let text: string
  let value: unknown
  try {
    if (!isUtf8(buffer)) return NOT_JSON
    text = buffer.toString('utf8')
    value = parseJson(text)
  } catch {
    return NOT_JSON
  }
  if (hasLoneSurrogate(text)) return NOT_JSON

  // `parseJson` keeps one of the members that share a key, so a repeat leaves fewer than colons.
  const tally: Tally = { hasUnsafeNumber: false }
  if (countMembers(value, tally) !== scan.members) {
    const key = findRepeatedKey(text)
    if (key !== undefined) return refuseRepeatedKey(key)
  }
  const isIntegerLexeme = scan.hasFraction ? integerLexemesOf(text) : everyLexemeIsInteger
  if (!tally.hasUnsafeNumber) return { ok: true, value, hasInexact: false, isIntegerLexeme }
  return { ok: true, ...restoreNumbers(text, value), isIntegerLexeme }
}

// A view of the same bytes: `Buffer` has the native search and decoding.
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
