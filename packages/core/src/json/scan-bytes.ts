// SPDX-License-Identifier: Apache-2.0
import { MAX_DEPTH } from './reading.ts'

/** What one pass over the undecoded bytes of a JSON text finds. */
export interface ByteScan {
  /** Colons outside strings: in valid JSON, the members of all objects, repeated ones included. */
  readonly members: number
  /** Whether a number has a fraction or an exponent. Never wrongly `false` for valid JSON. */
  readonly hasFraction: boolean
}

// Bytes of a string that are looked at one by one before the native search takes over.
const STEP = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Looks over the bytes of a JSON text, valid or not, before anything is decoded.
 *
 * @returns the findings, or `undefined` when a bracket outside a string reaches level 65
 * @see docs/http.md, row 11
 */
export function scanBytes(bytes: Buffer): ByteScan | undefined {
  let depth = 0
  let members = 0
  let hasFraction = false
  let at = 0
  while (at < bytes.length) {
    switch (bytes[at++]) {
      case QUOTE:
        at = endOfString(bytes, at)
        break
      case 0x3a: // :
        members++
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) return undefined
        break
      case 0x5d: // ]
      case 0x7d: // }
        if (depth > 0) depth--
        break
      case 0x2e: // .
      case 0x45: // E
        hasFraction = true
        break
      case 0x65: // e, which is also in `true` and `false`
        if (isDigit(bytes[at - 2])) hasFraction = true
    }
  }
  return { members, hasFraction }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/**
 * Finds the index after the closing quote; the end of the bytes when there is none.
 *
 * Short strings are cheapest byte by byte, long ones with the native search. Each search starts
 * where the last one ended, so no input makes the bytes be searched twice.
 */
function endOfString(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const stop = Math.min(at + STEP, bytes.length)
    while (at < stop && bytes[at] !== QUOTE) at++
    if (at === stop) at = bytes.indexOf(QUOTE, at)
    if (at === -1 || at >= bytes.length) return bytes.length
    if (!isEscaped(bytes, at++)) return at
  }
}

// A quote is escaped by an odd run of backslashes. The opening quote ends the run at the latest.
function isEscaped(bytes: Buffer, quote: number): boolean {
  let at = quote - 1
  while (bytes[at] === BACKSLASH) at--
  return (quote - at) % 2 === 0
}
