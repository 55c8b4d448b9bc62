// SPDX-License-Identifier: Apache-2.0
import { type Meter, spend } from './meter.ts'

/** Members past which an object is a hash table, and going through it leaves the processor's cache. */
const LARGE_OBJECT = 256
const SMALL_UNITS = 2
const LARGE_UNITS = 30

/** Counting name by name takes longer than taking all names at once. */
const COUNT_FACTOR = 2

/** The work of going once through so many members. */
export function membersWork(count: number): number {
  return count * (count > LARGE_OBJECT ? LARGE_UNITS : SMALL_UNITS)
}

/** The names of an object's members, charged. */
export function listMembers(object: object, meter: Meter): string[] {
  const names = Object.keys(object)
  spend(meter, membersWork(names.length))
  return names
}

/** How many members an object has, counted no further than `stopAt` and charged. */
export function countMembers(object: object, stopAt: number, meter: Meter): number {
  let count = 0
  for (const name in object) {
    if (count >= stopAt) break
    if (Object.hasOwn(object, name)) count++
  }
  spend(meter, COUNT_FACTOR * membersWork(count))
  return count
}
