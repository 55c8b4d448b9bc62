// SPDX-License-Identifier: Apache-2.0

/**
 * What is left of the work that one validation may do. Generated code and keywords take from it; a
 * validation is synchronous, so one meter per compiled schema is enough.
 */
export interface Meter {
  /** Units; one is about ten nanoseconds of work. */
  left: number
}

/** Thrown when a meter is empty. A failing keyword would be swallowed by `anyOf` or `not`. */
export const WORK_SPENT: Error = new Error('The work of one validation is spent')

/**
 * Takes units from a meter.
 *
 * @throws WORK_SPENT when there are not as many left
 */
export function spend(meter: Meter, units: number): void {
  meter.left -= units
  if (meter.left < 0) throw WORK_SPENT
}
