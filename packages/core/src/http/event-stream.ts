// SPDX-License-Identifier: Apache-2.0
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { createWaiters } from '../protocol/create-waiters.ts'
import type { NotificationSink } from '../protocol/exchange.ts'

/** The answer of one request as a stream of events: notifications first, the response last. */
export interface EventStream extends NotificationSink {
  /** Sends the response and ends the stream. */
  readonly end: (message: string) => void
}

/** Bytes that wait for a client before `send` says that it is behind. */
const HIGH_WATER_MARK = 65_536
const KEEP_ALIVE = ': keep-alive\n\n'

/**
 * Turns a reply into a stream of server-sent events, through the host's reply pipeline: its hooks and
 * headers apply. One message per event; no ids, since nothing can be resumed.
 *
 * @param keepAliveMs  milliseconds of quiet before a comment is sent
 * @see MCP 2026-07-28, Streamable HTTP, Server-Sent Events: SSE-01 to SSE-11
 */
export function openEventStream(reply: FastifyReply, keepAliveMs: number): EventStream {
  const read = createWaiters()
  const stream = new Readable({ read: read.wake, highWaterMark: HIGH_WATER_MARK })
  // Whoever waits for a client that is gone goes on, and sends nothing.
  stream.once('close', () => {
    clearInterval(keepAlive)
    read.wake()
  })
  // Also where a hook of the host has sent something else, so that nobody reads the stream.
  reply.raw.once('close', () => stream.destroy())
  const push = (text: string): boolean => stream.destroyed || stream.push(text)
  const keepAlive = setInterval(() => {
    if (stream.readableLength === 0) push(KEEP_ALIVE)
  }, keepAliveMs)
  keepAlive.unref()
  reply
    .code(200)
    .header('content-type', 'text/event-stream')
    .header('cache-control', 'no-cache, no-transform')
    .header('x-accel-buffering', 'no')
    .send(stream)
  return {
    send: (message) => {
      keepAlive.refresh()
      return push(eventOf(message))
    },
    drained: () => {
      if (stream.destroyed || stream.readableLength < HIGH_WATER_MARK) return Promise.resolve()
      return read.wait()
    },
    end: (message) => {
      clearInterval(keepAlive)
      if (stream.destroyed) return
      stream.push(eventOf(message))
      stream.push(null)
    },
  }
}

/** JSON text has no line break of its own, so that one line of data is enough (SSE-08). */
function eventOf(message: string): string {
  return `data: ${message}\n\n`
}
