// SPDX-License-Identifier: Apache-2.0
import type { Value } from './values.ts'

/** Hears what a variable holds, where that is not one of the kinds that a listener knows. */
export interface Watcher {
  /** Told of each value, sometimes twice. */
  value(value: Value): void
  /** Told of each of IS_PLAIN, IS_UNKNOWN and IS_GIVEN. */
  flag(flag: number): void
}

/**
 * Hears of all variables, with what was said of each when it began to be watched: a kind and three
 * numbers. There are hundreds of thousands, too many for an object each.
 */
export interface Listener {
  value(kind: number, a: number, b: number, c: number, value: Value): void
  flag(kind: number, a: number, b: number, c: number, flag: number): void
}
