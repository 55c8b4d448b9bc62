// SPDX-License-Identifier: Apache-2.0
import { LONGEST_TIMER_MS } from './option-readers.ts'

/**
 * Calls back at a time, however far away it is, and never before the caller is done. It does not
 * hold the process.
 *
 * @param time  milliseconds since 1970; what is past is due
 * @returns lets go of it
 */
export function callAt(time: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const wait = (left: number): void => {
    // A longer timer than Node's longest would fire at once.
    timer = setTimeout(look, Math.min(Math.max(left, 0), LONGEST_TIMER_MS))
    timer.unref()
  }
  const look = (): void => {
    const left = time - Date.now()
    if (left > 0) wait(left)
    else callback()
  }
  wait(time - Date.now())
  return () => clearTimeout(timer)
}
