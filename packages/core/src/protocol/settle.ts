// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import { isThenable } from './plain.ts'

/**
 * Takes a step and goes on with what comes of it: at once where there is nothing to wait for, since
 * a promise for each step of a request costs more than most of the steps.
 *
 * @param step  may throw, and may answer something to wait for
 * @param onThrown  told of what `step` or `onValue` threw, or rejected with
 */
export function settle<Value, Outcome>(
  step: () => Awaitable<Value>,
  onValue: (value: Value) => Outcome,
  onThrown: (thrown: unknown) => Outcome,
): Awaitable<Outcome> {
  try {
    const value = step()
    return isThenable(value) ? settleLater(value, onValue, onThrown) : onValue(value)
  } catch (thrown) {
    return onThrown(thrown)
  }
}

async function settleLater<Value, Outcome>(
  value: PromiseLike<Value>,
  onValue: (value: Value) => Outcome,
  onThrown: (thrown: unknown) => Outcome,
): Promise<Outcome> {
  try {
    return onValue(await value)
  } catch (thrown) {
    return onThrown(thrown)
  }
}
