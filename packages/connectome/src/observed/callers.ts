// SPDX-License-Identifier: Apache-2.0
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Knows the call that code runs in up to the end of its synchronous part, at the price of two
 * assignments. The full storage follows a call through all that it awaits, for which Node 20 and 22
 * run hooks on every promise of the process.
 */
class SynchronousCallers extends AsyncLocalStorage<unknown> {
  #current: unknown

  override run<Result, Args extends unknown[]>(
    store: unknown,
    callback: (...args: Args) => Result,
    ...args: Args
  ): Result {
    const outer = this.#current
    this.#current = store
    try {
      return callback(...args)
    } finally {
      this.#current = outer
    }
  }

  /** What the channels of Node 26 enter a storage by, which its types here do not have yet. */
  withScope(store: unknown): Disposable {
    const outer = this.#current
    this.#current = store
    return {
      [Symbol.dispose]: () => {
        this.#current = outer
      },
    }
  }

  override getStore(): unknown {
    return this.#current ?? super.getStore()
  }
}

/** Where a collector keeps the event of the call that is running. */
export function createCallers(isNested: boolean): AsyncLocalStorage<unknown> {
  return isNested ? new AsyncLocalStorage() : new SynchronousCallers()
}
