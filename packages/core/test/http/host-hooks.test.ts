// SPDX-License-Identifier: Apache-2.0
import { beamMcp } from '@beam-mcp/core'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  closed,
  errorAnswer,
  INTERNAL,
  kept,
  ORIGIN_REFUSED,
  see,
  valueResult,
} from '../support/answers.ts'
import {
  collectLog,
  type EndpointOptions,
  echoCatalog,
  openTo,
  ownLines,
  post,
} from '../support/app.ts'
import { call, request } from '../support/messages.ts'

const CALL = call('echo', { text: 'hi' })
const SERVED = kept(200, valueResult({ text: 'hi' }))
const SECRET = 'connect ECONNREFUSED 10.0.0.5:5432'

/** An endpoint in a host that was prepared before it. */
async function serve(
  prepare: (app: FastifyInstance) => void,
  more: Partial<EndpointOptions> = {},
  fastify: FastifyServerOptions = {},
) {
  const { options, seen } = echoCatalog()
  const { lines, logger } = collectLog('info')
  let asked = 0
  const authorize = () => {
    asked += 1
    return { ok: true } as const
  }
  const app = Fastify({ logger, ...fastify })
  prepare(app)
  await app.register(beamMcp, openTo({ ...options, authorize, ...more }))
  return { app, seen, asked: () => asked, logged: () => ownLines({ lines }) }
}

function thrower(thrown: unknown): () => Promise<never> {
  return async () => {
    throw thrown
  }
}

const failing = (members: object) => thrower(Object.assign(new Error(SECRET), members))
const refused = (text: string) => errorAnswer(-32600, text)

describe("an error of the host's onRequest hook", () => {
  test.each([
    [400, refused('Bad Request')],
    [401, refused('Unauthorized')],
    [403, refused('Forbidden')],
    [418, refused("I'm a Teapot")],
    [429, refused('Too Many Requests')],
    [499, refused('Request refused')],
    [500, INTERNAL],
    [503, INTERNAL],
    [599, INTERNAL],
  ])('keeps the status %i, with our text and nothing of its own', async (statusCode, body) => {
    const { app, asked, seen } = await serve((host) =>
      host.addHook('onRequest', failing({ statusCode })),
    )
    expect(see(await post(app, CALL))).toEqual(closed(statusCode, body))
    expect([asked(), seen.length]).toEqual([0, 0])
  })

  test.each([
    ['no status', {}],
    ['a status of success', { statusCode: 200 }],
    ['a redirection', { statusCode: 302 }],
    ['a status out of range', { statusCode: 600 }],
    ['a status that is no integer', { statusCode: 404.5 }],
    ['a status that is a text', { statusCode: '404' }],
  ])('is 500 with %s', async (_, members) => {
    const { app } = await serve((host) => host.addHook('onRequest', failing(members)))
    expect(see(await post(app, CALL))).toEqual(closed(500, INTERNAL))
  })

  test('keeps the status that it calls status, and the one that the reply has', async () => {
    const byName = await serve((host) => host.addHook('onRequest', failing({ status: 404 })))
    expect(see(await post(byName.app, CALL))).toEqual(closed(404, refused('Not Found')))
    const byReply = await serve((host) =>
      host.addHook('onRequest', async (_, reply) => {
        reply.code(409)
        throw new Error(SECRET)
      }),
    )
    expect(see(await post(byReply.app, CALL))).toEqual(closed(409, refused('Conflict')))
  })

  test.each([
    ['a text', SECRET],
    ['a plain object', { message: SECRET }],
    ['null', null],
    ['undefined', undefined],
  ])('is 500 where %s is thrown', async (_, thrown) => {
    const { app } = await serve((host) => host.addHook('onRequest', thrower(thrown)))
    expect(see(await post(app, CALL))).toEqual(closed(500, INTERNAL))
  })

  test('keeps the headers of the error and of the reply, but none of another body', async () => {
    const { app } = await serve((host) =>
      host.addHook('onRequest', async (_, reply) => {
        reply.header('x-from-reply', 'yes')
        const headers = {
          'retry-after': 30,
          'www-authenticate': 'Bearer',
          'content-length': 7,
          'content-type': 'text/html',
          'content-encoding': 'gzip',
          'transfer-encoding': 'chunked',
          connection: 'keep-alive',
          'x-odd': { not: 'sendable' },
        }
        throw Object.assign(new Error(SECRET), { statusCode: 429, headers })
      }),
    )
    const response = await post(app, CALL)
    expect(see(response)).toEqual(closed(429, refused('Too Many Requests')))
    expect(response.headers).toMatchObject({
      'retry-after': expect.anything(),
      'www-authenticate': 'Bearer',
      'x-from-reply': 'yes',
    })
    expect(String(response.headers['retry-after'])).toBe('30')
    for (const name of ['content-encoding', 'transfer-encoding', 'x-odd']) {
      expect(response.headers).not.toHaveProperty([name])
    }
  })

  test('is answered although one of its headers can not be sent', async () => {
    const headers = { 'x-bad': 'a\r\nx-evil: b' }
    const { app } = await serve((host) =>
      host.addHook('onRequest', failing({ statusCode: 429, headers })),
    )
    const response = await post(app, CALL)
    expect([response.statusCode >= 400, response.headers['x-evil']]).toEqual([true, undefined])
    expect(response.body).not.toContain('ECONNREFUSED')
  })

  test('is written to the log, a refusal as information and a fault as an error', async () => {
    for (const [statusCode, level] of [
      [429, 30],
      [500, 50],
    ]) {
      const { app, logged } = await serve((host) =>
        host.addHook('onRequest', failing({ statusCode })),
      )
      await post(app, CALL)
      expect(logged()).toEqual([
        expect.objectContaining({
          level,
          reqId: expect.any(String),
          err: expect.objectContaining({ message: SECRET }),
          msg: 'A hook or the framework refused a request',
        }),
      ])
    }
  })
})

