// SPDX-License-Identifier: Apache-2.0
import { pino } from 'pino'
import type { Logger } from '../protocol/logger.ts'

/** Bytes that wait for a reader of standard error before further lines are dropped. */
const MOST_WAITING = 1_048_576

/**
 * A log on standard error, at level `info`. It goes through the stream of the process, which does not
 * block: a client that starts a server and never reads its standard error would stop it otherwise.
 *
 * @see MCP 2026-07-28, stdio: IO-03
 */
export function createDefaultLogger(): Logger {
  const { stderr } = process
  const write = (line: string): void => {
    if (stderr.writableLength < MOST_WAITING) stderr.write(line)
  }
  return pino({ name: '@beam-mcp/core' }, { write })
}
