// SPDX-License-Identifier: Apache-2.0
import type { ChangeEvent } from '../../subscriptions/event-bus.ts'
import type { NotificationSink } from '../exchange.ts'
import { asError, type Logger, logSafely } from '../logger.ts'
import type { SubscriptionFilter } from './subscription-filter.ts'

/** The way to one listener. */
export interface DeliveryParts {
  readonly sink: NotificationSink
  /** What is told: the part of what was asked for that was acknowledged. */
  readonly filter: SubscriptionFilter
  /** The `_meta` member of every message, as JSON text. */
  readonly tag: string
  /** Asked each time before an update of a resource is told. */
  readonly mayRead: (uri: string) => Promise<boolean>
  readonly log: Logger
}

type ResourceEvent = Extract<ChangeEvent, { kind: 'resource' }>

const LISTS = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
} as const

/**
 * Tells one listener of changes: at once, or, where it reads slowly, once it has caught up, each
 * change one time, however often it came. So at most one message of each kind, and of each uri that
 * it named, waits for it, and one question per uri is asked of the host at a time.
 *
 * @see MCP 2026-07-28, Subscriptions: SUB-05 to SUB-08, SUB-15
 */
export class Delivery {
  readonly #parts: DeliveryParts
  /** Changes that wait until the listener has caught up. */
  #waiting: Map<string, ChangeEvent> | undefined
  /** The uris that the host is being asked about, and whether they changed again meanwhile. */
  #asked: Map<string, boolean> | undefined
  #isBehind = false
  #isClosed = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  tell(event: ChangeEvent): void {
    if (this.#isClosed || !this.#isWanted(event)) return
    if (this.#isBehind) this.#keep(event)
    else if (event.kind === 'resource') this.#ask(event)
    else this.#send(LISTS[event.kind], '')
  }

  /** Nothing is sent from now on. */
  close(): void {
    this.#isClosed = true
    this.#waiting = undefined
  }

  #isWanted(event: ChangeEvent): boolean {
    const { filter } = this.#parts
    return event.kind === 'resource' ? filter.uris.includes(event.uri) : filter[event.kind]
  }

  #keep(event: ChangeEvent): void {
    this.#waiting ??= new Map()
    this.#waiting.set(event.kind === 'resource' ? `resource ${event.uri}` : event.kind, event)
  }

  /** Sees whether the listener may still read a resource, and tells it where it may. */
  #ask(event: ResourceEvent): void {
    const { uri } = event
    this.#asked ??= new Map()
    if (this.#asked.has(uri)) {
      this.#asked.set(uri, true)
      return
    }
    this.#asked.set(uri, false)
    void this.#tellReader(event).then(() => {
      const hasChangedAgain = this.#asked?.get(uri) === true
      this.#asked?.delete(uri)
      if (hasChangedAgain) this.tell(event)
    })
  }

  async #tellReader(event: ResourceEvent): Promise<void> {
    const { mayRead, log } = this.#parts
    try {
      if (!(await mayRead(event.uri))) return
    } catch (thrown) {
      // Nobody is shown what the host can't decide on.
      return logSafely(log, 'error', { err: asError(thrown) }, 'A listener could not be told')
    }
    if (this.#isBehind && !this.#isClosed) this.#keep(event)
    else this.#send('notifications/resources/updated', `"uri":${JSON.stringify(event.uri)},`)
  }

  #send(method: string, params: string): void {
    const { sink, tag } = this.#parts
    if (this.#isClosed) return
    if (sink.send(`{"jsonrpc":"2.0","method":"${method}","params":{${params}${tag}}}`)) return
    this.#isBehind = true
    void sink.drained().then(() => this.#catchUp())
  }

  #catchUp(): void {
    this.#isBehind = false
    const events = [...(this.#waiting?.values() ?? [])]
    this.#waiting = undefined
    for (const event of events) this.tell(event)
  }
}