describe("an error of the host's later hooks", () => {
  test.each(['preValidation', 'preHandler'] as const)(
    'in %s keeps its status and the connection',
    async (hook) => {
      const { app, seen } = await serve((host) => host.addHook(hook, failing({ statusCode: 422 })))
      expect(see(await post(app, CALL))).toEqual(kept(422, refused('Unprocessable Entity')))
      expect(seen).toHaveLength(0)
    },
  )

  test('in preParsing keeps its status and ends the connection', async () => {
    const { app } = await serve((host) => host.addHook('preParsing', failing({ statusCode: 422 })))
    expect(see(await post(app, CALL))).toEqual(closed(422, refused('Unprocessable Entity')))
  })
})

describe("the host's hooks", () => {
  test('all run, in their order, for an answer and for a refusal', async () => {
    const ran: string[] = []
    const { app } = await serve((host) => {
      host.addHook('onRequest', async () => void ran.push('onRequest'))
      host.addHook('preParsing', async (_request, _reply, payload) => {
        ran.push('preParsing')
        return payload
      })
      host.addHook('preValidation', async () => void ran.push('preValidation'))
      host.addHook('preHandler', async () => void ran.push('preHandler'))
      host.addHook('onSend', async (_request, _reply, payload) => {
        ran.push('onSend')
        return payload
      })
      host.addHook('onResponse', async () => void ran.push('onResponse'))
    })
    expect(see(await post(app, CALL))).toEqual(SERVED)
    expect(ran).toEqual([
      'onRequest',
      'preParsing',
      'preValidation',
      'preHandler',
      'onSend',
      'onResponse',
    ])
    ran.length = 0
    expect(see(await post(app, CALL, { origin: 'https://evil.test' }))).toEqual(
      closed(403, ORIGIN_REFUSED),
    )
    expect(ran).toEqual(['onRequest', 'onSend', 'onResponse'])
  })

  test('see the decoded message as request.body, and no body before it was read', async () => {
    const bodies: unknown[] = []
    const { app } = await serve((host) => {
      host.addHook('onRequest', async ({ body }) => void bodies.push(body))
      host.addHook('preHandler', async ({ body }) => void bodies.push(body))
    })
    await post(app, CALL)
    expect(bodies).toEqual([undefined, CALL])
  })

  test('may answer by themselves: the tool does not run', async () => {
    for (const hook of ['onRequest', 'preHandler'] as const) {
      const { app, seen } = await serve((host) =>
        host.addHook(hook, async (_request, reply) => reply.code(402).send({ host: 'pay first' })),
      )
      const response = await post(app, CALL)
      expect([response.statusCode, response.json(), seen.length]).toEqual([
        402,
        { host: 'pay first' },
        0,
      ])
    }
  })

  test('may change what is sent', async () => {
    const { app } = await serve((host) =>
      host.addHook('onSend', async (_request, reply, payload) => {
        reply.header('x-signed', 'yes')
        return String(payload).replace('"hi"', '"changed"')
      }),
    )
    const response = await post(app, CALL)
    expect(see(response)).toEqual(
      kept(200, {
        ...valueResult({ text: 'hi' }),
        result: expect.objectContaining({ structuredContent: { text: 'changed' } }),
      }),
    )
    expect(response.headers['x-signed']).toBe('yes')
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.body)))
  })

  test('may choose a serializer for their own answers: ours are JSON text already', async () => {
    for (const serializer of [JSON.stringify, thrower(new Error(SECRET)) as never]) {
      const { app } = await serve((host) =>
        host.addHook('onRequest', async (_request, reply) => void reply.serializer(serializer)),
      )
      expect(see(await post(app, CALL))).toEqual(SERVED)
    }
  })
})

