// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from './plain.ts'
import { refuseOption } from './refuse-option.ts'

/*
 * Readers of single options: each answers the value or its default, and throws BEAM_ERR_OPT_INVALID
 * with the name that it was given.
 */

/** Milliseconds: the longest timer Node holds; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647

/** Says whether a value is whole milliseconds from 1 that a timer can wait. */
export function isTimerMs(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= LONGEST_TIMER_MS
}

/** Whole milliseconds from 1 to the longest timer there is. */
export function readMs(option: string, given: unknown, fallback: number): number {
  const ms = readCount(option, given, fallback)
  return isTimerMs(ms)
    ? ms
    : refuseOption(
        option,
        `must be at most ${LONGEST_TIMER_MS} milliseconds, the longest timer there is`,
      )
}

/** A whole number from 1. */
export function readCount(option: string, given: unknown, fallback: number): number {
  if (given === undefined) return fallback
  return Number.isSafeInteger(given) && Number(given) > 0
    ? Number(given)
    : refuseOption(option, 'must be a whole number above 0')
}

/** True or false. */
export function readFlag(option: string, given: unknown, fallback = false): boolean {
  if (given === undefined) return fallback
  return typeof given === 'boolean'
    ? given
    : refuseOption(option, 'must be true or false, or left out')
}

/** A function of the host, whose own answers are judged where it is called. */
export function readFunction<Callback extends (...given: never[]) => unknown>(
  option: string,
  given: unknown,
): Callback | undefined {
  if (given === undefined || typeof given === 'function') return given as Callback | undefined
  return refuseOption(option, 'must be a function, or left out')
}

/** Says whether an object, of a class or not, has functions of these names. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof (value as JsonObject)[name] === 'function')
  )
}
