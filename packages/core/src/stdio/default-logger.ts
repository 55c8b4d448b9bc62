// SPDX-License-Identifier: Apache-2.0
import { pino } from 'pino'
import type { Logger } from '../protocol/logger.ts'

/** Bytes that wait for a reader of standard error before further lines are dropped. */
const MOST_WAITING = 1_048_576

/**
 * A log on standard error, at level `info`. It goes through the stream of the process, which does not
 * block: a client that starts a server and never reads its standard error would stop it otherwise. One
 * that closed it ends nothing either.
 *
 * @see MCP 2026-07-28, stdio: IO-03
 */
export function createDefaultLogger(): Logger {
  const { stderr } = process
  // A write is told of its error before the stream is, where one that nobody hears ends the process.
  const onWritten = (error?: Error | null): void => {
    if (error && stderr.listenerCount('error') === 0) stderr.once('error', ignore)
  }
  const write = (line: string): void => {
    if (stderr.writableLength < MOST_WAITING) stderr.write(line, onWritten)
  }
  return pino({ name: '@beam-mcp/core' }, { write })
}

const ignore = (): void => undefined
