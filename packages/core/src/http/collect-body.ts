// SPDX-License-Identifier: Apache-2.0
import { AsyncResource } from 'node:async_hooks'
import type { Readable } from 'node:stream'

/** A whole body, or why there is none. */
export type BodyReading =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly why: 'too large' | 'too slow' | 'gone' }

/** Bounds of one body. */
export interface BodyBounds {
  /** Bytes; exactly this many are admitted. */
  readonly limit: number
  /** Milliseconds for the whole body, from the call. */
  readonly timeoutMs: number
}

const EMPTY = Buffer.alloc(0)

/**
 * Says whether somebody has begun to read a stream, so that a second reader would wait for ever or
 * miss a part.
 */
export function isTouched(stream: Readable): boolean {
  return stream.readableFlowing !== null || stream.readableDidRead || stream.readableEnded
}

/** A body as a server gets it; `aborted` where its sender broke it off. */
export type BodyStream = Readable & { readonly aborted?: boolean }

/**
 * Collects a body once. It holds at most the limit and one chunk, and settles exactly once,
 * whatever the stream does; a body that is refused is left unread.
 */
export function collectBody(
  stream: BodyStream,
  { limit, timeoutMs }: BodyBounds,
  onReading: (reading: BodyReading) => void,
): void {
  // A stream's events come in the context of its connection: what follows belongs to the request.
  const scope = new AsyncResource('beam-mcp body')
  const chunks: Buffer[] = []
  let length = 0
  let isSettled = false
  const settle = (reading: BodyReading): void => {
    if (isSettled) return
    isSettled = true
    clearTimeout(timer)
    stream.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone)
    // An error that comes late must not end the process; nothing of the body is held for it.
    stream.on('error', ignore)
    scope.runInAsyncScope(onReading, undefined, reading)
  }
  const refuse = (why: 'too large' | 'too slow'): void => {
    stream.pause()
    settle({ ok: false, why })
  }
  const onData = (chunk: Buffer): void => {
    length += chunk.length
    if (length > limit) refuse('too large')
    else chunks.push(chunk)
  }
  const onGone = (): void => settle({ ok: false, why: 'gone' })
  // On HTTP/2 a body that was broken off ends like a whole one.
  const onEnd = (): void =>
    stream.aborted === true ? onGone() : settle({ ok: true, bytes: joined(chunks, length) })
  const timer = setTimeout(() => refuse('too slow'), timeoutMs)
  stream.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
  if (stream.destroyed || stream.aborted === true) onGone()
}

const ignore = (): void => undefined

function joined(chunks: readonly Buffer[], length: number): Buffer {
  return chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, length)
}
