// SPDX-License-Identifier: Apache-2.0
import type { LogLevel } from './log-levels.ts'
import type { JsonObject } from './plain.ts'

/**
 * What the 2025-11-25 handshake leaves for the rest of one connection. It is tracked and never
 * enforced, and a request that names 2026-07-28 sees nothing of it.
 *
 * @see MCP 2025-11-25, Lifecycle: L-IO-02, L-IO-10
 */
export interface Session {
  clientInfo: JsonObject | undefined
  clientCapabilities: JsonObject
  /** The lowest level of log messages that `logging/setLevel` asked for; none before. @see L-IO-06 */
  logLevel: LogLevel | undefined
  /** Whether `notifications/initialized` came. */
  isInitialized: boolean
}

/** A session before its handshake. */
export function createSession(): Session {
  return {
    clientInfo: undefined,
    clientCapabilities: {},
    logLevel: undefined,
    isInitialized: false,
  }
}