describe('an onSend hook of the host that fails', () => {
  /** A hook that fails as often as it is told. */
  function failTimes(times: number, members: object = {}) {
    let left = times
    return async (_request: unknown, _reply: unknown, payload: unknown) => {
      if (left <= 0) return payload
      left -= 1
      throw Object.assign(new Error(SECRET), members)
    }
  }

  test('once is answered 500 in our shape', async () => {
    const { app } = await serve((host) => host.addHook('onSend', failTimes(1)))
    expect(see(await post(app, CALL))).toEqual(kept(500, INTERNAL))
    expect(see(await post(app, CALL))).toEqual(SERVED)
  })

  test('once keeps the status that its error names', async () => {
    const { app } = await serve((host) => host.addHook('onSend', failTimes(1, { statusCode: 409 })))
    expect(see(await post(app, CALL))).toEqual(kept(409, refused('Conflict')))
  })

  test.each([
    ['an unknown method', request('tools/none'), {}],
    ['a header that disagrees', CALL, { 'mcp-name': 'wipe' }],
    ['another content type', CALL, { 'content-type': 'text/plain' }],
  ])(
    'once on the answer to %s is a fault of the host, not of the caller',
    async (_, message, headers) => {
      const { app } = await serve((host) => host.addHook('onSend', failTimes(1)))
      expect(see(await post(app, message, headers))).toEqual(kept(500, INTERNAL))
    },
  )

  test('always is answered 500 in our shape, and the process keeps serving', async () => {
    const { app, logged } = await serve((host) => host.addHook('onSend', failTimes(2)))
    expect(see(await post(app, CALL))).toEqual(closed(500, INTERNAL))
    expect(see(await post(app, CALL))).toEqual(SERVED)
    expect(logged().map(({ level, msg }) => [level, msg])).toEqual([
      [50, 'A hook or the framework refused a request'],
      [50, 'An onSend hook failed on an error answer'],
    ])
  })

  test('always on a refusal is answered 500 too', async () => {
    const { app } = await serve((host) => host.addHook('onSend', failTimes(3)))
    expect(see(await post(app, CALL, { origin: 'https://evil.test' }))).toEqual(
      closed(500, INTERNAL),
    )
  })
})

describe('a decision that comes too late', () => {
  test('runs nothing, and the request was answered 503 in our shape', async () => {
    const late: { tell: (decision: { ok: true }) => void } = { tell: () => undefined }
    const decided = new Promise<{ ok: true }>((resolve) => {
      late.tell = resolve
    })
    const faults: unknown[] = []
    const onFault = (fault: unknown): void => void faults.push(fault)
    process.on('unhandledRejection', onFault)
    onTestFinished(() => void process.off('unhandledRejection', onFault))
    const { app, seen } = await serve(() => undefined, {
      authorize: ({ url }) => (url === '/mcp' ? decided : { ok: true }),
      authorizeTimeoutMs: 250,
    })
    expect(see(await post(app, CALL))).toEqual(closed(503, INTERNAL))
    late.tell({ ok: true })
    await decided
    expect(see(await post(app, CALL, {}, '/mcp/'))).toEqual(SERVED)
    expect([seen.length, faults]).toEqual([1, []])
  })
})
