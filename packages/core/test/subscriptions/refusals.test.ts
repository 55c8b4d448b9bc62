// SPDX-License-Identifier: Apache-2.0
import { createNotifier, type EventBus } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { see } from '../support/answers.ts'
import { listen, post } from '../support/app.ts'
import { createGate, sendCall } from '../support/event-streams.ts'
import { ALL_LISTS, atlasFor, listenFor, openListener, serveChanges } from '../support/listening.ts'
import { request } from '../support/messages.ts'

const CITY = 'atlas://city/a'
const error = (code: number, message: string) => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message },
})
const SECOND = 'at most 2'

const FAULT = 'A request failed; the caller was told of an internal error'

describe('a filter', () => {
  test.each([
    ['is missing', undefined, 'notifications must be an object, got nothing'],
    ['is null', null, 'notifications must be an object, got null'],
    ['is a list', [], 'notifications must be an object, got an array'],
    [
      'has a flag of text',
      { toolsListChanged: 'yes' },
      'notifications.toolsListChanged must be true or false',
    ],
    [
      'has a flag of null',
      { promptsListChanged: null },
      'notifications.promptsListChanged must be true or false',
    ],
    [
      'has a flag of one',
      { resourcesListChanged: 1 },
      'notifications.resourcesListChanged must be true or false',
    ],
    [
      'has no list of uris',
      { resourceSubscriptions: null },
      'notifications.resourceSubscriptions must be a list of strings',
    ],
    [
      'has one uri alone',
      { resourceSubscriptions: CITY },
      'notifications.resourceSubscriptions must be a list of strings',
    ],
    [
      'has a uri that is none',
      { resourceSubscriptions: [CITY, 1] },
      'notifications.resourceSubscriptions must be a list of strings',
    ],
    [
      'has more uris than are taken',
      { resourceSubscriptions: [CITY, 'b', 'c'] },
      'notifications.resourceSubscriptions names more than 2 resources',
    ],
  ])(
    '[SUB-02] [SUB-15] that %s is refused before the acknowledgement',
    async (_name, filter, why) => {
      const { app } = await serveChanges({ subscriptions: { maxUris: 2 } })
      const answer = await post(app, listenFor(filter))
      expect(see(answer)).toMatchObject({
        status: 200,
        type: 'application/json; charset=utf-8',
        body: error(-32602, `Invalid params: ${why}`),
      })
    },
  )

  test('[SUB-02] may have more members, and what it inherits is not looked at', async () => {
    const { app } = await serveChanges({ subscriptions: { maxUris: 1 } })
    const { filter } = await openListener(await listen(app), {
      toolsListChanged: true,
      'com.example/other': { a: 1 },
      resourceSubscriptions: [CITY, CITY],
    })
    expect(filter).toEqual({ toolsListChanged: true, resourceSubscriptions: [CITY] })
  })
})

