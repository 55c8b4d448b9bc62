// SPDX-License-Identifier: Apache-2.0

/**
 * Begins to look out for the end of a caller's interest, the first time that somebody asks for the
 * signal; answers what stops it.
 */
export type Watch = (cancel: (reason?: unknown) => void) => () => void

/**
 * The end of a caller's interest in one request. The signal is made when somebody first asks for it:
 * most handlers never do.
 *
 * @see MCP 2026-07-28, Cancellation: CANC-01 to CANC-06
 */
export class Cancellation {
  #controller: AbortController | undefined
  #isCancelled = false
  #isAborted = false
  #isOver = false
  #reason: unknown
  #callback: (() => void) | undefined
  readonly #watch: Watch | undefined
  #unwatch: (() => void) | undefined

  /** @param watch  for transports where looking out costs something */
  constructor(watch?: Watch) {
    this.#watch = watch
  }

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** Whether the work was told to stop, or will be as soon as it asks. */
  get isAborted(): boolean {
    return this.#isAborted
  }

  /** Aborted when the request is cancelled; the same object each time. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isAborted) this.#controller.abort(this.#reason)
      else this.#lookOut()
    }
    return this.#controller.signal
  }

  /**
   * Calls back when the request is cancelled: what a signal does, at a tenth of its memory. There is
   * one callback at a time.
   */
  onCancel(callback: () => void): void {
    if (this.#isAborted) return callback()
    this.#callback = callback
    this.#lookOut()
  }

  #lookOut(): void {
    if (this.#isOver || this.#isAborted || this.#unwatch !== undefined) return
    this.#unwatch = this.#watch?.((reason) => this.cancel(reason))
  }

  /** Ends the interest; a second time, or after the answer, nothing happens. */
  cancel(reason?: unknown): void {
    if (this.#isCancelled || this.#isOver) return
    this.#isCancelled = true
    this.#abort(reason)
  }

  /** Stops the work, whose answer has come from elsewhere: the caller still waits. */
  stop(reason: unknown): void {
    if (!this.#isCancelled && !this.#isOver) this.#abort(reason)
  }

  /** The request is answered: nothing is looked out for any more. */
  end(): void {
    this.#isOver = true
    this.#callback = undefined
    this.#unwatch?.()
    this.#unwatch = undefined
  }

  #abort(reason: unknown): void {
    if (this.#isAborted) return
    this.#isAborted = true
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#callback?.()
  }
}
