// SPDX-License-Identifier: Apache-2.0

import { beamMcp } from '@beam-mcp/core'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { closed, errorAnswer, kept, see, valueResult } from '../support/answers.ts'
import { echoCatalog, listen, openTo } from '../support/app.ts'
import { call } from '../support/messages.ts'
import { type Line, linesFor, rawPost, rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CAP = 1_048_576
const MIB = 1_048_576
const CALL = call('echo', { text: 'hi' })
const BODY = JSON.stringify(CALL)
const TOO_BIG = closed(413, errorAnswer(-32600, `Request body exceeds ${CAP} bytes`))

/** An endpoint with the default cap in a host that takes uploads. */
async function serve() {
  const { options, seen } = echoCatalog()
  const app = Fastify()
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_, body, done) =>
    done(null, body),
  )
  app.post('/upload', { bodyLimit: 10 * MIB }, ({ body }) => ({ bytes: (body as Buffer).length }))
  await app.register(beamMcp, openTo(options))
  return { app, port: await listen(app), seen }
}

describe('S06: too big', () => {
  /** Sends one request, expects the 413 and the end, and shows that the next connection is served. */
  async function expectTooBig(lines: readonly Line[], body: string, answer = TOO_BIG) {
    const { port, seen } = await serve()
    const socket = await openRawSocket(port)
    socket.send(rawRequest([...linesFor(CALL), ...lines], body))
    expect(see(await socket.read())).toEqual(answer)
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
    const next = await openRawSocket(port)
    next.send(rawPost(CALL))
    expect(see(await next.read())).toEqual(kept(200, valueResult({ text: 'hi' })))
  }

  test('(a) a declared length over the cap is 413 without a body', async () => {
    await expectTooBig([['content-length', '33554432']], '')
  })

  test('(b) a body without a declared length is 411', async () => {
    const chunk = `${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`
    const message = 'Request body must declare its length: transfer-encoding is refused'
    await expectTooBig(
      [['transfer-encoding', 'chunked']],
      `${chunk}${chunk}0\r\n\r\n`,
      closed(411, errorAnswer(-32600, message)),
    )
  })

  test('(c) a body of exactly the cap is served', async () => {
    const { port, seen } = await serve()
    const socket = await openRawSocket(port)
    socket.send(rawRequest(linesFor(CALL), BODY.padEnd(CAP)))
    expect(see(await socket.read())).toEqual(kept(200, valueResult({ text: 'hi' })))
    expect(seen).toHaveLength(1)
  })

  test('(d) one byte more is 413', async () => {
    await expectTooBig([], BODY.padEnd(CAP + 1))
  })

  test('(e) fewer characters than the cap in more bytes are 413', async () => {
    const body = JSON.stringify(call('echo', { text: '漢'.repeat(CAP / 2) }))
    expect(body.length).toBeLessThan(CAP)
    await expectTooBig([], body)
  })

  test("the host's own limit stays: /upload takes 5 MiB, and no more than its 10", async () => {
    const { app } = await serve()
    const upload = (bytes: number) =>
      app.inject({
        method: 'POST',
        url: '/upload',
        headers: { 'content-type': 'application/octet-stream' },
        payload: Buffer.alloc(bytes),
      })
    expect((await upload(5 * MIB)).json()).toEqual({ bytes: 5 * MIB })
    expect((await upload(10 * MIB + 1)).json()).toMatchObject({
      code: 'FST_ERR_CTP_BODY_TOO_LARGE',
    })
  })
})
