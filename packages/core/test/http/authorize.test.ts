// SPDX-License-Identifier: Apache-2.0
import { beamMcp, createBeam, createCatalog, type Decision, defineTool } from '@beam-mcp/core'
import Fastify, { type FastifyRequest } from 'fastify'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  closed,
  FORBIDDEN,
  INTERNAL,
  kept,
  see,
  UNAUTHORIZED,
  valueResult,
} from '../support/answers.ts'
import {
  collectLog,
  createApp,
  echoCatalog,
  listen,
  openTo,
  ownLines,
  post,
  watched,
} from '../support/app.ts'
import { call } from '../support/messages.ts'
import { rawPost } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })

/** Posts one call to an endpoint whose `authorize` is this. */
async function postTo(authorize: (request: FastifyRequest) => unknown) {
  const { options, seen } = echoCatalog()
  const { lines, logger } = collectLog('info')
  const app = await createApp({ ...options, authorize: authorize as never }, { logger })
  const response = await post(app, CALL)
  const logged = ownLines({ lines }).map(({ level, msg, reason, err }) => {
    const error = err as { code?: string; message?: string } | undefined
    return {
      level,
      msg,
      ...(reason !== undefined && { reason }),
      ...(error && { error: error.message }),
    }
  })
  return {
    answer: see(response),
    challenge: response.headers['www-authenticate'],
    logged,
    ran: seen.length,
  }
}

const REFUSED_LINE = { level: 30, msg: 'authorize refused the request' }
const FAILED_LINE = { level: 50, msg: 'authorize failed; the request is refused' }
const BROKEN_LINE = { level: 50, msg: 'authorize broke its contract' }

