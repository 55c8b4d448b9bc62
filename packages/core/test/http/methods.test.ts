// SPDX-License-Identifier: Apache-2.0

import { beamMcp } from '@beam-mcp/core'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { closed, errorAnswer, see } from '../support/answers.ts'
import { createApp, echoCatalog, listen, openTo } from '../support/app.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const METHODS = Fastify().supportedMethods.filter((method) => method !== 'POST')

function refused(method: string): unknown {
  return errorAnswer(-32600, `Method not allowed: ${method}; use POST`)
}

describe('the method of a request', () => {
  test('[HTTP-02] is refused for each of the methods that Fastify knows', () => {
    expect(METHODS).toEqual(expect.arrayContaining(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT']))
  })

  test.each(METHODS.filter((method) => method !== 'HEAD'))(
    '[HTTP-02] answers 405 with Allow to %s, and authorize is not asked',
    async (method) => {
      let asked = 0
      const authorize = () => {
        asked += 1
        return { ok: true } as const
      }
      const app = await createApp({ ...echoCatalog().options, authorize })
      const response = await app.inject({ method: method as 'GET', url: '/mcp' })
      expect(see(response)).toEqual(closed(405, refused(method)))
      expect(response.headers['allow']).toBe('POST')
      expect(asked).toBe(0)
    },
  )

  test('[HTTP-02] answers 405 to HEAD, without a body on the wire', async () => {
    const port = await listen(await createApp(echoCatalog().options))
    const socket = await openRawSocket(port)
    const chunks: Buffer[] = []
    socket.socket.on('data', (chunk) => chunks.push(chunk))
    socket.send('HEAD /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
    await socket.ended()
    const [head, body] = Buffer.concat(chunks).toString().split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/)
    expect(head?.toLowerCase()).toContain('\r\nallow: post\r\n')
    expect(body).toBe('')
  })

  test('[HTTP-02] answers 405 to a method that the host added before', async () => {
    const app = Fastify()
    app.addHttpMethod('PURGE')
    await app.register(beamMcp, openTo(echoCatalog().options))
    const response = await app.inject({ method: 'PURGE' as 'GET', url: '/mcp' })
    expect(see(response)).toEqual(closed(405, refused('PURGE')))
  })

  test('[HTTP-02] is refused with a body that is not read', async () => {
    const port = await listen(await createApp(echoCatalog().options))
    const socket = await openRawSocket(port)
    socket.send('PUT /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n\r\n')
    expect(see(await socket.read())).toEqual(closed(405, refused('PUT')))
    expect(await socket.ended()).toEqual([])
  })
})
