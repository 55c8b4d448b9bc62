// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import { Cancellation } from '../protocol/cancellation.ts'
import type { JsonRpcId } from '../protocol/json-rpc.ts'
import { isThenable } from '../protocol/plain.ts'

/** Something that is answered by a line, or by none. */
export interface Job {
  /** The id it is known by until it is answered. */
  readonly id?: JsonRpcId
  /** Bytes of the message, counted while it waits. */
  readonly size: number
  /** Whether it runs beside those that have a place, at once. */
  readonly isUrgent?: boolean
  /** Whether it lasts until its end is asked for: it has no place, which it would never give up. */
  readonly isLasting?: boolean
  readonly isCancellable?: boolean
  /** Makes the answer; neither throws nor rejects. */
  readonly run: (cancellation: Cancellation) => Awaitable<string | undefined>
}

/** What bounds the jobs, and where their answers go. */
export interface RequestRules {
  /** Jobs that have a place at the same time. */
  readonly maxConcurrency: number
  /** Whether a job may be started now. */
  readonly canStart: () => boolean
  /** Takes an answer to be written. */
  readonly onAnswer: (text: string) => void
  /** A job was taken in, was answered or is gone. */
  readonly onChange: () => void
}

/** A job on its way. */
interface Entry {
  readonly job: Job
  readonly key: string | undefined
  readonly cancellation: Cancellation
  /** Whether it is one of those that `maxConcurrency` counts. */
  readonly needsPlace: boolean
  state: 'waiting' | 'running' | 'over'
}

const MOST_WAITING = 1_024
const MOST_WAITING_BYTES = 4 * 1_048_576

/**
 * Runs requests side by side, the rest in the order they came.
 *
 * @see MCP 2026-07-28, stdio and Cancellation: IO-06, CANC-02 to CANC-06
 */
export class Requests {
  readonly #rules: RequestRules
  readonly #inFlight = new Map<string, Entry>()
  readonly #waiting = new Set<Entry>()
  readonly #running = new Set<Entry>()
  #waitingBytes = 0
  #placesTaken = 0
  #isStarting = false

  constructor(rules: RequestRules) {
    this.#rules = rules
  }

  /** Whether further messages may be read. */
  get hasRoom(): boolean {
    return this.#waiting.size < MOST_WAITING && this.#waitingBytes < MOST_WAITING_BYTES
  }

  /** Whether any of the jobs lasts until its end is asked for. */
  get hasLasting(): boolean {
    for (const { job } of this.#running) if (job.isLasting === true) return true
    return false
  }

  /** Jobs that are neither answered nor cancelled. */
  get count(): number {
    return this.#waiting.size + this.#running.size
  }

  /** Whether a request with this id, of this type, is not answered yet. */
  has(id: JsonRpcId): boolean {
    return this.#inFlight.has(keyOf(id))
  }

  /** Takes a job in; where it has an id, no other may be in flight with it. */
  add(job: Job): void {
    const key = job.id === undefined ? undefined : keyOf(job.id)
    // With one place there is one order, which nothing may leave.
    const isInOrder = job.isUrgent !== true || this.#rules.maxConcurrency === 1
    const needsPlace = isInOrder && job.isLasting !== true
    const entry: Entry = {
      job,
      key,
      cancellation: new Cancellation(),
      needsPlace,
      state: 'waiting',
    }
    if (key !== undefined) this.#inFlight.set(key, entry)
    if (needsPlace) {
      this.#waiting.add(entry)
      this.#waitingBytes += job.size
      this.startWaiting()
    } else this.#start(entry)
    this.#rules.onChange()
  }

  /**
   * Ends a request that is not answered yet: it gives its place up, and nothing is written for it.
   *
   * @returns false where there is no such request, or none that may be cancelled
   */
  cancel(id: JsonRpcId): boolean {
    const entry = this.#inFlight.get(keyOf(id))
    if (entry?.job.isCancellable !== true) return false
    this.#leave(entry)
    entry.cancellation.cancel()
    this.startWaiting()
    this.#rules.onChange()
    return true
  }

  /** Ends all of them, or all but those that last. */
  abort({ sparesLasting = false } = {}): void {
    const entries = [...this.#running, ...this.#waiting].filter(
      ({ job }) => !(sparesLasting && job.isLasting === true),
    )
    for (const entry of entries) this.#leave(entry)
    for (const { cancellation } of entries) cancellation.cancel()
  }

  /** Gives free places to those that wait; a call from within changes nothing. */
  startWaiting(): void {
    if (this.#isStarting) return
    this.#isStarting = true
    for (const entry of this.#waiting) {
      if (this.#placesTaken >= this.#rules.maxConcurrency || !this.#rules.canStart()) break
      this.#unqueue(entry)
      this.#start(entry)
    }
    this.#isStarting = false
  }

  #start(entry: Entry): void {
    entry.state = 'running'
    this.#running.add(entry)
    if (entry.needsPlace) this.#placesTaken += 1
    const answer = entry.job.run(entry.cancellation)
    if (isThenable(answer)) void answer.then((text) => this.#finish(entry, text))
    else this.#finish(entry, answer)
  }

  #finish(entry: Entry, text: string | undefined): void {
    if (entry.state === 'over') return
    this.#leave(entry)
    if (text !== undefined) this.#rules.onAnswer(text)
    this.startWaiting()
    this.#rules.onChange()
  }

  #leave(entry: Entry): void {
    if (entry.state === 'waiting') this.#unqueue(entry)
    else if (this.#running.delete(entry) && entry.needsPlace) this.#placesTaken -= 1
    entry.state = 'over'
    if (entry.key !== undefined) this.#inFlight.delete(entry.key)
  }

  #unqueue(entry: Entry): void {
    this.#waiting.delete(entry)
    this.#waitingBytes -= entry.job.size
  }
}

/** Ids of either type apart: `"7"` is not `7`. @see ENV-03 */
function keyOf(id: JsonRpcId): string {
  return typeof id === 'string' ? `"${id}` : String(id)
}
