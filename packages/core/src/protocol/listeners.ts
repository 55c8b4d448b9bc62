// SPDX-License-Identifier: Apache-2.0
import type { ChangeEvent } from '../subscriptions/event-bus.ts'
import type { ReadSubscriptionOptions } from '../subscriptions/subscription-options.ts'
import { asError, type Logger, logSafely } from './logger.ts'

/** Somebody who listens. */
export interface Listener {
  readonly deliver: (event: ChangeEvent) => void
  /** Ends the subscription as a server does: with a result. */
  readonly end: () => void
}

/** Why nobody more may listen. */
export type ListenerRefusal = 'all' | 'principal' | 'closed' | 'bus'

/** A place among the listeners, held from the first check to the end. */
export interface Place {
  /** Begins to be told of changes. */
  readonly join: (listener: Listener) => void
  readonly leave: () => void
}

/**
 * Everyone who listens at one endpoint. Nothing of it outlives a connection, and nothing is keyed by
 * what a client sends.
 *
 * @see MCP 2026-07-28, Subscriptions: SUB-09, SUB-14 to SUB-16
 */
export class Listeners {
  readonly #options: ReadSubscriptionOptions
  readonly #log: Logger
  readonly #joined = new Set<Listener>()
  readonly #held = new Map<unknown, number>()
  #count = 0
  #isClosed = false
  #subscription: Promise<() => void> | undefined

  constructor(options: ReadSubscriptionOptions, log: Logger) {
    this.#options = options
    this.#log = log
  }

  get options(): ReadSubscriptionOptions {
    return this.#options
  }

  /** Takes a place for a caller, unless a cap is reached. */
  take(principal: unknown): Place | ListenerRefusal {
    const { maxListeners, maxListenersPerPrincipal, principalKey } = this.#options
    if (this.#isClosed) return 'closed'
    if (this.#count >= maxListeners) return 'all'
    const key = principalKey(principal)
    const held = this.#held.get(key) ?? 0
    if (held >= maxListenersPerPrincipal) return 'principal'
    this.#count += 1
    this.#held.set(key, held + 1)
    let mine: Listener | undefined
    let isHeld = true
    return {
      join: (listener) => {
        mine = listener
        this.#joined.add(listener)
      },
      leave: () => {
        if (!isHeld) return
        isHeld = false
        if (mine !== undefined) this.#joined.delete(mine)
        this.#count -= 1
        const left = (this.#held.get(key) ?? 1) - 1
        if (left === 0) this.#held.delete(key)
        else this.#held.set(key, left)
      },
    }
  }

  /** Settles when changes are sure to be heard of; answers false where they can't be. */
  async ready(): Promise<boolean> {
    try {
      this.#subscription ??= this.#subscribe()
      await this.#subscription
      return !this.#isClosed
    } catch (thrown) {
      this.#subscription = undefined
      logSafely(
        this.#log,
        'error',
        { err: asError(thrown) },
        'The event bus can not be listened to',
      )
      return false
    }
  }

  /** Ends everyone's subscription; nobody may listen from now on. */
  close(): void {
    this.#isClosed = true
    this.#endAll()
    void this.#subscription?.then((stop) => stop()).catch(() => undefined)
    this.#subscription = undefined
  }

  async #subscribe(): Promise<() => void> {
    const { bus } = this.#options.notifier
    let isLost = false
    const onLost = (): void => {
      if (isLost) return
      isLost = true
      this.#subscription = undefined
      logSafely(
        this.#log,
        'warn',
        {},
        'The event bus was lost: listeners are ended, to listen anew',
      )
      this.#endAll()
    }
    return bus.subscribe((event) => this.#deliver(event), onLost)
  }

  #deliver(event: ChangeEvent): void {
    for (const listener of this.#joined) listener.deliver(event)
  }

  #endAll(): void {
    for (const listener of [...this.#joined]) listener.end()
  }
}
