// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_REDIS_UNAVAILABLE } from '../errors.ts'
import type { RedisClient, RedisSubscriber } from './redis-client.ts'

/** How a connection is held. */
export interface SubscriptionParts {
  readonly client: RedisClient
  readonly channel: string
  /** Milliseconds that Redis has to take a subscription, and to answer each heartbeat. */
  readonly timeoutMs: number
  /** Milliseconds between two heartbeats. */
  readonly heartbeatMs: number
  readonly onMessage: (text: string) => void
  /** Told once when the connection is over, whoever ended it. */
  readonly onOver: () => void
}

/** One connection that subscribes to one channel until it is over, and is never used again. */
export interface Subscription {
  /** Resolves once messages are sure to come; rejects where they can't. */
  readonly ready: Promise<void>
  readonly end: () => void
}

/**
 * Opens a connection of its own: one that subscribes can send nothing else. A heartbeat notices a
 * server that has gone without a word, which TCP does after minutes alone.
 */
export function openSubscription(parts: SubscriptionParts): Subscription {
  const { client, channel, timeoutMs, heartbeatMs, onMessage, onOver } = parts
  const connection = client.duplicate({
    lazyConnect: true,
    autoResubscribe: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: null,
  })
  let isOver = false
  let heartbeat: NodeJS.Timeout | undefined
  const end = (): void => {
    if (isOver) return
    isOver = true
    clearInterval(heartbeat)
    connection.disconnect()
    onOver()
  }
  // An error without a listener would be printed; what it comes to is told by 'close'.
  connection.on('error', () => undefined)
  connection.on('close', end)
  connection.on('message', (from: string, text: string) => {
    if (!isOver && from === channel) onMessage(text)
  })
  const begin = async (): Promise<void> => {
    try {
      await inTime(subscribe(connection, channel), timeoutMs)
    } catch (thrown) {
      end()
      throw new BEAM_ERR_REDIS_UNAVAILABLE('subscribed to', { cause: thrown })
    }
    if (isOver) throw new BEAM_ERR_REDIS_UNAVAILABLE('subscribed to')
    heartbeat = setInterval(() => {
      inTime(connection.ping(), timeoutMs).catch(end)
    }, heartbeatMs)
    heartbeat.unref()
  }
  return { ready: begin(), end }
}

async function subscribe(connection: RedisSubscriber, channel: string): Promise<void> {
  await connection.connect()
  await connection.subscribe(channel)
}

async function inTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    timer.unref()
  })
  // It may fail later, when nobody waits for it any more.
  work.catch(() => undefined)
  try {
    await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}
