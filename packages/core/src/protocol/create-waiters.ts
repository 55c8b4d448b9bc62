// SPDX-License-Identifier: Apache-2.0

/** Everybody who waits for the same thing to happen, each time anew. */
export interface Waiters {
  /** Resolves at the next {@link wake}. */
  readonly wait: () => Promise<void>
  readonly wake: () => void
}

/** Begins with nobody who waits. */
export function createWaiters(): Waiters {
  let waiting: (() => void)[] = []
  return {
    wait: () => new Promise((resolve) => waiting.push(resolve)),
    wake: () => {
      const woken = waiting
      waiting = []
      for (const resolve of woken) resolve()
    },
  }
}
