// SPDX-License-Identifier: Apache-2.0

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/**
 * Compares two strings by Unicode code point, which is the byte order of their UTF-8. JavaScript's
 * own `<` compares UTF-16 units and puts U+1F600 before U+FB33.
 *
 * @returns negative, zero or positive, as for `Array.prototype.sort`
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) {
      return isSurrogate(left) === isSurrogate(right)
        ? left - right
        : compareAcrossPlanes(left, right)
    }
  }
  return a.length - b.length
}

/** One side is a surrogate, so its code point lies above every unit of the basic plane. */
function compareAcrossPlanes(left: number, right: number): number {
  return isSurrogate(left) ? 1 : isSurrogate(right) ? -1 : left - right
}
