// SPDX-License-Identifier: Apache-2.0
import {
  type AuthorizeCallTarget,
  createCatalog,
  type Decision,
  definePrompt,
  defineResource,
  defineTool,
} from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, see, valueResult } from '../support/answers.ts'
import {
  collectLog,
  createApp,
  type EndpointOptions,
  ownLines,
  post,
  watched,
} from '../support/app.ts'
import { call, META, request } from '../support/messages.ts'

const { options, seen } = watched(
  createCatalog({
    tools: [
      defineTool({ name: 'read', handler: () => ({ ran: true }) }),
      defineTool({ name: 'wipe', handler: () => ({ ran: true }) }),
    ],
    resources: [defineResource({ uri: 'note://1', name: 'note', read: () => 'text' })],
    prompts: [definePrompt({ name: 'ask', render: () => 'text' })],
  }),
)

/** An endpoint that remembers what `authorizeCall` was asked and decides as it is told. */
async function serve(
  decision: () => unknown = () => ({ ok: true }),
  more: Partial<EndpointOptions> = {},
) {
  seen.length = 0
  const asked: AuthorizeCallTarget<unknown>[] = []
  const { lines, logger } = collectLog('info')
  const app = await createApp(
    {
      ...options,
      authorize: () => ({ ok: true, principal: 'ann' }),
      authorizeTimeoutMs: 20,
      authorizeCall: (target) => {
        asked.push(target)
        return decision() as Decision
      },
      ...more,
    },
    { logger },
  )
  return { app, asked, logged: () => ownLines({ lines }) }
}

const refusal = (message: string, id: unknown = 1) => errorAnswer(-32600, message, { id })

describe('authorizeCall', () => {
  const SERVED: [Record<string, unknown>, string | undefined][] = [
    [request('server/discover'), undefined],
    [request('tools/list'), undefined],
    [call('read'), 'read'],
    [call('none'), 'none'],
    [request('tools/call', { name: 7 }), undefined],
    [request('resources/list'), undefined],
    [request('resources/templates/list'), undefined],
    [request('resources/read', { uri: 'note://1' }), 'note://1'],
    [request('prompts/list'), undefined],
    [request('prompts/get', { name: 'ask' }), 'ask'],
  ]

  test.each(SERVED)('is asked once for a served method: %j', async (message, name) => {
    const { app, asked } = await serve()
    await post(app, message)
    expect(asked).toEqual([
      {
        method: message['method'],
        name,
        principal: 'ann',
        request: expect.objectContaining({ url: '/mcp' }),
      },
    ])
  })

  test.each([
    ['an unknown method', request('tools/none')],
    ['a removed method', request('ping')],
    [
      'the opening of an old client',
      request('initialize', { protocolVersion: '2025-11-25', _meta: {} }),
    ],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }],
    [
      'a notification with the name of a request',
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'read', _meta: META } },
    ],
    ['a message without metadata', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ])('is not asked for %s, over HTTP or in process', async (_, message) => {
    const { app, asked } = await serve()
    await post(app, message)
    await app.mcp.handle(message)
    expect(asked).toEqual([])
  })

  test('is not asked where a header disagrees', async () => {
    const { app, asked } = await serve()
    await post(app, call('read'), { 'mcp-name': 'wipe' })
    expect(asked).toEqual([])
  })

  test.each([
    ['with nothing more', { ok: false }, 403, 'Forbidden', undefined],
    ['with 401', { ok: false, status: 401 }, 401, 'Unauthorized', undefined],
    [
      'with a challenge',
      { ok: false, status: 403, challenge: 'Bearer error="insufficient_scope", scope="write"' },
      403,
      'Forbidden',
      'Bearer error="insufficient_scope", scope="write"',
    ],
  ])(
    '[AUTH-08] refuses %s, with the id, and keeps the connection',
    async (_, decision, status, message, challenge) => {
      const { app } = await serve(() => decision)
      const response = await post(app, call('wipe', {}, 'q7'))
      expect(see(response)).toEqual(kept(status, refusal(message, 'q7')))
      expect(response.headers['www-authenticate']).toBe(challenge)
      expect(seen).toHaveLength(0)
    },
  )

  test('keeps its reason in the log', async () => {
    const { app, logged } = await serve(async () => ({ ok: false, reason: 'no scope write' }))
    const response = await post(app, call('wipe'))
    expect(see(response)).toEqual(kept(403, refusal('Forbidden')))
    expect(logged()).toEqual([
      expect.objectContaining({
        level: 30,
        reason: 'no scope write',
        msg: 'authorizeCall refused the request',
      }),
    ])
  })

  test('decides per tool', async () => {
    const { app } = await serve(undefined, {
      authorizeCall: ({ name }) => (name === 'wipe' ? { ok: false } : { ok: true }),
    })
    expect(see(await post(app, call('read')))).toEqual(kept(200, valueResult({ ran: true })))
    expect((await post(app, call('wipe'))).statusCode).toBe(403)
    expect(seen).toEqual([{ tool: 'read', args: {} }])
  })

  const thrower = (thrown: unknown) => () => {
    throw thrown
  }
  const FAULTS: [string, () => unknown, number][] = [
    ['throws', thrower(new Error('secret')), 500],
    ['throws undefined', thrower(undefined), 500],
    ['rejects', () => Promise.reject(Object.assign(new Error('secret'), { statusCode: 404 })), 500],
    ['is silent', () => new Promise(() => undefined), 503],
  ]

  test.each(FAULTS)('fails closed when it %s', async (_, hook, status) => {
    const { app } = await serve(hook)
    const internal = errorAnswer(-32603, 'Internal error', { id: 1 })
    expect(see(await post(app, call('wipe')))).toEqual(kept(status, internal))
    expect(await app.mcp.handle(call('wipe'))).toEqual(internal)
    expect(seen).toHaveLength(0)
  })

  test.each([[undefined], [null], [true], [{}], [{ ok: 1 }]])(
    'refuses the answer %j',
    async (value) => {
      const { app, logged } = await serve(() => value)
      expect(see(await post(app, call('wipe')))).toEqual(kept(403, refusal('Forbidden')))
      expect(logged().map(({ msg }) => msg)).toEqual(['authorizeCall broke its contract'])
      expect(seen).toHaveLength(0)
    },
  )

  test('is asked in process too, without a request and with the principal of the caller', async () => {
    const { app, asked } = await serve()
    expect(await app.mcp.handle(call('read'), { principal: 'bob' })).toEqual(
      valueResult({ ran: true }),
    )
    expect(asked).toEqual([
      { method: 'tools/call', name: 'read', principal: 'bob', request: undefined },
    ])
    expect(Object.hasOwn(asked[0] ?? {}, 'request')).toBe(true)
  })

  test('refuses in process as it does over HTTP', async () => {
    const { app } = await serve(() => ({ ok: false, status: 401, challenge: 'Bearer' }))
    expect(await app.mcp.handle(call('wipe', {}, 9))).toEqual(refusal('Unauthorized', 9))
    expect(seen).toHaveLength(0)
  })
})
