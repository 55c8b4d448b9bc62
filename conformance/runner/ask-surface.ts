// SPDX-License-Identifier: Apache-2.0
import type { Revision } from './requirements.ts'

const CLIENT = { name: 'conformance-runner', version: '1' }

const QUESTIONS = {
  '2026-07-28': {
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
    method: 'server/discover',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': CLIENT,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
  '2025-11-25': {
    headers: {},
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT },
  },
} as const satisfies Readonly<Record<Revision, unknown>>

/**
 * Asks a server for the capabilities that it advertises in a revision.
 *
 * @throws Error where it answers none
 */
export async function askSurface(url: string, revision: Revision): Promise<object> {
  const { headers, method, params } = QUESTIONS[revision]
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as { readonly result?: { readonly capabilities?: object } }
  const capabilities = answer.result?.capabilities
  if (capabilities === undefined) throw new Error(`${method} answered ${JSON.stringify(answer)}`)
  return capabilities
}
