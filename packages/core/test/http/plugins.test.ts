// SPDX-License-Identifier: Apache-2.0
import { gunzipSync } from 'node:zlib'
import { beamMcp, createCatalog, defineTool } from '@beam-mcp/core'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import {
  closed,
  errorAnswer,
  FORBIDDEN,
  INTERNAL,
  kept,
  ORIGIN_REFUSED,
  see,
  valueResult,
} from '../support/answers.ts'
import { type EndpointOptions, echoCatalog, openTo, post, watched } from '../support/app.ts'
import { call } from '../support/messages.ts'

const CALL = call('echo', { text: 'hi' })
const SERVED = kept(200, valueResult({ text: 'hi' }))
const GOOD = 'https://app.example.com'

async function serve(
  prepare: (app: FastifyInstance) => unknown,
  more: Partial<EndpointOptions> = {},
) {
  const { options, seen } = echoCatalog()
  const app = Fastify()
  await prepare(app)
  await app.register(beamMcp, openTo({ ...options, allowedOrigins: [GOOD], ...more }))
  return { app, seen }
}

describe('@fastify/cors', () => {
  const withCors = (app: FastifyInstance) =>
    app.register(cors, { origin: [GOOD], methods: ['POST'], exposedHeaders: ['www-authenticate'] })

  test('answers a preflight, registered before the endpoint', async () => {
    const { app } = await serve(withCors)
    const response = await app.inject({
      method: 'OPTIONS',
      url: '/mcp',
      headers: {
        origin: GOOD,
        'access-control-request-method': 'POST',
        'access-control-request-headers':
          'content-type, mcp-protocol-version, mcp-method, mcp-name',
      },
    })
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': GOOD,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, mcp-protocol-version, mcp-method, mcp-name',
    })
  })

  test('puts its headers on answers and on refusals', async () => {
    const { app } = await serve(withCors, {
      authorize: ({ headers }) =>
        headers['x-refuse'] === undefined ? { ok: true } : { ok: false },
    })
    const exposed = {
      'access-control-allow-origin': GOOD,
      'access-control-expose-headers': 'www-authenticate',
    }
    const served = await post(app, CALL, { origin: GOOD })
    expect(see(served)).toEqual(SERVED)
    expect(served.headers).toMatchObject(exposed)
    const refused = await post(app, CALL, { origin: GOOD, 'x-refuse': 'yes' })
    expect(see(refused)).toEqual(closed(403, FORBIDDEN))
    expect(refused.headers).toMatchObject(exposed)
  })

  test('[HTTP-03] does not let an origin in that the endpoint does not list', async () => {
    const { app, seen } = await serve((host) => host.register(cors, { origin: true }))
    const response = await post(app, CALL, { origin: 'https://evil.test' })
    expect(see(response)).toEqual(closed(403, ORIGIN_REFUSED))
    expect(seen).toHaveLength(0)
  })
})

describe('@fastify/helmet', () => {
  test('puts its headers on answers and on refusals', async () => {
    const { app } = await serve((host) => host.register(helmet))
    for (const [headers, expected] of [
      [{}, SERVED],
      [{ origin: 'https://evil.test' }, closed(403, ORIGIN_REFUSED)],
    ] as const) {
      const response = await post(app, CALL, headers)
      expect(see(response)).toEqual(expected)
      expect(response.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.any(String),
      })
    }
  })
})

describe('@fastify/rate-limit', () => {
  const TOO_MANY = errorAnswer(-32600, 'Too Many Requests')

  test('answers 429 in our shape, with its own headers', async () => {
    const { app, seen } = await serve((host) =>
      host.register(rateLimit, { max: 1, timeWindow: '1 minute' }),
    )
    const first = await post(app, CALL)
    expect(see(first)).toEqual(SERVED)
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' })
    const second = await post(app, CALL)
    expect(see(second)).toEqual(closed(429, TOO_MANY))
    expect(String(second.headers['retry-after'])).toMatch(/^[1-9][0-9]*$/)
    expect(second.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' })
    expect(seen).toHaveLength(1)
  })

  test('answers 429 in our shape where the host builds the error, an object included', async () => {
    for (const build of [
      () => Object.assign(new Error('secret'), { statusCode: 429 }),
      () => ({ statusCode: 429, error: 'secret' }),
    ]) {
      const { app } = await serve((host) =>
        host.register(rateLimit, {
          max: 0,
          timeWindow: '1 minute',
          errorResponseBuilder: build as never,
        }),
      )
      expect(see(await post(app, CALL))).toEqual(closed(429, TOO_MANY))
    }
  })
})

describe('@fastify/compress', () => {
  const long = defineTool({ name: 'long', handler: () => ({ text: 'x'.repeat(4000) }) })
  const withCompress = (app: FastifyInstance) => app.register(compress)

  test('compresses an answer that the caller takes compressed', async () => {
    const { options } = watched(createCatalog({ tools: [long] }))
    const { app } = await serve(withCompress, options)
    const response = await post(app, call('long'), { 'accept-encoding': 'gzip' })
    expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, 'gzip'])
    const text = gunzipSync(response.rawPayload).toString()
    expect(JSON.parse(text)).toEqual(valueResult({ text: 'x'.repeat(4000) }))
  })

  test('leaves an answer alone that the caller takes as it is', async () => {
    const { app } = await serve(withCompress)
    expect(see(await post(app, CALL))).toEqual(SERVED)
  })

  test('may not decompress a body: the endpoint needs the exact bytes', async () => {
    const { app, seen } = await serve(withCompress)
    const response = await post(app, CALL, { 'content-encoding': 'gzip' })
    expect(see(response)).toEqual(closed(500, INTERNAL))
    expect(seen).toHaveLength(0)
  })
})
