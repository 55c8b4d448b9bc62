// SPDX-License-Identifier: Apache-2.0
import type { Writable } from 'node:stream'
import { createWaiters } from '../protocol/create-waiters.ts'

/** What becomes of an output. */
export interface WriterEvents {
  /** The output takes more again.  */
  readonly onDrain: () => void
  /** The output takes nothing more: an error, or its end. Told once at most. */
  readonly onGone: () => void
}

/** Writes answers to an output, a line each. */
export interface LineWriter {
  /** Whether the output asked to wait; what is written all the same is held in memory. */
  readonly isFull: boolean
  /** Writes a message without a line feed, or several with one between them, and one behind. */
  readonly write: (text: string) => void
  /** Resolves once the output no longer asks to wait, or is let go or gone. */
  readonly drained: () => Promise<void>
  /** Resolves once the output took all that was written, or is gone. */
  readonly flush: () => Promise<void>
  /** Lets go of the output, which is neither ended nor destroyed. */
  readonly release: () => void
}

/** Writes text, and tells when it is written or what it failed with. */
export type WriteText = (text: string, onWritten: (error?: Error | null) => void) => unknown

const ignore = (): void => undefined

/**
 * @param write  writes to the output, past whatever its own `write` was replaced by
 * @see MCP 2026-07-28, stdio: IO-01
 */
export function createLineWriter(
  output: Writable,
  write: WriteText,
  { onDrain, onGone }: WriterEvents,
): LineWriter {
  const flushed = createWaiters()
  const drained = createWaiters()
  let pending = 0
  let isGone = false
  let isReleased = false
  const isFlushed = (): boolean => isGone || pending === 0
  const lose = (): void => {
    if (isGone) return
    isGone = true
    flushed.wake()
    drained.wake()
    onGone()
  }
  const letErrorsGo = (): void => {
    // A stream tells a write of its error before it tells its listeners.
    setImmediate(() => output.off('error', ignore))
  }
  const onWritten = (error?: Error | null): void => {
    pending -= 1
    if (isReleased && pending === 0) letErrorsGo()
    if (error) lose()
    else if (isFlushed()) flushed.wake()
  }
  const drain = (): void => {
    drained.wake()
    onDrain()
  }
  output.on('error', lose).on('close', lose).on('drain', drain)
  return {
    get isFull() {
      return output.writableNeedDrain
    },
    write: (text) => {
      if (isGone) return
      // Somebody else ended it: to write would be an error of ours.
      if (output.destroyed || output.writableEnded) return lose()
      pending += 1
      write(`${text}\n`, onWritten)
    },
    drained: () =>
      isGone || isReleased || !output.writableNeedDrain ? Promise.resolve() : drained.wait(),
    flush: () => (isFlushed() ? Promise.resolve() : flushed.wait()),
    release: () => {
      isReleased = true
      drained.wake()
      output.off('error', lose).off('close', lose).off('drain', drain)
      if (pending === 0 && !isGone) return
      // What was written may still fail, and an error without a listener ends the process.
      output.on('error', ignore)
      if (pending === 0) letErrorsGo()
    },
  }
}