describe('authorize', () => {
  test.each([
    ['at once', () => ({ ok: true })],
    ['later', async () => ({ ok: true })],
    [
      'later, without a promise of ours',
      () => ({ then: (tell: (v: unknown) => void) => tell({ ok: true }) }),
    ],
    ['with members that nobody reads', () => ({ ok: true, status: 500, challenge: 'x\n' })],
  ])('[AUTH-04] admits %s', async (_, authorize) => {
    expect(await postTo(authorize)).toEqual({
      answer: kept(200, valueResult({ text: 'hi' })),
      challenge: undefined,
      logged: [],
      ran: 1,
    })
  })

  const REFUSALS: [string, Decision, number, string | undefined][] = [
    ['with nothing more', { ok: false }, 403, undefined],
    ['with 403', { ok: false, status: 403 }, 403, undefined],
    ['with 401', { ok: false, status: 401 }, 401, undefined],
    ['with a challenge', { ok: false, challenge: 'Bearer' }, 403, 'Bearer'],
    [
      'with 401 and a challenge',
      { ok: false, status: 401, challenge: 'Bearer realm="mcp", scope="a b"' },
      401,
      'Bearer realm="mcp", scope="a b"',
    ],
  ]

  test.each(REFUSALS)('[AUTH-07] [AUTH-08] refuses %s', async (_, decision, status, challenge) => {
    const answer = closed(status, status === 401 ? UNAUTHORIZED : FORBIDDEN)
    const expected = { answer, challenge, logged: [REFUSED_LINE], ran: 0 }
    expect(await postTo(() => decision)).toEqual(expected)
    expect(await postTo(async () => decision)).toEqual(expected)
  })

  test('keeps its reason in the log', async () => {
    const { answer, logged } = await postTo(() => ({ ok: false, reason: 'token abc123 expired' }))
    expect(answer).toEqual(closed(403, FORBIDDEN))
    expect(logged).toEqual([{ ...REFUSED_LINE, reason: 'token abc123 expired' }])
  })

  const secret = new Error('token abc123 expired')
  const thrower = (thrown: unknown) => () => {
    throw thrown
  }

  test.each([
    ['throws an error', thrower(secret), 'token abc123 expired'],
    ['rejects', () => Promise.reject(secret), 'token abc123 expired'],
    ['throws undefined', thrower(undefined), 'a value that is no Error was thrown: undefined'],
    [
      'rejects with undefined',
      () => Promise.reject(),
      'a value that is no Error was thrown: undefined',
    ],
    ['throws a text', thrower('abc123'), 'a value that is no Error was thrown: abc123'],
    [
      'throws what can not be described',
      thrower(Object.create(null)),
      'a value that is no Error was thrown: [object Object]',
    ],
    [
      'throws an error with a status',
      thrower(Object.assign(new Error('x'), { statusCode: 404 })),
      'x',
    ],
    [
      'throws on being read',
      () => ({
        get ok() {
          throw secret
        },
      }),
      'token abc123 expired',
    ],
    [
      'throws on being awaited',
      () => ({
        get then() {
          throw secret
        },
      }),
      'token abc123 expired',
    ],
  ])('answers 500 when it %s, and tells the caller nothing', async (_, authorize, error) => {
    expect(await postTo(authorize)).toEqual({
      answer: closed(500, INTERNAL),
      challenge: undefined,
      logged: [{ ...FAILED_LINE, error }],
      ran: 0,
    })
  })

  const OFF = 'authorize must answer { ok: true } or { ok: false }'

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['true', true],
    ['a text', 'ok'],
    ['an empty object', {}],
    ['a truthy ok', { ok: 1 }],
    ['ok as a text', { ok: 'true' }],
    ['a list', [{ ok: true }]],
    ['a function', () => ({ ok: true })],
    ['null for ok', { ok: null }],
  ])('answers 403 when it answers %s', async (_, value) => {
    const expected = {
      answer: closed(403, FORBIDDEN),
      challenge: undefined,
      logged: [{ ...BROKEN_LINE, error: OFF }],
      ran: 0,
    }
    expect(await postTo(() => value)).toEqual(expected)
    expect(await postTo(async () => value)).toEqual(expected)
  })

  test.each([[200], [302], [404], [500], ['401'], [null]])(
    'chooses no status but 401 and 403: %j is 403',
    async (status) => {
      expect(await postTo(() => ({ ok: false, status, challenge: 'Bearer' }))).toEqual({
        answer: closed(403, FORBIDDEN),
        challenge: undefined,
        logged: [
          REFUSED_LINE,
          { ...BROKEN_LINE, error: 'authorize may choose the status 401 or 403 alone' },
        ],
        ran: 0,
      })
    },
  )

  test.each([
    ['Bearer\r\nx-evil: 1'],
    ['Bearer\u0000'],
    ['Bearer realm="zürich"'],
    [''],
    [7],
    [null],
    [['Bearer']],
  ])('sends no challenge that is no header value: %j', async (challenge) => {
    expect(await postTo(() => ({ ok: false, status: 401, challenge }))).toEqual({
      answer: closed(401, UNAUTHORIZED),
      challenge: undefined,
      logged: [
        REFUSED_LINE,
        { ...BROKEN_LINE, error: 'authorize answered a challenge that is no header value' },
      ],
      ran: 0,
    })
  })

  test('answers 503 when it does not answer in time', async () => {
    const { options, seen } = echoCatalog()
    const { lines, logger } = collectLog('error')
    const late: { tell: (decision: Decision) => void } = { tell: () => undefined }
    const authorize = () => new Promise<Decision>((resolve) => (late.tell = resolve))
    const app = await createApp({ ...options, authorize, authorizeTimeoutMs: 20 }, { logger })
    const response = await post(app, CALL)
    expect(see(response)).toEqual(closed(503, INTERNAL))
    expect(lines).toEqual([
      expect.objectContaining({
        timeoutMs: 20,
        reqId: expect.any(String),
        msg: 'authorize did not answer in time; the request is refused',
      }),
    ])
    late.tell({ ok: true })
    expect((await app.inject({ method: 'GET', url: '/none' })).statusCode).toBe(404)
    expect(seen).toHaveLength(0)
  })

  test('runs before a byte of the body is there, and sees method, url and headers', async () => {
    const { options } = echoCatalog()
    const asked: unknown[] = []
    const authorize = (request: FastifyRequest): Decision => {
      asked.push([request.method, request.url, request.headers.authorization, request.body])
      return { ok: false, status: 401, challenge: 'Bearer' }
    }
    const socket = await openRawSocket(await listen(await createApp({ ...options, authorize })))
    const head =
      rawPost(CALL, [['authorization', 'Bearer x']])
        .toString()
        .split('{')[0] ?? ''
    socket.send(head)
    const response = await socket.read()
    expect(see(response)).toEqual(closed(401, UNAUTHORIZED))
    expect(response.headers['www-authenticate']).toEqual(['Bearer'])
    expect(await socket.ended()).toEqual([])
    expect(asked).toEqual([['POST', '/mcp', 'Bearer x', undefined]])
  })

  test('gives the principal to the tool, together with the request', async () => {
    interface User {
      readonly name: string
    }
    const beam = createBeam<User>()
    const whoami = beam.defineTool({
      name: 'whoami',
      handler: (_, { principal, request, transport, method, requestId }) => {
        expectTypeOf(principal).toEqualTypeOf<User>()
        return {
          user: principal.name,
          url: request?.url ?? null,
          transport,
          method,
          id: String(requestId),
        }
      },
    })
    const app = Fastify()
    await app.register(beam.plugin, {
      ...beam.createCatalog({ tools: [whoami] }),
      allowedOrigins: [],
      authorize: (request) => ({
        ok: true,
        principal: { name: String(request.headers['x-user']) },
      }),
    })
    const asUser = async (user: string) =>
      (await post(app, call('whoami', {}, 'q1'), { 'x-user': user })).json()
    const told = (user: string) => ({
      user,
      url: '/mcp',
      transport: 'http',
      method: 'tools/call',
      id: 'q1',
    })
    const [ann, bob] = await Promise.all([asUser('ann'), asUser('bob')])
    expect(ann).toEqual(valueResult(told('ann'), 'q1'))
    expect(bob).toEqual(valueResult(told('bob'), 'q1'))
  })

  test.each([
    [() => ({ ok: true as const }), 'undefined'],
    [() => ({ ok: true as const, principal: null }), 'object'],
    [() => ({ ok: true as const, principal: 0 }), 'number'],
  ])('hands on a principal of any kind: %#', async (authorize, kind) => {
    const tool = defineTool({ name: 'kind', handler: (_, { principal }) => typeof principal })
    const { options } = watched(createCatalog({ tools: [tool] }))
    const app = Fastify()
    await app.register(beamMcp, openTo({ ...options, authorize }))
    expect((await post(app, call('kind'))).json().result.content).toEqual([
      { type: 'text', text: kind },
    ])
  })
})
