// SPDX-License-Identifier: Apache-2.0
import { echo, kindOf } from './echo.ts'
import { isJsonObject, type JsonObject, ownMember } from './plain.ts'
import { invalidParams, invalidRequest, type WireError } from './wire-errors.ts'

/**
 * A JSON-RPC id: a string, or an integer with every digit it was sent with (`bigint` outside
 * ±(2^53−1)). It is echoed with its type.
 *
 * @see MCP 2026-07-28, Requests: ENV-02, ENV-03
 */
export type JsonRpcId = string | number | bigint

/** What one decoded message turned out to be. */
export type Envelope =
  | Request
  | Notification
  | { readonly kind: 'refused'; readonly id: JsonRpcId | undefined; readonly error: WireError }

/** A message that has to be answered. */
export interface Request {
  readonly kind: 'request'
  readonly id: JsonRpcId
  readonly method: string
  readonly params: unknown
}

/** A message that is never answered (ENV-08). */
export interface Notification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: unknown
  /** What a transport that has a status for it may refuse the notification for. */
  readonly fault: WireError | undefined
}

/** Tells whether the number at a path of the message was written as an integer (`1`, not `1.0`). */
export type IsIntegerLexeme = (path: readonly string[]) => boolean

const META_PLACE =
  '_meta belongs in params._meta (2026-07-28 RequestParams), not at the top level of the request'

/**
 * Reads one decoded message as a request or a notification; there is no batch, and a response has
 * no business at a server.
 *
 * @param isIntegerLexeme  asked for `['id']` alone
 * @returns the envelope; a refusal carries the id only where it could be read
 * @see MCP 2026-07-28, Requests and Notifications: ENV-01 to ENV-04, ENV-14, HTTP-06
 */
export function readEnvelope(message: unknown, isIntegerLexeme: IsIntegerLexeme): Envelope {
  if (Array.isArray(message)) {
    return refused(
      undefined,
      invalidRequest('Batch requests are not supported at any supported protocol version'),
    )
  }
  if (!isJsonObject(message)) {
    return refused(undefined, invalidRequest(`Expected a JSON object, got ${kindOf(message)}`))
  }
  if (!Object.hasOwn(message, 'id')) return readNotification(message)
  const id = readId(message, isIntegerLexeme)
  if (id === undefined) {
    return refused(undefined, invalidRequest('Invalid Request: id must be a string or an integer'))
  }
  return readRequest(message, id)
}

function readRequest(message: JsonObject, id: JsonRpcId): Envelope {
  const method = ownMember(message, 'method')
  if (ownMember(message, 'jsonrpc') !== '2.0' || typeof method !== 'string') {
    return refused(id, invalidRequest('Invalid Request'))
  }
  if (Object.hasOwn(message, '_meta')) return refused(id, invalidParams(META_PLACE, 400))
  return { kind: 'request', id, method, params: ownMember(message, 'params') }
}

function readNotification(message: JsonObject): Envelope {
  const method = ownMember(message, 'method')
  if (ownMember(message, 'jsonrpc') !== '2.0' || typeof method !== 'string') {
    return refused(undefined, invalidRequest('Invalid Request'))
  }
  const fault = Object.hasOwn(message, '_meta') ? invalidParams(META_PLACE, 400) : undefined
  return { kind: 'notification', method, params: ownMember(message, 'params'), fault }
}

function refused(id: JsonRpcId | undefined, error: WireError): Envelope {
  return { kind: 'refused', id, error }
}

function readId(message: JsonObject, isIntegerLexeme: IsIntegerLexeme): JsonRpcId | undefined {
  const id = ownMember(message, 'id')
  if (typeof id === 'string' || typeof id === 'bigint') return id
  return typeof id === 'number' && Number.isInteger(id) && isIntegerLexeme(['id']) ? id : undefined
}

/** The JSON text of an id, every digit kept. */
export function encodeId(id: JsonRpcId): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id)
}

/** An id as a log line carries it. */
export function idForLog(id: JsonRpcId): string {
  return echo(String(id))
}

/** One error answer as JSON text; an id that could not be read is left out, never null (ENV-04). */
export function encodeError(id: JsonRpcId | undefined, error: WireError): string {
  const head = id === undefined ? '' : `"id":${encodeId(id)},`
  const data = error.data === undefined ? '' : `,"data":${JSON.stringify(error.data)}`
  return `{"jsonrpc":"2.0",${head}"error":{"code":${error.code},"message":${JSON.stringify(error.message)}${data}}}`
}
