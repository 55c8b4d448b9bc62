// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, mismatch, see } from '../support/answers.ts'
import { createApp, echoCatalog, listen, post } from '../support/app.ts'
import { call, META } from '../support/messages.ts'
import { rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const BARE = { 'mcp-protocol-version': undefined, 'mcp-method': undefined, 'mcp-name': undefined }
const ACCEPTED = { status: 202, connection: 'keep-alive', type: undefined, body: undefined }

describe('a notification', () => {
  test.each([
    [
      'one of the specification',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    ],
    ['an unknown one', { jsonrpc: '2.0', method: 'notifications/none' }],
    [
      'one that is named like a request',
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo' } },
    ],
    [
      'one with params of another type',
      { jsonrpc: '2.0', method: 'notifications/none', params: 7 },
    ],
  ])(
    '[HTTP-09] [HTTP-10] is accepted without any header and without a body: %s',
    async (_, message) => {
      const { options, seen } = echoCatalog()
      const app = await createApp(options)
      const response = await post(app, message, BARE)
      expect(see(response)).toEqual(ACCEPTED)
      expect(response.headers['content-length']).toBe('0')
      expect(seen).toHaveLength(0)
    },
  )

  test('[HTTP-09] is answered by an empty 202 on the wire, and the connection goes on', async () => {
    const socket = await openRawSocket(await listen(await createApp(echoCatalog().options)))
    const message = { jsonrpc: '2.0', method: 'notifications/none' }
    const bytes = rawRequest([['content-type', 'application/json']], JSON.stringify(message))
    for (let round = 0; round < 2; round += 1) {
      socket.send(bytes)
      const { status, headers, body } = await socket.read()
      expect([status, headers['content-type'], headers['content-length'], body]).toEqual([
        202,
        undefined,
        ['0'],
        '',
      ])
    }
  })

  test('[A-23] may repeat its method and version, and is refused where they differ', async () => {
    const app = await createApp(echoCatalog().options)
    const message = { jsonrpc: '2.0', method: 'notifications/none', params: { _meta: META } }
    expect(see(await post(app, message))).toEqual(ACCEPTED)
    expect(see(await post(app, message, { 'mcp-method': 'tools/call' }))).toEqual(
      kept(
        400,
        mismatch('mcp-method header does not match the corresponding request body value', null),
      ),
    )
    expect(see(await post(app, message, { 'mcp-protocol-version': '2025-11-25' }))).toEqual(
      kept(400, mismatch('mcp-protocol-version header does not match the body value', null)),
    )
  })

  test('[ENV-02] is not what a request with a null id is', async () => {
    const { options, seen } = echoCatalog()
    const app = await createApp(options)
    expect(see(await post(app, { ...call('echo'), id: null }))).toEqual(
      kept(400, errorAnswer(-32600, 'Invalid Request: id must be a string or an integer')),
    )
    expect(seen).toHaveLength(0)
  })

  test('[ENV-08] is not answered in process', async () => {
    const app = await createApp(echoCatalog().options)
    await app.ready()
    expect(await app.mcp.handle({ jsonrpc: '2.0', method: 'notifications/none' })).toBeUndefined()
  })
})