describe('a cap', () => {
  test('[SUB-15] on all listeners is named, and holds for those who are still asked about', async () => {
    const decided = createGate<boolean>()
    const asked = createGate()
    const atlas = atlasFor(() => {
      asked.open()
      return decided.opened
    })
    const { app } = await serveChanges({ ...atlas, subscriptions: { maxListeners: 2 } })
    const port = await listen(app)
    await openListener(port, ALL_LISTS)
    const waiting = sendCall(port, listenFor({ resourceSubscriptions: [CITY] }))
    await asked.opened
    const answer = await post(app, listenFor(ALL_LISTS))
    expect(see(answer)).toMatchObject({
      status: 503,
      body: error(-32603, `Too many listeners: the server holds ${SECOND}`),
    })
    decided.open(true)
    expect((await waiting.answer).status).toBe(200)
  })

  test('[SUB-15] on those of one principal is named, and leaves room for others', async () => {
    const { app } = await serveChanges({
      authorize: ({ headers }) => ({ ok: true, principal: { name: headers.authorization } }),
      subscriptions: {
        maxListenersPerPrincipal: 2,
        principalKey: (principal) => (principal as { name: string }).name,
      },
    })
    const port = await listen(app)
    const ann = { authorization: 'ann' }
    const first = await openListener(port, ALL_LISTS, 1, { headers: ann })
    await openListener(port, ALL_LISTS, 2, { headers: ann })
    const answer = await post(app, listenFor(ALL_LISTS), ann)
    expect(see(answer)).toMatchObject({
      status: 429,
      body: error(-32603, `Too many listeners: a caller holds ${SECOND}`),
    })
    await openListener(port, ALL_LISTS, 3, { headers: { authorization: 'bob' } })
    first.vanish()
    await expect
      .poll(async () => {
        const again = await sendCall(port, listenFor(ALL_LISTS), ann).answer
        again.vanish()
        return again.status
      })
      .toBe(200)
  })

  test('frees its place when the request is refused', async () => {
    const { app } = await serveChanges({ subscriptions: { maxListeners: 1 } })
    for (let round = 0; round < 3; round += 1) {
      const answer = await post(app, listenFor(ALL_LISTS), { accept: 'application/json' })
      expect(answer.statusCode).toBe(406)
    }
    await openListener(await listen(app), ALL_LISTS)
  })

  test('whose key throws is a fault of the host', async () => {
    const { app, complaints } = await serveChanges({
      subscriptions: {
        principalKey: () => {
          throw new Error('no name')
        },
      },
    })
    const answer = await post(app, listenFor(ALL_LISTS))
    expect(see(answer)).toMatchObject({ status: 500, body: error(-32603, 'Internal error') })
    expect(complaints()).toEqual([FAULT])
  })

  // Two promises are never the same: nobody would ever reach the cap.
  test.each<[string, () => unknown]>([
    ['comes later', async () => 'ada'],
    ['never comes', () => Promise.reject(new Error('no name'))],
  ])('whose key %s is a fault of the host', async (_name, principalKey) => {
    const { app, complaints } = await serveChanges({ subscriptions: { principalKey } })
    const answer = await post(app, listenFor(ALL_LISTS))
    expect(see(answer)).toMatchObject({ status: 500, body: error(-32603, 'Internal error') })
    expect(complaints()).toEqual([FAULT])
  })
})

describe('an Accept header', () => {
  test.each(['application/json', 'application/*', 'text/event-stream;q=0, */*'])(
    '[A-06] of %s alone is refused',
    async (accept) => {
      const { app } = await serveChanges()
      const answer = await post(app, listenFor(ALL_LISTS), { accept })
      expect(see(answer)).toMatchObject({
        status: 406,
        type: 'application/json; charset=utf-8',
        body: error(-32600, 'Not acceptable: subscriptions/listen needs text/event-stream'),
      })
    },
  )

  test.each([undefined, '*/*', 'text/event-stream', 'text/*'])(
    '[A-06] of %s is good enough',
    async (accept) => {
      const { app } = await serveChanges()
      const { answer } = sendCall(await listen(app), listenFor(ALL_LISTS), { accept })
      expect((await answer).status).toBe(200)
    },
  )
})

describe('a decision', () => {
  test('[SUB-15] per call is asked before anybody listens', async () => {
    const targets: unknown[] = []
    const { app } = await serveChanges({
      authorizeCall: (target) => {
        targets.push(target)
        return { ok: false, status: 403, challenge: 'Bearer error="insufficient_scope"' }
      },
    })
    const answer = await post(app, listenFor(ALL_LISTS))
    expect(answer.statusCode).toBe(403)
    expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope"')
    expect(targets).toMatchObject([{ method: 'subscriptions/listen' }])
  })
})

describe('a bus', () => {
  test.each<[string, EventBus['subscribe']]>([
    [
      'throws',
      () => {
        throw new Error('secret host 10.0.0.7')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret host 10.0.0.7'))],
  ])('that %s refuses, and nothing of it is told', async (_name, subscribe) => {
    const notifier = createNotifier({ bus: { publish: () => undefined, subscribe } })
    const { app, complaints } = await serveChanges({ subscriptions: { notifier } })
    const answer = await post(app, listenFor(ALL_LISTS))
    expect(see(answer)).toMatchObject({ status: 503, body: error(-32603, 'Internal error') })
    expect(complaints()).toEqual(['The event bus can not be listened to'])
    const other = await post(app, request('tools/list'))
    expect(other.statusCode).toBe(200)
  })
})
