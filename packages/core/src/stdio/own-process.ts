// SPDX-License-Identifier: Apache-2.0
import { LONGEST_TIMER_MS } from '../protocol/option-readers.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Milliseconds that a process whose run is over has to end by itself. */
const GRACE_MS = 1_000

/**
 * Calls back at a signal that asks the process to end, which it then does not do by itself.
 *
 * @returns lets go of the signals
 * @see MCP 2026-07-28, stdio: IO-08, IO-09
 */
export function onSignals(end: (signal: string) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, end)
  return () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

/**
 * Holds the process as long as a run has it: an input that is not read, since there is no room for
 * more, does not.
 *
 * @returns lets go of it
 */
export function holdProcess(): () => void {
  // Files, which nobody waits for, have neither.
  const stdin: Partial<Pick<typeof process.stdin, 'ref' | 'unref'>> = process.stdin
  const timer = setInterval(ignore, LONGEST_TIMER_MS)
  stdin.ref?.()
  return () => {
    clearInterval(timer)
    // Pausing is not enough: a paused stream goes on to fill its buffer, and what it waits for holds
    // the process.
    stdin.unref?.()
  }
}

/**
 * Sees to it that no process outlives its client: one that ends by itself never notices, one that
 * something still holds is ended, with the exit code that it set or 0. What the host prints on its
 * way out may find nobody left to read it, which is no fault either.
 */
export function endProcessSoon(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
  setTimeout(() => process.exit(), GRACE_MS).unref()
}

const ignore = (): void => undefined
