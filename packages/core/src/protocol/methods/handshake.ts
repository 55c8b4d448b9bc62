// SPDX-License-Identifier: Apache-2.0
import { isLogLevel, LOG_LEVELS } from '../log-levels.ts'
import { isJsonObject, type JsonObject, ownMember } from '../plain.ts'
import type { Method } from '../revision.ts'
import { invalidParams, methodNotFound } from '../wire-errors.ts'

/** Writes what `initialize` answers, once: the one version that has a handshake, whatever is asked. */
export function encodeHandshake(
  version: string,
  capabilities: string,
  serverInfo: JsonObject,
  instructions: string | undefined,
): string {
  const told = instructions === undefined ? '' : `,"instructions":${JSON.stringify(instructions)}`
  return `"protocolVersion":"${version}","capabilities":${capabilities},"serverInfo":${JSON.stringify(serverInfo)}${told}`
}

/**
 * `initialize`: a version that is not served is answered with the one that is. Where the transport has
 * one caller for its life, what the client says of itself is kept for its later requests.
 *
 * @see MCP 2025-11-25, Lifecycle: L-INIT-01 to L-INIT-04
 */
export const initialize: Method = {
  ignoresParams: true,
  run: ({ params, service, session }) => {
    if (session !== undefined) {
      const capabilities = ownMember(params, 'capabilities')
      const client = ownMember(params, 'clientInfo')
      session.clientCapabilities = isJsonObject(capabilities) ? capabilities : {}
      session.clientInfo = isJsonObject(client) ? client : undefined
      session.logLevel = undefined
      session.isInitialized = false
    }
    return { members: service.handshake[session === undefined ? 'stateless' : 'session'] }
  },
}

/** `notifications/initialized` that carries an id: noted, and never answered. */
export const initialized: Method = {
  isSilent: true,
  ignoresParams: true,
  run: ({ session }) => {
    if (session !== undefined) session.isInitialized = true
    return { members: '' }
  },
}

/**
 * `logging/setLevel`: kept for the life of the connection. A caller that nothing is kept of can't have
 * one.
 *
 * @see MCP 2025-11-25, Logging: L-IO-06, L-HTTP-12
 */
export const setLevel: Method = {
  run: ({ params, session }) => {
    if (session === undefined) return { error: methodNotFound('logging/setLevel') }
    const level = ownMember(params, 'level')
    if (!isLogLevel(level)) {
      return { error: invalidParams(`level must be one of ${LOG_LEVELS.join(', ')}`) }
    }
    session.logLevel = level
    return { members: '' }
  },
}

/** `ping`. @see MCP 2025-11-25, Ping: L-PING-01 */
export const ping: Method = {
  ignoresParams: true,
  run: () => ({ members: '' }),
}
