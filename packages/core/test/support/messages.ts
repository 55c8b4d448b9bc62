// SPDX-License-Identifier: Apache-2.0

/** The revision that every base message names. */
export const VERSION = '2026-07-28'

/** The `_meta` that a modern request has to carry. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** One request as an object; `params` gain the required `_meta` unless they bring their own. */
export function request(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  id: unknown = 1,
): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, params: { _meta: META, ...params } }
}

/** The headers that repeat a message, as a conforming client sends them. */
export function headersFor(message: Readonly<Record<string, unknown>>): Record<string, string> {
  const params = (message['params'] ?? {}) as Readonly<Record<string, unknown>>
  const name = params['name'] ?? params['uri']
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': String(message['method']),
    ...(typeof name === 'string' && { 'mcp-name': name }),
  }
}

/** A call of a tool with these arguments; undefined leaves the key out. */
export function call(name: string, args?: unknown, id: unknown = 1): Record<string, unknown> {
  return request('tools/call', { name, ...(args !== undefined && { arguments: args }) }, id)
}
