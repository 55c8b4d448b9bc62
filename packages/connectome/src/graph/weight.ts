// SPDX-License-Identifier: Apache-2.0

import type { Float } from './float.ts'
import { isFloat } from './float.ts'

/**
 * How often an edge was seen, or another measure not below 0. A `number` that is a safe integer and
 * a `bigint` are integers; any other `number` and a `float(…)` are floats.
 */
export type Weight = number | bigint | Float

/** Whether a value may be a weight: a number that is not below 0, not NaN, not an infinity. */
export function isWeight(value: unknown): value is Weight {
  if (typeof value === 'number') return value >= 0 && value !== Number.POSITIVE_INFINITY
  if (typeof value === 'bigint') return value >= 0n
  return isFloat(value) && value.value >= 0
}
