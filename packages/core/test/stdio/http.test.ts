// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest'
import { createApp, echoCatalog } from '../support/app.ts'
import { headersFor, request } from '../support/messages.ts'

test.each(['shutdown', 'exit'])(
  'over HTTP there is no method %s, in either revision',
  async (method) => {
    const app = await createApp({
      ...echoCatalog().options,
      revisions: ['2026-07-28', '2025-11-25'],
    })
    const modern = request(method)
    const legacy = { jsonrpc: '2.0', id: 1, method }
    const older = { ...headersFor(modern), 'mcp-protocol-version': '2025-11-25' }
    for (const [payload, headers] of [
      [modern, headersFor(modern)],
      [legacy, older],
    ] as const) {
      const response = await app.inject({ method: 'POST', url: '/mcp', headers, payload })
      expect(response.json()).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32601, message: `Method not found: ${method}` },
      })
    }
    const after = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: headersFor(request('tools/list')),
      payload: request('tools/list'),
    })
    expect(after.statusCode).toBe(200)
  },
)
