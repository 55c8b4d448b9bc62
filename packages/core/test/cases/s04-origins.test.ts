// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { closed, FORBIDDEN, kept, ORIGIN_REFUSED, see, valueResult } from '../support/answers.ts'
import { createApp, type EndpointOptions, echoCatalog, listen } from '../support/app.ts'
import { call } from '../support/messages.ts'
import { type Line, linesFor, rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const GOOD = 'https://app.example.com'
const REFUSED = closed(403, ORIGIN_REFUSED)

/** Sends the head of the base call, and its body where one is given. */
async function sendFrom(
  origins: readonly string[],
  body: string,
  more: Partial<EndpointOptions> = {},
) {
  const { options, seen } = echoCatalog()
  let asked = 0
  const authorize = () => {
    asked += 1
    return { ok: true } as const
  }
  const app = await createApp({ ...options, authorize, allowedOrigins: [GOOD], ...more })
  const socket = await openRawSocket(await listen(app))
  const lines = origins.map((origin): Line => ['Origin', origin])
  const length: Line = ['content-length', String(JSON.stringify(CALL).length)]
  socket.send(rawRequest([...linesFor(CALL), ...lines, length], body))
  return { answer: see(await socket.read()), asked, ran: seen.length, socket }
}

describe('S04: origins', () => {
  test.each([
    ['no Origin', []],
    ['the exact origin', [GOOD]],
  ])('[HTTP-03] %s goes on to authorize and is served', async (_, origins) => {
    const { answer, asked, ran } = await sendFrom(origins, JSON.stringify(CALL))
    expect([answer, asked, ran]).toEqual([kept(200, valueResult({ text: 'hi' })), 1, 1])
  })

  test('[HTTP-03] no Origin is still subject to authorize', async () => {
    const refuse = () => ({ ok: false }) as const
    const { answer, ran } = await sendFrom([], '', { authorize: refuse })
    expect([answer, ran]).toEqual([closed(403, FORBIDDEN), 0])
  })

  test.each([
    ['null', ['null']],
    ['a host that begins alike', [`${GOOD}.evil.test`]],
    ['another scheme', ['http://app.example.com']],
    ['another port', [`${GOOD}:8443`]],
    ['another host with the origin as its path', [`https://evil.test/${GOOD}`]],
    ['an empty value', ['']],
    ['a good line and a bad one', [GOOD, 'https://evil.test']],
    ['a bad line and a good one', ['https://evil.test', GOOD]],
  ])('[HTTP-03] %s is 403 before authorize and before the body comes', async (_, origins) => {
    const { answer, asked, ran, socket } = await sendFrom(origins, '')
    expect([answer, asked, ran]).toEqual([REFUSED, 0, 0])
    expect(await socket.ended()).toEqual([])
  })

  test('[HTTP-03] null passes where the host listed it', async () => {
    const { answer } = await sendFrom(['null'], JSON.stringify(CALL), { allowedOrigins: ['null'] })
    expect(answer.status).toBe(200)
  })
})
