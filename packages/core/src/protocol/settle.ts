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

/**
 * Calls back into the host and goes on: what it throws, at once or later, reaches `onThrown` alone. A
 * rejection that nobody waits for would end the process.
 *
 * @param onThrown  never throws
 */
export function runUnawaited(callback: () => unknown, onThrown: (thrown: unknown) => void): void {
  void settle(callback, ignore, onThrown)
}

/**
 * Lets go of a promise where the host had to answer at once: it is no answer, and its rejection, which
 * nobody waits for, would end the process.
 */
export function letGo(value: unknown): void {
  if (isThenable(value)) runUnawaited(() => value, ignore)
}

const ignore = (): void => undefined

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
