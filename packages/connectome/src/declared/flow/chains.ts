// SPDX-License-Identifier: Apache-2.0
import { withChanged } from './with-changed.ts'

/** Pairs of numbers. An entry of a chain is what it says, and the next entry. */
export interface Pairs {
  size: number
  list: Int32Array
  /** How many numbers may come, by what is known when it is made. */
  readonly expected: number
}

export const FIRST_SIZE = 1 << 12
export const NO_NUMBERS = new Int32Array(0)

/**
 * Without room: the first entry makes some, so that growing has mostly run before what appends is compiled.
 *
 * @param expected  how many numbers it may come to hold; it grows where there are more
 */
export const createPairs = (size: number, expected: number): Pairs =>
  withChanged<Pairs>(
    { size: -1, list: NO_NUMBERS, expected: Math.ceil(expected / 2) * 2 },
    { size },
  )

/** A longer list of the same numbers: twice as long, and no shorter than `least`. */
export function grown(list: Int32Array, least: number): Int32Array {
  const more = new Int32Array(Math.max(list.length * 2, least, FIRST_SIZE))
  more.set(list)
  return more
}

/** Appends a pair; answers its place. */
export function append(pairs: Pairs, one: number, other: number): number {
  const place = pairs.size++
  if (place * 2 >= pairs.list.length) pairs.list = grown(pairs.list, pairs.expected)
  pairs.list[place * 2] = one
  pairs.list[place * 2 + 1] = other
  return place
}

export const whatAt = ({ list }: Pairs, place: number): number => list[place * 2] ?? 0
export const nextAt = ({ list }: Pairs, place: number): number => list[place * 2 + 1] ?? 0
