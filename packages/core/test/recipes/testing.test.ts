// SPDX-License-Identifier: Apache-2.0
import { createTestClient } from '@beam-mcp/core/testing'
import { expect, test } from 'vitest'
import { createApp } from './cors.ts'

test('adds, over HTTP without a port', async () => {
  const headers = { authorization: 'Bearer s3cret' }
  const client = createTestClient(await createApp([]), { headers })
  const { status, result } = await client.callTool('add', { a: 40, b: 2 })
  expect([status, result?.['structuredContent']]).toEqual([200, { sum: 42 }])
})

test('adds, without HTTP', async () => {
  const app = await createApp([])
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: 'add', arguments: { a: 40, b: 2 }, _meta }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const answer = await app.mcp.handle(message, { principal: 'ada' })
  expect(answer).toMatchObject({ id: 1, result: { structuredContent: { sum: 42 } } })
})
