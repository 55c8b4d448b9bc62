// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_REDIS_UNAVAILABLE } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import { hasMethods, readMs } from '../protocol/option-readers.ts'
import { isJsonObject } from '../protocol/plain.ts'
import { refuseOption, refuseUnknown } from '../protocol/refuse-option.ts'
import { readErrorCallback } from '../subscriptions/error-callback.ts'
import { type ChangeEvent, type EventBus, readChangeEvent } from '../subscriptions/event-bus.ts'
import type { RedisClient } from './redis-client.ts'
import { openSubscription, type Subscription } from './subscription.ts'

/** What {@link createRedisBus} takes. */
export interface RedisBusOptions {
  /** A client of `ioredis`. It announces; a duplicate of it listens. It stays the host's to end. */
  readonly client: RedisClient
  /** The channel: one for each endpoint, the same in all its processes. `shop:mcp`, for one. */
  readonly channel: string
  /**
   * Milliseconds that Redis has to take a subscription, and to answer a heartbeat, from 1.
   * @default 5_000
   */
  readonly timeoutMs?: number
  /** Milliseconds between two heartbeats, from 1. @default 15_000 */
  readonly heartbeatMs?: number
  /** Told of a message that is no change, once per connection. @default a process warning */
  onError?(error: unknown): void
}

/** A bus over Redis, by its publish and subscribe. */
export interface RedisBus extends EventBus {
  readonly publish: (event: ChangeEvent) => Promise<void>
  readonly subscribe: (
    onEvent: (event: ChangeEvent) => void,
    onLost: () => void,
  ) => Promise<() => void>
  /** Ends its own connection, and whoever listens by it; the client is left as it is. */
  readonly close: () => void
}

/** Announcements without an answer yet; during an outage they wait in the client. */
const MOST_WAITING = 1_000
const DEFAULT_TIMEOUT_MS = 5_000
const DEFAULT_HEARTBEAT_MS = 15_000

/**
 * Makes a bus that carries changes between processes.
 *
 * @throws BEAM_ERR_OPT_INVALID
 * @see docs/subscriptions.md, "Several processes"
 */
export function createRedisBus(options: RedisBusOptions): RedisBus {
  const { client, channel, timeoutMs, heartbeatMs, onError } = readOptions(options)
  const handlers = new Set<Handler>()
  let current: Subscription | undefined
  let isClosed = false

  const loseAll = (): void => {
    current = undefined
    const lost = [...handlers]
    handlers.clear()
    // Whoever still waits to listen is refused instead.
    for (const { onLost, isReady } of lost) if (isReady) onLost()
  }
  const tell = (event: ChangeEvent): void => {
    for (const { onEvent } of [...handlers]) {
      try {
        onEvent(event)
      } catch (thrown) {
        onError(thrown)
      }
    }
  }
  const open = (): Subscription => {
    let hasComplained = false
    return openSubscription({
      client,
      channel,
      timeoutMs,
      heartbeatMs,
      onMessage: (text) => {
        const event = readMessage(text)
        if (event !== undefined) tell(event)
        else if (!hasComplained) {
          hasComplained = true
          onError(new Error(`The channel ${channel} brought something that is no change`))
        }
      },
      onOver: loseAll,
    })
  }
  return {
    publish: createPublisher(client, channel),
    subscribe: async (onEvent, onLost) => {
      if (isClosed) throw new BEAM_ERR_REDIS_UNAVAILABLE('subscribed to: the bus is closed')
      const handler: Handler = { onEvent, onLost, isReady: false }
      current ??= open()
      const subscription = current
      handlers.add(handler)
      try {
        await subscription.ready
      } catch (thrown) {
        handlers.delete(handler)
        throw thrown
      }
      if (!handlers.has(handler)) throw new BEAM_ERR_REDIS_UNAVAILABLE('subscribed to')
      handler.isReady = true
      return () => {
        handlers.delete(handler)
        // Nobody listens any more: the connection may not hold the process.
        if (handlers.size === 0) subscription.end()
      }
    },
    close: () => {
      isClosed = true
      current?.end()
    },
  }
}

interface Handler {
  readonly onEvent: (event: ChangeEvent) => void
  readonly onLost: () => void
  /** Whether it was promised that it is told. */
  isReady: boolean
}

/**
 * Announces over the client. While it is not connected, `ioredis` keeps what it is given for later:
 * each change once here, and no more of them than are bearable.
 */
function createPublisher(client: RedisClient, channel: string): RedisBus['publish'] {
  const waiting = new Map<string, Promise<void>>()
  let count = 0
  return (event) => {
    const message = JSON.stringify(event)
    const same = client.status === 'ready' ? undefined : waiting.get(message)
    if (same !== undefined) return same
    if (count >= MOST_WAITING) {
      return Promise.reject(new BEAM_ERR_REDIS_UNAVAILABLE('told of more changes'))
    }
    count += 1
    const sent = client.publish(channel, message).then(
      () => settle(),
      (thrown: unknown) => {
        settle()
        throw new BEAM_ERR_REDIS_UNAVAILABLE('told of a change', { cause: thrown })
      },
    )
    const settle = (): void => {
      count -= 1
      if (waiting.get(message) === sent) waiting.delete(message)
    }
    waiting.set(message, sent)
    return sent
  }
}

/** Anyone who can reach Redis can write to a channel. */
function readMessage(text: string): ChangeEvent | undefined {
  try {
    return readChangeEvent(parseJson(text))
  } catch {
    return undefined
  }
}

const NAMES = ['client', 'channel', 'timeoutMs', 'heartbeatMs', 'onError']

function readOptions(given: unknown) {
  if (!isJsonObject(given)) return refuseOption('createRedisBus', 'takes { client, channel }')
  refuseUnknown(given, NAMES, 'createRedisBus: ')
  const { client, channel } = given
  if (!isClient(client)) return refuseOption('client', 'must be a client of ioredis')
  if (typeof channel !== 'string' || channel === '') {
    return refuseOption('channel', 'must be the name of a Redis channel')
  }
  return {
    client,
    channel,
    timeoutMs: readMs('timeoutMs', given['timeoutMs'], DEFAULT_TIMEOUT_MS),
    heartbeatMs: readMs('heartbeatMs', given['heartbeatMs'], DEFAULT_HEARTBEAT_MS),
    onError: readErrorCallback(given['onError']),
  }
}

/** A client is an object of a class: its functions are looked for wherever they are. */
function isClient(client: unknown): client is RedisClient {
  return hasMethods(client, ['publish', 'duplicate'])
}
