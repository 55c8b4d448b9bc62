// SPDX-License-Identifier: Apache-2.0
import type { LightMyRequestResponse } from 'fastify'
import { LIBRARY_VERSION } from '../../src/version.ts'
import { VERSION } from './messages.ts'
import type { RawResponse } from './raw-socket.ts'

/** What of an HTTP answer a caller goes by. */
export interface Seen {
  readonly status: number
  readonly connection: string
  readonly type: string | undefined
  readonly body: unknown
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Reads an answer of either kind; a body that is no JSON stays text, an empty one is undefined. */
export function see(response: LightMyRequestResponse | RawResponse): Seen {
  const first = (name: string): string | undefined => {
    const value = response.headers[name]
    return value === undefined ? undefined : String(value)
  }
  return {
    status: 'statusCode' in response ? response.statusCode : response.status,
    connection: first('connection') ?? 'keep-alive',
    type: first('content-type'),
    body: readBody(response.body),
  }
}

function readBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** An answer in JSON after which the connection goes on. */
export function kept(status: number, body: unknown): Seen {
  return { status, connection: 'keep-alive', type: JSON_TYPE, body }
}

/** An answer in JSON that ends the connection. */
export function closed(status: number, body: unknown): Seen {
  return { status, connection: 'close', type: JSON_TYPE, body }
}

/** The server's identity that every result of a server with default options carries. */
export const SERVER_META = {
  'io.modelcontextprotocol/serverInfo': { name: 'beam_mcp', version: LIBRARY_VERSION },
}

/** The answer of a tool that returned a JSON value. */
export function valueResult(value: unknown, id: unknown = 1): Record<string, unknown> {
  return {
    jsonrpc: '2.0',
    id,
    result: {
      content: [{ type: 'text', text: JSON.stringify(value) }],
      structuredContent: value,
      isError: false,
      resultType: 'complete',
      _meta: SERVER_META,
    },
  }
}

/** An error answer; without an id where none could be read. */
export function errorAnswer(
  code: number,
  message: string,
  rest: { readonly id?: unknown; readonly data?: unknown } = {},
): Record<string, unknown> {
  const { id, data } = rest
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, ...(data !== undefined && { data }) },
  }
}

/** The answer to a header that disagrees with the body; null leaves the id out. */
export function mismatch(why: string, id: unknown = 1): Record<string, unknown> {
  return errorAnswer(-32020, `Header mismatch: ${why}`, id === null ? {} : { id })
}

/** The answer to a version that is not served. */
export function unsupported(
  requested: string,
  message = 'Unsupported protocol version',
  id: unknown = 1,
): Record<string, unknown> {
  return errorAnswer(-32022, message, { id, data: { supported: [VERSION], requested } })
}

export const FORBIDDEN = errorAnswer(-32600, 'Forbidden')
export const UNAUTHORIZED = errorAnswer(-32600, 'Unauthorized')
export const ORIGIN_REFUSED = errorAnswer(-32600, 'Origin not allowed')
export const INTERNAL = errorAnswer(-32603, 'Internal error')
export const EMPTY_BODY = errorAnswer(-32700, 'Parse error: empty body')
export const NO_JSON = errorAnswer(-32700, 'Parse error: body is not valid JSON')
export const WRONG_TYPE = errorAnswer(-32600, 'Content-Type must be application/json')
