// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { createCatalog, defineTool } from '@beam-mcp/core'
import type { FastifyServerOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import {
  closed,
  errorAnswer,
  FORBIDDEN,
  INTERNAL,
  kept,
  see,
  valueResult,
} from '../support/answers.ts'
import {
  collectLog,
  createApp,
  type EndpointOptions,
  echoCatalog,
  listen,
  ownLines,
  post,
  watched,
} from '../support/app.ts'
import { call } from '../support/messages.ts'
import { linesFor, rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const BODY = JSON.stringify(CALL)
const HOST_LIMIT_MS = 20

/**
 * An application whose own limit is shorter than every deadline of the endpoint, and a route of its
 * own that waits for that limit.
 */
async function serve(options: Partial<EndpointOptions> = {}) {
  const { options: catalog, seen } = echoCatalog()
  const log = collectLog('info')
  const fastify = { handlerTimeout: HOST_LIMIT_MS, logger: log.logger } as FastifyServerOptions
  const app = await createApp({ ...catalog, ...options }, fastify)
  app.get('/never', () => new Promise(() => undefined))
  const hostLimit = async (): Promise<void> => {
    const { statusCode } = await app.inject({ url: '/never' })
    expect(statusCode).toBe(503)
  }
  return { app, seen, log, hostLimit }
}

describe("a host's handlerTimeout that is shorter than the endpoint's own deadlines", () => {
  test('does not cut a body that comes in time', async () => {
    const { app, hostLimit } = await serve()
    const socket = await openRawSocket(await listen(app))
    const head = rawRequest([...linesFor(CALL), ['content-length', String(BODY.length)]])
    const arrived = once(app.server, 'request')
    socket.send(Buffer.concat([head, Buffer.from(BODY.slice(0, 9))]))
    await arrived
    await hostLimit()
    socket.send(BODY.slice(9))
    expect(see(await socket.read())).toEqual(kept(200, valueResult({ text: 'hi' })))
  })

  test('does not take the place of bodyTimeout', async () => {
    const { app, seen } = await serve({ bodyTimeout: 60 })
    const socket = await openRawSocket(await listen(app))
    socket.send(rawRequest([...linesFor(CALL), ['content-length', String(BODY.length)]]))
    expect(see(await socket.read())).toEqual(
      closed(408, errorAnswer(-32600, 'Request body not received within 60 ms')),
    )
    expect(seen).toHaveLength(0)
  })

  test('does not take the place of authorizeTimeoutMs', async () => {
    const { app, seen, log } = await serve({
      authorizeTimeoutMs: 60,
      authorize: () => new Promise(() => undefined),
    })
    expect(see(await post(app, CALL))).toEqual(closed(503, INTERNAL))
    expect(ownLines(log).map(({ msg }) => msg)).toEqual([
      'authorize did not answer in time; the request is refused',
    ])
    expect(seen).toHaveLength(0)
  })

  test.each([
    ['authorize', closed(403, FORBIDDEN)],
    ['authorizeBody', kept(403, FORBIDDEN)],
    ['authorizeCall', kept(403, { ...FORBIDDEN, id: 1 })],
  ] as const)('does not cut a decision that is late for it: %s', async (hook, expected) => {
    const host = { hostLimit: async (): Promise<void> => undefined }
    const late = async () => {
      await host.hostLimit()
      return { ok: false } as const
    }
    const { app, hostLimit } = await serve({ [hook]: late })
    host.hostLimit = hostLimit
    expect(see(await post(app, CALL))).toEqual(expected)
  })

  test('does not cut a tool that runs beyond it', async () => {
    const host = { hostLimit: async (): Promise<void> => undefined }
    const slow = defineTool({
      name: 'slow',
      handler: async () => {
        await host.hostLimit()
        return { done: true }
      },
    })
    const { options } = watched(createCatalog({ tools: [slow] }))
    const { app, hostLimit } = await serve(options)
    host.hostLimit = hostLimit
    expect(see(await post(app, call('slow')))).toEqual(kept(200, valueResult({ done: true })))
  })

  test("goes on to bound the host's own routes", async () => {
    const { hostLimit } = await serve()
    await hostLimit()
  })
})
