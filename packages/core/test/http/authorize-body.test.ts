// SPDX-License-Identifier: Apache-2.0
import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import {
  EMPTY_BODY,
  FORBIDDEN,
  INTERNAL,
  kept,
  NO_JSON,
  see,
  UNAUTHORIZED,
  valueResult,
  WRONG_TYPE,
} from '../support/answers.ts'
import { collectLog, createApp, echoCatalog, listen, ownLines, post } from '../support/app.ts'
import { call } from '../support/messages.ts'
import { linesFor, rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const BODY = JSON.stringify(CALL)

async function serve(authorizeBody: (request: FastifyRequest, bytes: Buffer) => unknown) {
  const { options, seen } = echoCatalog()
  const { lines, logger } = collectLog('info')
  const app = await createApp(
    { ...options, authorizeBody: authorizeBody as never, authorizeTimeoutMs: 20 },
    { logger },
  )
  return { app, seen, logged: () => ownLines({ lines }) }
}

describe('authorizeBody', () => {
  test.each([
    ['an ordinary body', Buffer.from(BODY)],
    ['odd white space', Buffer.from(`\r\n\t ${BODY.replaceAll(':', ' :\t')}\n\n`)],
    ['escapes that decode to the same', Buffer.from(BODY.replace('hi', '\\u0068\\u0069'))],
    ['characters of many bytes', Buffer.from(JSON.stringify(call('echo', { text: 'é漢😀' })))],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])],
    ['a byte order mark', Buffer.from(`\ufeff${BODY}`)],
    ['nothing', Buffer.alloc(0)],
    ['many chunks', Buffer.from(BODY.padEnd(300_000))],
  ])('gets the exact bytes: %s', async (_, bytes) => {
    const got: Buffer[] = []
    const { app } = await serve((_request, body) => {
      got.push(Buffer.from(body))
      return { ok: false }
    })
    const socket = await openRawSocket(await listen(app))
    socket.send(rawRequest(linesFor(CALL), bytes))
    expect(see(await socket.read())).toEqual(kept(403, FORBIDDEN))
    expect(got).toHaveLength(1)
    expect(got[0]?.equals(bytes)).toBe(true)
  })

  test('can check a signature over them', async () => {
    const sign = (bytes: string | Buffer) => createHmac('sha256', 'key').update(bytes).digest('hex')
    const { app, seen } = await serve((request, bytes) =>
      request.headers['x-signature'] === sign(bytes)
        ? { ok: true }
        : { ok: false, status: 401, challenge: 'Signature' },
    )
    const good = await post(app, CALL, { 'x-signature': sign(BODY) })
    expect(see(good)).toEqual(kept(200, valueResult({ text: 'hi' })))
    const bad = await post(app, CALL, { 'x-signature': sign(`${BODY} `) })
    expect(see(bad)).toEqual(kept(401, UNAUTHORIZED))
    expect(bad.headers['www-authenticate']).toBe('Signature')
    expect(seen).toHaveLength(1)
  })

  test.each([
    ['another content type', { 'content-type': 'text/plain' }, BODY, kept(415, WRONG_TYPE)],
    ['a body that is no JSON', {}, 'no', kept(400, NO_JSON)],
    ['an empty body', {}, '', kept(400, EMPTY_BODY)],
  ])('is asked before %s is refused', async (_, headers, body, expected) => {
    const asked: string[] = []
    const { app } = await serve((_request, bytes) => {
      asked.push(bytes.toString())
      return { ok: true }
    })
    const lines = Object.entries({ ...Object.fromEntries(linesFor(CALL)), ...headers })
    const response = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: Object.fromEntries(lines),
      payload: body,
    })
    expect(see(response)).toEqual(expected)
    expect(asked).toEqual([body])
  })

  const thrower = (thrown: unknown) => () => {
    throw thrown
  }

  test.each([
    ['throws', thrower(new Error('secret')), 500],
    ['throws undefined', thrower(undefined), 500],
    ['rejects', () => Promise.reject(new Error('secret')), 500],
    [
      'throws an error with a status',
      thrower(Object.assign(new Error('x'), { statusCode: 404 })),
      500,
    ],
    ['is silent', () => new Promise(() => undefined), 503],
  ])('fails closed when it %s, and the connection is kept', async (_, hook, status) => {
    const { app, seen, logged } = await serve(hook)
    expect(see(await post(app, CALL))).toEqual(kept(status, INTERNAL))
    expect(seen).toHaveLength(0)
    expect(logged().map(({ level, msg }) => [level, msg])).toEqual([
      [
        50,
        status === 500
          ? 'authorizeBody failed; the request is refused'
          : 'authorizeBody did not answer in time; the request is refused',
      ],
    ])
  })

  test.each([[undefined], [true], [{}], [{ ok: 'yes' }]])(
    'refuses the answer %j',
    async (value) => {
      const { app, seen, logged } = await serve(() => value)
      expect(see(await post(app, CALL))).toEqual(kept(403, FORBIDDEN))
      expect(seen).toHaveLength(0)
      expect(logged().map(({ msg }) => msg)).toEqual(['authorizeBody broke its contract'])
    },
  )

  test('does not change the principal that authorize named', async () => {
    const { options } = echoCatalog()
    const app = await createApp({
      catalog: options.catalog,
      dispatch: (_tool, _args, { principal }) => `${principal}`,
      authorize: () => ({ ok: true, principal: 'ann' }),
      authorizeBody: () => ({ ok: true, principal: 'eve' }),
    })
    expect((await post(app, CALL)).json().result.content).toEqual([{ type: 'text', text: 'ann' }])
  })
})
