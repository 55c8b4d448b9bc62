// SPDX-License-Identifier: Apache-2.0

/** Pairs of numbers. An entry of a chain is what it says, and the next entry. */
export interface Pairs {
  size: number
  list: Int32Array
}

export const FIRST_SIZE = 1 << 12

/** @param expected  how many numbers it may come to hold; it grows where there are more */
export const createPairs = (size: number, expected: number): Pairs => ({
  size,
  list: new Int32Array(Math.max(Math.ceil(expected / 2) * 2, FIRST_SIZE)),
})

export function grown(list: Int32Array, least: number): Int32Array {
  const more = new Int32Array(Math.max(list.length * 2, least))
  more.set(list)
  return more
}

/** Appends a pair; answers its place. */
export function append(pairs: Pairs, one: number, other: number): number {
  const place = pairs.size++
  if (place * 2 === pairs.list.length) pairs.list = grown(pairs.list, 0)
  pairs.list[place * 2] = one
  pairs.list[place * 2 + 1] = other
  return place
}

export const whatAt = ({ list }: Pairs, place: number): number => list[place * 2] ?? 0
export const nextAt = ({ list }: Pairs, place: number): number => list[place * 2 + 1] ?? 0
