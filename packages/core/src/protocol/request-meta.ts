// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject, ownMember } from './plain.ts'
import { invalidParams, type WireError } from './wire-errors.ts'

/** The revision a request names, in `params._meta`. @see META-01 */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo'
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel'
/** The keys of the newer era: a request that carries one of them without a version is broken. */
const MODERN_PREFIX = 'io.modelcontextprotocol/'
/** The server's identity in a result's `_meta`. @see META-05 */
export const SERVER_KEY = 'io.modelcontextprotocol/serverInfo'

const LOG_LEVELS = new Set([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
])

/** What a request says of its client. */
export interface RequestMeta {
  readonly clientInfo: JsonObject | undefined
  readonly clientCapabilities: JsonObject
}

/** A client that said nothing of itself. */
export const UNKNOWN_CLIENT: RequestMeta = { clientInfo: undefined, clientCapabilities: {} }

/** `params._meta` with the version it names, or the error for its absence. */
export type MetaReading =
  | { readonly ok: true; readonly meta: JsonObject; readonly version: string }
  | { readonly ok: false; readonly error: WireError }

/**
 * Reads the member of a request that makes it a modern one.
 *
 * @see MCP 2026-07-28, `_meta`: META-01
 */
export function readVersionedMeta(params: unknown): MetaReading {
  const meta = isJsonObject(params) ? ownMember(params, '_meta') : undefined
  if (meta !== undefined && !isJsonObject(meta)) {
    return { ok: false, error: invalidParams('params._meta must be an object', 400) }
  }
  const version = meta === undefined ? undefined : ownMember(meta, VERSION_KEY)
  if (meta === undefined || typeof version !== 'string') {
    const why = `params._meta with ${VERSION_KEY} is required on every request`
    return { ok: false, error: invalidParams(why, 400) }
  }
  return { ok: true, meta, version }
}

/** The version a message names, where it names one by a string. */
export function versionOf(params: unknown): string | undefined {
  const meta = isJsonObject(params) ? ownMember(params, '_meta') : undefined
  const version = isJsonObject(meta) ? ownMember(meta, VERSION_KEY) : undefined
  return typeof version === 'string' ? version : undefined
}

/**
 * Reads the rest of what 2026-07-28 wants in `_meta`, and the shape of the optional keys.
 *
 * @param isIntegerToken  whether a numeric progress token was written as an integer
 * @see MCP 2026-07-28, `_meta`: META-01 to META-04; A-26
 */
export function readRequestMeta(
  meta: JsonObject,
  isIntegerToken: () => boolean,
): RequestMeta | WireError {
  const capabilities = ownMember(meta, CAPABILITIES_KEY)
  if (capabilities === undefined) {
    return invalidParams(
      `params._meta lacks ${CAPABILITIES_KEY}, which 2026-07-28 requires on every request`,
      400,
    )
  }
  if (!isJsonObject(capabilities)) {
    return invalidParams(`${CAPABILITIES_KEY} must be an object`, 400)
  }
  const fault = findOptionalFault(meta, isIntegerToken)
  if (fault !== undefined) return invalidParams(fault, 400)
  const client = ownMember(meta, CLIENT_KEY)
  return { clientInfo: isJsonObject(client) ? client : undefined, clientCapabilities: capabilities }
}

/**
 * Reads `_meta` of a 2025-11-25 request, where none of the newer keys exists: one that names this
 * very revision is served by it, any other is a newer request that lacks its version.
 *
 * @see MCP 2025-11-25: L-ENV-05; docs/eras.md
 */
export function readLegacyMeta(meta: JsonObject): RequestMeta | WireError {
  const isBroken =
    typeof ownMember(meta, VERSION_KEY) !== 'string' &&
    Object.keys(meta).some((key) => key.startsWith(MODERN_PREFIX))
  return isBroken
    ? invalidParams(`params._meta with ${VERSION_KEY} is required on every request`, 400)
    : UNKNOWN_CLIENT
}

function findOptionalFault(meta: JsonObject, isIntegerToken: () => boolean): string | undefined {
  const level = ownMember(meta, LOG_LEVEL_KEY)
  if (level !== undefined && !(typeof level === 'string' && LOG_LEVELS.has(level))) {
    return `${LOG_LEVEL_KEY} must be one of ${[...LOG_LEVELS].join(', ')}`
  }
  const token = ownMember(meta, 'progressToken')
  if (token === undefined || typeof token === 'string' || typeof token === 'bigint')
    return undefined
  return typeof token === 'number' && Number.isInteger(token) && isIntegerToken()
    ? undefined
    : 'progressToken must be a string or an integer'
}
