// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { gunzipSync } from 'node:zlib'
import { beamMcp, type CallContext, createCatalog, defineTool } from '@beam-mcp/core'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { INTERNAL, valueResult } from '../support/answers.ts'
import { collectLog, listen, openTo, ownLines, post } from '../support/app.ts'
import { asking, createGate, progressOf, readEvents, sendCall } from '../support/event-streams.ts'
import { headersFor } from '../support/messages.ts'

const CALL = asking('work', { token: 1 })

/** An application that the host has its own plugins and hooks in, before the endpoint. */
async function serve(
  prepare: (app: FastifyInstance) => unknown,
  work: (context: CallContext) => unknown = async ({ progress }) => {
    await progress(1)
    return { done: true }
  },
) {
  const log = collectLog('info')
  const app = Fastify({ logger: log.logger })
  await prepare(app)
  const tool = defineTool({ name: 'work', handler: (_args, context) => work(context) })
  const catalog = createCatalog({ tools: [tool] })
  await app.register(beamMcp, openTo({ ...catalog, allowedOrigins: ['https://page.example'] }))
  return { app, log }
}

const WHOLE = [progressOf(1, 1), valueResult({ done: true })]

describe('a stream of the endpoint in an application', () => {
  test("carries the host's headers, and its hooks run", async () => {
    const ran: string[] = []
    const { app } = await serve((host) => {
      host.addHook('onRequest', async (_, reply) => void reply.header('x-request', '1'))
      host.addHook('onSend', async (_, reply, payload) => {
        ran.push(`onSend ${typeof payload}`)
        reply.header('x-send', '2')
        return payload
      })
      host.addHook(
        'onResponse',
        async (_, reply) => void ran.push(`onResponse ${reply.statusCode}`),
      )
    })
    const open = await sendCall(await listen(app), CALL).answer
    expect(open.headers).toMatchObject({
      'x-request': '1',
      'x-send': '2',
      'content-type': 'text/event-stream',
    })
    expect(readEvents(await open.rest()).messages).toEqual(WHOLE)
    expect(ran).toEqual(['onSend object', 'onResponse 200'])
  })

  test('is readable for pages by @fastify/cors', async () => {
    const { app } = await serve((host) => host.register(cors, { origin: 'https://page.example' }))
    const { headers, body } = await post(app, CALL, { origin: 'https://page.example' })
    expect(headers['access-control-allow-origin']).toBe('https://page.example')
    expect(readEvents(body).messages).toEqual(WHOLE)
  })

  test('carries what @fastify/helmet and @fastify/rate-limit set', async () => {
    const { app } = await serve(async (host) => {
      await host.register(helmet)
      await host.register(rateLimit, { max: 1 })
    })
    const { headers, body } = await post(app, CALL)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-ratelimit-limit': '1',
      'content-type': 'text/event-stream',
    })
    expect(readEvents(body).messages).toEqual(WHOLE)
    expect((await post(app, CALL)).statusCode).toBe(429)
  })

  test('[SSE-05] is not held back by @fastify/compress', async () => {
    const gate = createGate()
    const { app } = await serve(
      (host) => host.register(compress, { threshold: 0 }),
      async ({ progress }) => {
        await progress(1)
        await gate.opened
        return { done: true }
      },
    )
    const port = await listen(app)
    const open = await sendCall(port, CALL, { 'accept-encoding': 'gzip' }).answer
    expect(open.headers['content-encoding']).toBeUndefined()
    expect(await open.next()).toEqual(progressOf(1, 1))
    gate.open()
    expect(readEvents(await open.rest()).messages).toEqual([valueResult({ done: true })])
    // What only returns is compressed as the host wishes.
    const message = asking('work', {})
    const plain = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...headersFor(message), 'accept-encoding': 'gzip' },
      payload: message,
    })
    expect(plain.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(plain.rawPayload).toString())).toEqual(valueResult({ done: true }))
  })

  test("is answered with the hook's refusal where onSend fails before the first byte", async () => {
    const { app, log } = await serve(
      (host) =>
        host.addHook('onSend', async (_, __, payload) => {
          if (typeof payload === 'object') throw new Error('no streams here')
          return payload
        }),
      async ({ progress }) => {
        // More than a stream holds: a handler may not wait for a reader that never comes.
        for (let step = 1; step < 20; step += 1) {
          await progress(step, undefined, 'x'.repeat(20_000))
        }
        return { done: true }
      },
    )
    const { statusCode, headers, body } = await post(app, CALL)
    expect([statusCode, headers['content-type'], JSON.parse(body)]).toEqual([
      500,
      'application/json; charset=utf-8',
      INTERNAL,
    ])
    expect(ownLines(log).map(({ msg }) => msg)).toEqual([
      'A hook or the framework refused a request',
    ])
  })

  test('gives way to an answer of the host’s own, and aborts the signal', async () => {
    const gate = createGate<AbortSignal>()
    const over = createGate()
    const { app } = await serve(
      (host) =>
        host.addHook('preHandler', (_, reply, done) => {
          void gate.opened.then(() => reply.code(503).send({ own: true }))
          done()
        }),
      async (context) => {
        const { signal } = context
        gate.open(signal)
        if (!signal.aborted) await once(signal, 'abort')
        await context.progress(1)
        over.open()
        return { done: true }
      },
    )
    const open = await sendCall(await listen(app), CALL).answer
    expect([open.status, await open.rest()]).toEqual([503, '{"own":true}'])
    await over.opened
  })

  test.each([undefined, 'text/event-stream'])(
    'says nothing behind an answer of the host’s own: Accept %s',
    async (accept) => {
      const gate = createGate()
      const sent = createGate()
      const { app, log } = await serve(
        (host) =>
          host.addHook('preHandler', (_, reply, done) => {
            void gate.opened.then(() => {
              reply.code(503).send({ own: true })
              sent.open()
            })
            done()
          }),
        async ({ progress }) => {
          gate.open()
          await sent.opened
          await progress(1)
          return { done: true }
        },
      )
      const response = await post(app, CALL, { accept })
      expect([response.statusCode, response.body]).toEqual([503, '{"own":true}'])
      expect(ownLines(log)).toEqual([])
    },
  )

  test('is ended where a hook answers while it goes on', async () => {
    const gate = createGate()
    const { app } = await serve(
      () => undefined,
      async ({ progress, signal, request }) => {
        await progress(1)
        request?.raw.socket.destroy()
        if (!signal.aborted) await once(signal, 'abort')
        gate.open()
        await progress(2)
        return { done: true }
      },
    )
    const open = await sendCall(await listen(app), CALL).answer
    await gate.opened
    await expect(open.rest()).rejects.toThrow()
  })
})
