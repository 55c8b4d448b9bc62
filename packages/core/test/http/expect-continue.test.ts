// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { beamMcp } from '@beam-mcp/core'
import Fastify, { type FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { continueWhenAdmitted } from '../recipes/expect-continue.ts'
import { closed, errorAnswer, kept, ORIGIN_REFUSED, see, valueResult } from '../support/answers.ts'
import { echoCatalog, listen, openTo } from '../support/app.ts'
import {
  answered,
  beginRequest,
  openSession,
  readAnswer,
  seeHttp2,
} from '../support/http2-client.ts'
import { call } from '../support/messages.ts'
import { type Line, linesFor, rawPost, rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const BODY = JSON.stringify(CALL)
const SERVED = kept(200, valueResult({ text: 'hi' }))
const UNAUTHORIZED = closed(401, errorAnswer(-32600, 'Unauthorized'))
const LENGTH: Line = ['content-length', String(BODY.length)]
const LIMIT = 4096

/** An application that admits `Bearer good`, with the recipe or without. */
async function serve(isHeldBack: boolean, fastify: object = {}) {
  const asked: string[] = []
  const authorize = ({ headers }: FastifyRequest) => {
    asked.push('authorize')
    return headers.authorization === 'Bearer good'
      ? ({ ok: true } as const)
      : ({ ok: false, status: 401 } as const)
  }
  const app = Fastify(fastify)
  if (isHeldBack) continueWhenAdmitted(app)
  const { options, seen } = echoCatalog()
  await app.register(beamMcp, openTo({ ...options, authorize, bodyLimit: LIMIT }))
  app.post('/own', (request) => ({ got: request.body }))
  return { port: await listen(app), seen, asked }
}

function head(further: readonly Line[] = [], requestLine?: string): Buffer {
  const lines: Line[] = [...linesFor(CALL), ['expect', '100-continue'], ...further]
  return rawRequest(lines, '', requestLine)
}

const GOOD: Line = ['authorization', 'Bearer good']

describe('Expect: 100-continue, as Node answers it', () => {
  test('is told to go on before any hook is asked, even where the request is refused', async () => {
    const { port, asked } = await serve(false)
    const socket = await openRawSocket(port)
    socket.send(head([LENGTH]))
    expect((await socket.read()).status).toBe(100)
    expect(see(await socket.read())).toEqual(UNAUTHORIZED)
    expect(await socket.ended()).toEqual([])
    expect(asked).toEqual(['authorize'])
  })

  test('is told to go on by a server over HTTP/2 too', async () => {
    const { port } = await serve(false, { http2: true })
    const stream = beginRequest(await openSession(port), CALL, { expect: '100-continue' })
    const isContinued = once(stream, 'continue')
    const answer = readAnswer(stream)
    await isContinued
    expect(await answer).toMatchObject({ status: 401 })
  })

  test('is 417 for anything else, which no hook sees', async () => {
    const { port, asked } = await serve(false)
    const socket = await openRawSocket(port)
    socket.send(rawRequest([...linesFor(CALL), GOOD, ['expect', 'a miracle'], LENGTH]))
    expect((await socket.read()).status).toBe(417)
    expect(asked).toEqual([])
  })
})

describe('Expect: 100-continue with the recipe', () => {
  test.each<[string, Line[], object]>([
    ['authorize', [LENGTH], UNAUTHORIZED],
    ['its Origin', [GOOD, LENGTH, ['origin', 'https://evil.test']], closed(403, ORIGIN_REFUSED)],
    [
      'its declared length',
      [GOOD, ['content-length', String(LIMIT + 1)]],
      closed(413, errorAnswer(-32600, `Request body exceeds ${LIMIT} bytes`)),
    ],
  ])('is not told to go on where the request is refused by %s', async (_, lines, expected) => {
    const { port, seen } = await serve(true)
    const socket = await openRawSocket(port)
    socket.send(head(lines))
    expect(see(await socket.read())).toEqual(expected)
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
  })

  test('is told to go on when authorize has admitted it, and is served', async () => {
    const { port, asked } = await serve(true)
    const socket = await openRawSocket(port)
    for (const times of [1, 2]) {
      socket.send(head([GOOD, LENGTH]))
      expect((await socket.read()).status).toBe(100)
      expect(asked).toHaveLength(times)
      socket.send(BODY)
      expect(see(await socket.read())).toEqual(SERVED)
    }
  })

  test('is served where the client does not wait to be told', async () => {
    const { port } = await serve(true)
    const socket = await openRawSocket(port)
    socket.send(Buffer.concat([head([GOOD, LENGTH]), Buffer.from(BODY)]))
    expect((await socket.read()).status).toBe(100)
    expect(see(await socket.read())).toEqual(SERVED)
  })

  test('tells nothing to a request that expects nothing, or came over HTTP/1.0', async () => {
    const { port } = await serve(true)
    const socket = await openRawSocket(port)
    socket.send(rawPost(CALL, [GOOD]))
    expect(see(await socket.read())).toEqual(SERVED)
    socket.send(Buffer.concat([head([GOOD, LENGTH], 'POST /mcp HTTP/1.0'), Buffer.from(BODY)]))
    expect((await socket.read()).status).toBe(200)
    expect(await socket.ended()).toEqual([])
  })

  test("serves the application's other routes alike", async () => {
    const { port } = await serve(true)
    const socket = await openRawSocket(port)
    const lines: Line[] = [
      ['content-type', 'application/json'],
      ['expect', '100-continue'],
    ]
    socket.send(rawRequest([...lines, ['content-length', '2']], '', 'POST /own HTTP/1.1'))
    expect((await socket.read()).status).toBe(100)
    socket.send('{}')
    expect(see(await socket.read())).toMatchObject({ status: 200, body: { got: {} } })
  })

  test.each([
    ['refused', undefined, answered(401, errorAnswer(-32600, 'Unauthorized')), []],
    ['admitted', 'Bearer good', answered(200, valueResult({ text: 'hi' })), ['continue']],
  ])('decides over HTTP/2 too: %s', async (_, authorization, expected, told) => {
    const { port } = await serve(true, { http2: true })
    const fields = { expect: '100-continue', authorization }
    const stream = beginRequest(await openSession(port), CALL, fields)
    const heard: string[] = []
    stream.on('continue', () => {
      heard.push('continue')
      stream.end(BODY)
    })
    expect(seeHttp2(await readAnswer(stream))).toEqual(expected)
    expect(heard).toEqual(told)
  })
})
