// SPDX-License-Identifier: Apache-2.0
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { kept, see, UNAUTHORIZED } from '../support/answers.ts'
import { call, headersFor } from '../support/messages.ts'
import { createApp, sign } from './signed-body.ts'

const SECRET = 'a secret of both sides'
const NOW_S = 1_800_000_000
const WINDOW_S = 300
const CALL = call('ping')
const BODY = JSON.stringify(CALL)
const REFUSED = kept(401, UNAUTHORIZED)

/** An application whose clock stands at {@link NOW_S} until it is set. */
async function start() {
  const clock = { seconds: NOW_S }
  const app = await createApp(SECRET, () => clock.seconds * 1000)
  return { app, clock }
}

const signed = (seconds = NOW_S, body = BODY, secret = SECRET): string =>
  sign(secret, seconds, Buffer.from(body))

function send(app: FastifyInstance, signature: string | undefined, payload = BODY) {
  const headers = { ...headersFor(CALL), ...(signature && { 'x-signature': signature }) }
  return app.inject({ method: 'POST', url: '/mcp', headers, payload })
}

describe('a signed body', () => {
  test.each([0, -WINDOW_S, WINDOW_S])('is served when it was signed %d s from now', async (off) => {
    const { app } = await start()
    expect((await send(app, signed(NOW_S + off))).statusCode).toBe(200)
  })

  test('is judged by its exact bytes: the same value written otherwise is another body', async () => {
    const { app } = await start()
    const spaced = JSON.stringify(CALL, undefined, 1)
    expect(see(await send(app, signed(), spaced))).toEqual(REFUSED)
    expect((await send(app, signed(NOW_S, spaced), spaced)).statusCode).toBe(200)
  })

  test.each<[string, string | undefined]>([
    ['no signature', undefined],
    ['a word', 'garbage'],
    ['another secret', signed(NOW_S, BODY, 'another')],
    ['another body', signed(NOW_S, '{}')],
    ['a time that was not signed', signed().replace(String(NOW_S), String(NOW_S + 1))],
    ['a time that is written otherwise', `0${signed()}`],
    ['too early a time', signed(NOW_S - WINDOW_S - 1)],
    ['too late a time', signed(NOW_S + WINDOW_S + 1)],
    ['a digest in upper case', signed().toUpperCase()],
    ['a digest that is cut', signed().slice(0, -1)],
    ['two signatures in one value', `${signed()}, ${signed()}`],
  ])('is answered 401 with %s', async (_, signature) => {
    const { app } = await start()
    expect(see(await send(app, signature))).toEqual(REFUSED)
  })

  test('is refused before it is decoded', async () => {
    const { app } = await start()
    expect(see(await send(app, signed(), 'no JSON'))).toEqual(REFUSED)
  })

  test('is served once: the same bytes again are a replay, as long as their time counts', async () => {
    const { app, clock } = await start()
    const ahead = signed(NOW_S + WINDOW_S)
    expect((await send(app, ahead)).statusCode).toBe(200)
    for (const seconds of [NOW_S, NOW_S + WINDOW_S, NOW_S + 2 * WINDOW_S, NOW_S + 3 * WINDOW_S]) {
      clock.seconds = seconds
      // Another that is new, so that what is kept is swept.
      const other = JSON.stringify(call('ping', undefined, seconds))
      expect((await send(app, signed(seconds, other), other)).statusCode).toBe(200)
      expect(see(await send(app, ahead))).toEqual(REFUSED)
    }
  })
})
