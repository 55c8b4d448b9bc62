// SPDX-License-Identifier: Apache-2.0
import type { WriteText } from './writer.ts'

/** Standard output as long as it belongs to the protocol. */
export interface StdoutGuard {
  /** Writes to standard output itself. */
  readonly write: WriteText
  /** Gives standard output back as it was. */
  readonly release: () => void
}

/** From the global registry, so that it holds across two copies of this package. */
const GUARDED = Symbol.for('@beam-mcp/core.stdout-guard')

type StreamWrite = typeof process.stdout.write

/** Says whether standard output belongs to a run already. */
export function isStdoutTaken(): boolean {
  return Object.hasOwn(process.stdout, GUARDED)
}

/**
 * Sends to standard error what anything else in this thread, or a worker's output, writes to
 * standard output. What passes by the stream of this process can't be caught: a child that
 * inherited the descriptor, or a write to the descriptor itself.
 *
 * @see MCP 2026-07-28, stdio: IO-02, IO-03
 */
export function guardStdout(): StdoutGuard {
  const { stdout, stderr } = process
  const own = Object.getOwnPropertyDescriptor(stdout, 'write')
  const original = stdout.write
  let isReleased = false
  const redirected = function (this: unknown, ...args: Parameters<StreamWrite>): boolean {
    if (isReleased) return original.apply(stdout, args)
    stderr.write(...args)
    // Who waits would wait for standard output to drain, and that has taken nothing.
    return true
  } as StreamWrite
  Object.defineProperty(stdout, GUARDED, { value: true, configurable: true })
  stdout.write = redirected
  // Nobody may read standard error any more: that is no reason to end.
  stderr.on('error', ignore)
  return {
    write: (text, onWritten) => original.call(stdout, text, 'utf8', onWritten),
    release: () => {
      isReleased = true
      Reflect.deleteProperty(stdout, GUARDED)
      stderr.off('error', ignore)
      // Whoever replaced it meanwhile goes on, and reaches the original through this one.
      if (stdout.write !== redirected) return
      if (own === undefined) Reflect.deleteProperty(stdout, 'write')
      else Object.defineProperty(stdout, 'write', own)
    },
  }
}

const ignore = (): void => undefined
