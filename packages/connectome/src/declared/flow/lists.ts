// SPDX-License-Identifier: Apache-2.0
import { NOTHING } from '../facts/module-facts.ts'

/**
 * A list of so many variables, to be filled. Every list of a call or of a function is made here, or is a slice
 * of one that was: it has no room to spare, and is of one kind of array, as the engine compiles anew for each
 * kind that it meets.
 */
export const createList = (count: number): number[] => new Array<number>(count)

/** The same, filled. */
export function listOf(values: readonly number[]): number[] {
  const list = createList(values.length)
  for (let place = 0; place < values.length; place++) list[place] = values[place] ?? NOTHING
  return list
}
