// SPDX-License-Identifier: Apache-2.0
import type { JsonRpcId } from './json-rpc.ts'
import { isLogLevel, LOG_LEVELS, type LogLevel } from './log-levels.ts'
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

/** The subscription that a message belongs to. @see META-06 */
export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'

/** Where a message has its progress token. */
export const TOKEN_PATH = ['params', '_meta', 'progressToken'] as const

/** What a request says of its client. */
export interface RequestMeta {
  readonly clientInfo: JsonObject | undefined
  readonly clientCapabilities: JsonObject
  /** Where the request wants to be told of progress. @see PROG-01 */
  readonly progressToken: JsonRpcId | undefined
  /** The lowest level of log messages that the request wants. @see LOG-02 */
  readonly logLevel: LogLevel | undefined
}

/** A client that said nothing of itself. */
export const UNKNOWN_CLIENT: RequestMeta = {
  clientInfo: undefined,
  clientCapabilities: {},
  progressToken: undefined,
  logLevel: undefined,
}

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
  const level = ownMember(meta, LOG_LEVEL_KEY)
  return {
    clientInfo: isJsonObject(client) ? client : undefined,
    clientCapabilities: capabilities,
    progressToken: readToken(meta, isIntegerToken),
    logLevel: isLogLevel(level) ? level : undefined,
  }
}

/** The token with its type, or undefined where there is none that counts. */
function readToken(meta: JsonObject, isIntegerToken: () => boolean): JsonRpcId | undefined {
  const token = ownMember(meta, 'progressToken')
  if (typeof token === 'string' || typeof token === 'bigint') return token
  const isToken = typeof token === 'number' && Number.isInteger(token) && isIntegerToken()
  return isToken ? token : undefined
}

/**
 * Reads `_meta` of a 2025-11-25 request, where none of the newer keys exists: one that names this
 * very revision is served by it, any other is a newer request that lacks its version.
 *
 * @see MCP 2025-11-25: L-ENV-05; docs/eras.md
 */
export function readLegacyMeta(
  meta: JsonObject,
  isIntegerToken: () => boolean,
): RequestMeta | WireError {
  const isBroken =
    typeof ownMember(meta, VERSION_KEY) !== 'string' &&
    Object.keys(meta).some((key) => key.startsWith(MODERN_PREFIX))
  return isBroken
    ? invalidParams(`params._meta with ${VERSION_KEY} is required on every request`, 400)
    : { ...UNKNOWN_CLIENT, progressToken: readToken(meta, isIntegerToken) }
}

function findOptionalFault(meta: JsonObject, isIntegerToken: () => boolean): string | undefined {
  const level = ownMember(meta, LOG_LEVEL_KEY)
  if (level !== undefined && !isLogLevel(level)) {
    return `${LOG_LEVEL_KEY} must be one of ${LOG_LEVELS.join(', ')}`
  }
  return Object.hasOwn(meta, 'progressToken') && readToken(meta, isIntegerToken) === undefined
    ? 'progressToken must be a string or an integer'
    : undefined
}
