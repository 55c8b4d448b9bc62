// SPDX-License-Identifier: Apache-2.0
import { CONNECTOME_CODES, ConnectomeError } from '../error.ts'

/** A number that is written as a float even when it is whole, as 3 is in `3.0`. */
export class Float {
  /** A finite double. */
  readonly value: number
  readonly #isFloat = true

  constructor(value: number) {
    if (!Number.isFinite(value)) {
      throw new ConnectomeError(CONNECTOME_CODES.GRAPH, ['invalid', 'float', value])
    }
    this.value = value
    Object.freeze(this)
  }

  static is(value: unknown): value is Float {
    return typeof value === 'object' && value !== null && #isFloat in value && value.#isFloat
  }
}

export const isFloat: (value: unknown) => value is Float = Float.is

/**
 * Marks a weight as a float, since JavaScript cannot tell 3.0 from 3.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_INVALID`, `['invalid', 'float', given]` unless it is finite
 */
export function float(value: number): Float {
  return new Float(value)
}
