// SPDX-License-Identifier: Apache-2.0

/** What is used of a client of `ioredis`: `new Redis(…)` of version 5 or 6. */
export interface RedisClient {
  readonly status: string
  readonly publish: (channel: string, message: string) => Promise<unknown>
  /** Makes a client with the same options but these; it has not connected yet. */
  readonly duplicate: (override: RedisOverride) => RedisSubscriber
}

/** What is asked of the connection that subscribes. */
export interface RedisOverride {
  readonly lazyConnect: true
  readonly autoResubscribe: false
  /** It does not connect again: whoever needs it makes another. */
  readonly retryStrategy: () => null
  readonly maxRetriesPerRequest: null
}

/** What is used of the connection that subscribes. */
export interface RedisSubscriber {
  readonly connect: () => Promise<unknown>
  readonly subscribe: (channel: string) => Promise<unknown>
  readonly ping: () => Promise<unknown>
  readonly disconnect: () => void
  on(event: 'message', listener: (channel: string, message: string) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'close', listener: () => void): unknown
}
