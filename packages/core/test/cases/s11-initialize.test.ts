// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { closed, errorAnswer, kept, see, unsupported } from '../support/answers.ts'
import { createApp, echoCatalog, post } from '../support/app.ts'
import { META, request } from '../support/messages.ts'
import { buildProgram, startProgram } from '../support/stdio-child.ts'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'old', version: '1.0.0' },
  },
}
const OLD = { 'mcp-protocol-version': undefined, 'mcp-method': undefined }
const REFUSED = kept(
  400,
  unsupported(
    '2025-11-25',
    'Unsupported protocol version: this server has no initialize handshake; it serves 2026-07-28',
    0,
  ),
)

describe('S11: an old client opens with initialize', () => {
  test.each([
    ['(a) without a version header', {}],
    ['(b) with the version header of its time', { 'mcp-protocol-version': '2025-11-25' }],
    ['(c) with a session id', { 'mcp-session-id': 'abc' }],
  ])('[VER-07] [A-04] %s is told what is served, under its own id', async (_, headers) => {
    const { options, seen } = echoCatalog()
    const app = await createApp(options)
    const response = await post(app, INITIALIZE, { ...OLD, ...headers })
    expect(see(response)).toEqual(REFUSED)
    expect(response.headers['mcp-session-id']).toBeUndefined()
    expect(seen).toHaveLength(0)
  })

  test.each(['GET', 'DELETE'] as const)(
    '[HTTP-02] (d) %s is 405 and names POST',
    async (method) => {
      const app = await createApp(echoCatalog().options)
      const response = await app.inject({
        method,
        url: '/mcp',
        headers: { accept: 'text/event-stream' },
      })
      expect(see(response)).toEqual(
        closed(405, errorAnswer(-32600, `Method not allowed: ${method}; use POST`)),
      )
      expect(response.headers['allow']).toBe('POST')
    },
  )

  test('[VER-06] a modern initialize is an unknown method', async () => {
    const app = await createApp(echoCatalog().options)
    const message = { ...INITIALIZE, params: { ...INITIALIZE.params, _meta: META } }
    expect(see(await post(app, message))).toEqual(
      kept(404, errorAnswer(-32601, 'Method not found: initialize', { id: 0 })),
    )
  })

  test('[VER-08] the removed methods are unknown', async () => {
    const app = await createApp(echoCatalog().options)
    for (const method of [
      'ping',
      'logging/setLevel',
      'resources/subscribe',
      'resources/unsubscribe',
      'tasks/list',
      'tasks/result',
    ]) {
      expect(see(await post(app, request(method)))).toEqual(
        kept(404, errorAnswer(-32601, `Method not found: ${method}`, { id: 1 })),
      )
    }
  })

  test('[A-04] an initialize that names no version is told what is served too', async () => {
    const app = await createApp(echoCatalog().options)
    const response = await post(app, { jsonrpc: '2.0', id: 'x', method: 'initialize' }, OLD)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      id: 'x',
      error: {
        message: expect.stringContaining('2026-07-28'),
        data: { supported: ['2026-07-28'] },
      },
    })
  })

  test.each([
    ['(e)', '2025-11-25'],
    ['(f)', '2024-11-05'],
  ])('[L-INIT-02] %s over stdio, %s is answered what is served', async (_, protocolVersion) => {
    const child = startProgram(await buildProgram('atlas'))
    child.send({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } })
    const { result, ...rest } = await child.next()
    expect(rest).toEqual({ jsonrpc: '2.0', id: 0 })
    expect(Object.keys(result as object).sort()).toEqual([
      'capabilities',
      'instructions',
      'protocolVersion',
      'serverInfo',
    ])
    expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'atlas' } })
    // The process stays up, for either era.
    child.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, request('server/discover', {}, 2))
    const [pong, found] = await child.take(2)
    expect(pong).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    expect(found).toMatchObject({
      id: 2,
      result: { supportedVersions: ['2026-07-28', '2025-11-25'] },
    })
  })
})
