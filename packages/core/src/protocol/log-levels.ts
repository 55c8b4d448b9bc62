// SPDX-License-Identifier: Apache-2.0

/** The levels of a log message, lowest first. @see MCP 2026-07-28, Logging: LOG-04 */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

/** How grave a log message is. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Says whether a client's value names a level. */
export function isLogLevel(value: unknown): value is LogLevel {
  const known: readonly unknown[] = LOG_LEVELS
  return known.includes(value)
}
