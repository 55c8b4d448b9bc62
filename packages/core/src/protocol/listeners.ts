// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import { type ChangeEvent, readChangeEvent } from '../subscriptions/event-bus.ts'
import type { ReadSubscriptionOptions } from '../subscriptions/subscription-options.ts'
import { asError, type Logger, logSafely } from './logger.ts'
import { isThenable } from './plain.ts'
import { letGo } from './settle.ts'

/** Somebody who listens. */
export interface Listener {
  /** Neither throws nor waits. */
  readonly deliver: (event: ChangeEvent) => void
  /** Ends the subscription as a server does: with a result. */
  readonly end: () => void
}

/** Why nobody more may listen. */
export type ListenerRefusal = 'all' | 'principal' | 'closed' | 'bus'

/** A place among the listeners, held from the first check to the end. */
export interface Place {
  /** Begins to be told of changes, or is ended at once where none would come. */
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

  /** Places taken. */
  get count(): number {
    return this.#count
  }

  /**
   * Takes a place for a caller, unless a cap is reached.
   *
   * @throws BEAM_ERR_CONTRACT for a host's key that is a promise, and what its function throws
   */
  take(principal: unknown): Place | ListenerRefusal {
    const { maxListeners, maxListenersPerPrincipal } = this.#options
    if (this.#isClosed) return 'closed'
    if (this.#count >= maxListeners) return 'all'
    const key = this.#keyOf(principal)
    const held = this.#held.get(key) ?? 0
    if (held >= maxListenersPerPrincipal) return 'principal'
    this.#count += 1
    this.#held.set(key, held + 1)
    let mine: Listener | undefined
    let isHeld = true
    return {
      join: (listener) => {
        // The bus may have been lost, or all of it closed, since it was last asked.
        if (this.#isClosed || this.#subscription === undefined) return listener.end()
        mine = listener
        this.#joined.add(listener)
      },
      leave: () => {
        if (!isHeld) return
        isHeld = false
        if (mine !== undefined) this.#joined.delete(mine)
        this.#release(key)
      },
    }
  }

  /** Settles when changes are sure to be heard of; answers why they can't be, otherwise. */
  async ready(): Promise<ListenerRefusal | undefined> {
    try {
      this.#subscription ??= this.#subscribe()
      await this.#subscription
    } catch {
      return 'bus'
    }
    return this.#isClosed ? 'closed' : undefined
  }

  /** Ends everyone's subscription; nobody may listen from now on. */
  close(): void {
    this.#isClosed = true
    void this.#subscription?.then((stop) => stop()).catch(() => undefined)
    this.#lose()
  }

  /** A promise is no key: no two are the same, so that nobody would ever reach the cap. */
  #keyOf(principal: unknown): unknown {
    const key = this.#options.principalKey(principal)
    if (!isThenable(key)) return key
    letGo(key)
    throw new BEAM_ERR_CONTRACT('principalKey', 'must answer at once, with no promise')
  }

  #release(key: unknown): void {
    this.#count -= 1
    const left = (this.#held.get(key) ?? 1) - 1
    if (left === 0) this.#held.delete(key)
    else this.#held.set(key, left)
  }

  async #subscribe(): Promise<() => void> {
    const { bus } = this.#options.notifier
    let isOver = false
    const onLost = (): void => {
      if (isOver) return
      isOver = true
      if (this.#isClosed) return
      logSafely(this.#log, 'warn', {}, BUS_LOST)
      this.#lose()
    }
    try {
      return await bus.subscribe((event) => this.#deliver(event), onLost)
    } catch (thrown) {
      logSafely(this.#log, 'error', { err: asError(thrown) }, BUS_FAILED)
      if (!isOver) this.#lose()
      isOver = true
      throw thrown
    }
  }

  /** Whoever listens next subscribes anew. */
  #lose(): void {
    this.#subscription = undefined
    for (const listener of [...this.#joined]) listener.end()
  }

  #deliver(given: unknown): void {
    const event = readChangeEvent(given)
    if (event === undefined) return logSafely(this.#log, 'warn', {}, BAD_EVENT)
    for (const listener of this.#joined) listener.deliver(event)
  }
}

const BUS_LOST = 'The event bus was lost: listeners are ended, to listen anew'

const BUS_FAILED = 'The event bus can not be listened to'

const BAD_EVENT = 'The event bus brought something that is no change, which was ignored'
