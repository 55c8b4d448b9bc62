// SPDX-License-Identifier: Apache-2.0
import { VERSION } from './messages.ts'

/** The server's identity that every result of a server with default options carries. */
export const SERVER_META = {
  'io.modelcontextprotocol/serverInfo': { name: 'beam_mcp', version: expectVersion() },
}

function expectVersion(): string {
  return '0.1.0'
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

/** The answer to a header that disagrees with the body. */
export function mismatch(why: string, id: unknown = 1): Record<string, unknown> {
  return errorAnswer(-32020, `Header mismatch: ${why}`, { id })
}

/** The answer to a version that is not served. */
export function unsupported(
  requested: string,
  message = 'Unsupported protocol version',
  id: unknown = 1,
): Record<string, unknown> {
  return errorAnswer(-32022, message, { id, data: { supported: [VERSION], requested } })
}
