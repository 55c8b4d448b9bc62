// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from './plain.ts'

/**
 * An error as a peer sees it. `status` is the HTTP status it travels with; other transports ignore
 * it. Text is fixed or repeats the client's own words; nothing of the host is ever in it.
 *
 * @see MCP 2026-07-28, Error Codes; docs/errors.md
 */
export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: JsonObject
  readonly status: number
}

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
const HEADER_MISMATCH = -32020
const MISSING_CLIENT_CAPABILITY = -32021
const UNSUPPORTED_PROTOCOL_VERSION = -32022

/** Bytes that are not JSON. @see ERR-01 */
export function parseError(why: string): WireError {
  return { code: PARSE_ERROR, message: `Parse error: ${why}`, status: 400 }
}

/** Bytes that never came whole. */
export function unreadableBody(why: string): WireError {
  return { code: PARSE_ERROR, message: `Could not read request body: ${why}`, status: 400 }
}

/** Not one request or notification, or refused before it was looked at. @see ERR-01 */
export function invalidRequest(message: string, status = 400): WireError {
  return { code: INVALID_REQUEST, message, status }
}

/** Unknown or unadvertised method: the body tells it from a missing route. @see HTTP-13 */
export function methodNotFound(method: string): WireError {
  return { code: METHOD_NOT_FOUND, message: `Method not found: ${method}`, status: 404 }
}

/** Params that do not fit: 400 for the envelope's own duties, 200 for the method's. @see ERR-09 */
export function invalidParams(why: string, status: 200 | 400 = 200, data?: JsonObject): WireError {
  return { code: INVALID_PARAMS, message: `Invalid params: ${why}`, status, ...(data && { data }) }
}

/** A tool that does not exist, or that the caller may not see. @see TOOL-12 */
export function unknownTool(name: string): WireError {
  return { code: INVALID_PARAMS, message: `Unknown tool: ${name}`, status: 200 }
}

/** A resource that does not exist. @param code  the revision's own @see RES-06, L-RES-01 */
export function resourceNotFound(code: number, uri: string, data: JsonObject): WireError {
  return { code, message: `Resource not found: ${uri}`, status: 200, data }
}

/**
 * A fault of the host or of this server. The text is fixed; the log has the rest.
 *
 * @param status  from 500; a host fault is 500, a hook that did not answer 503
 * @see ERR-11
 */
export function internalError(status = 500): WireError {
  return { code: INTERNAL_ERROR, message: 'Internal error', status }
}

/** A mirrored header that is missing, malformed or differs from the body. @see HDR-01 to HDR-14 */
export function headerMismatch(why: string): WireError {
  return { code: HEADER_MISMATCH, message: `Header mismatch: ${why}`, status: 400 }
}

/** Something that the client has not declared for this request. @see ERR-07 */
export function missingClientCapability(requiredCapabilities: JsonObject): WireError {
  return {
    code: MISSING_CLIENT_CAPABILITY,
    message: 'Missing required client capability',
    status: 400,
    data: { requiredCapabilities },
  }
}

/** A revision that is not served. `data` has both members always. @see VER-02 */
export function unsupportedVersion(
  supported: readonly string[],
  requested: string,
  message = 'Unsupported protocol version',
): WireError {
  return {
    code: UNSUPPORTED_PROTOCOL_VERSION,
    message,
    status: 400,
    data: { supported: [...supported], requested },
  }
}
