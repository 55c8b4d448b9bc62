// SPDX-License-Identifier: Apache-2.0

const SURROGATES_FROM = 0xd800
const PRIVATE_FROM = 0xe000

/**
 * Compares two strings by code points, which is the order of their UTF-8 bytes. JavaScript's own
 * comparison goes by UTF-16 code units and differs where a surrogate meets U+E000 to U+FFFF.
 *
 * @returns below 0, 0 or above 0
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at)
    const y = b.charCodeAt(at)
    if (x !== y) return x >= SURROGATES_FROM && y >= SURROGATES_FROM ? rank(x) - rank(y) : x - y
  }
  return a.length - b.length
}

/** A code unit's place once surrogates, which stand for astral characters, come last. */
function rank(unit: number): number {
  return unit >= PRIVATE_FROM ? unit - PRIVATE_FROM : unit + PRIVATE_FROM
}

/** Compares two strings by UTF-16 code units, as RFC 8785 orders the keys of an object. */
export function compareCodeUnits(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
