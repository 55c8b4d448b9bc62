// SPDX-License-Identifier: Apache-2.0
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { post } from './app.ts'

/** The revision that opens with a handshake. */
export const OLDER = '2025-11-25'

/** Both revisions, as a host names them. */
export const BOTH = ['2026-07-28', '2025-11-25'] as const

/** The key by which a request names its revision. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** A request of an older client: no `_meta` but its own. */
export function bare(
  method: string,
  params?: unknown,
  id: string | number = 1,
): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }
}

/** The opening of an older client, with what it says of itself. */
export function initialize(protocolVersion: unknown = OLDER): Record<string, unknown> {
  const params = { capabilities: {}, clientInfo: { name: 'old', version: '1.0.0' } }
  return bare('initialize', { ...params, protocolVersion }, 0)
}

/** The headers of an older client; it knows nothing of `Mcp-Method` and `Mcp-Name`. */
const HEADERS = { 'mcp-protocol-version': OLDER, 'mcp-method': undefined, 'mcp-name': undefined }

/** Posts as an older client does, with the version header that the handshake agreed on. */
export function postOld(
  app: FastifyInstance,
  message: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): Promise<LightMyRequestResponse> {
  return post(app, message, { ...HEADERS, ...headers })
}
