// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import type { CallContext } from '@beam-mcp/core'
import type { FastifyServerOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { SERVER_META } from '../support/answers.ts'
import { listen, post } from '../support/app.ts'
import { readEvents, sendCall } from '../support/event-streams.ts'
import { beginRequest, openSession } from '../support/http2-client.ts'
import {
  ALL_LISTS,
  acknowledged,
  atlasFor,
  ended,
  listenFor,
  openListener,
  promptsChanged,
  resourcesChanged,
  serveChanges,
  toolsChanged,
  updated,
} from '../support/listening.ts'
import { request } from '../support/messages.ts'

const CITY = 'atlas://city/a'
const RIVER = 'atlas://river/nile'

describe('a subscription', () => {
  test('[SUB-01] [SUB-02] [SUB-03] [SUB-06] [SUB-07] [SUB-10] [META-06] is acknowledged, told of each kind of change, and ended with a result', async () => {
    const { app, complaints } = await serveChanges()
    const stream = await sendCall(
      await listen(app),
      listenFor({ ...ALL_LISTS, resourceSubscriptions: [CITY, RIVER, CITY] }),
    ).answer
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    const filter = { ...ALL_LISTS, resourceSubscriptions: [CITY, RIVER] }
    expect(await stream.next()).toEqual(acknowledged(filter))
    app.mcp.notify.toolsChanged()
    expect(await stream.next()).toEqual(toolsChanged())
    app.mcp.notify.promptsChanged()
    expect(await stream.next()).toEqual(promptsChanged())
    app.mcp.notify.resourcesChanged()
    expect(await stream.next()).toEqual(resourcesChanged())
    app.mcp.notify.resourceUpdated(RIVER)
    expect(await stream.next()).toEqual(updated(RIVER))
    void app.close()
    expect(await stream.next()).toEqual(ended())
    expect(await stream.next()).toBeUndefined()
    expect(complaints()).toEqual([])
  })

  test.each([
    ['a string', 'sub-a'],
    ['the empty string', ''],
    ['zero', 0],
    ['a negative integer', -16],
    ['text of digits', '16'],
  ])('[SUB-06] [META-06] keeps an id that is %s', async (_name, id) => {
    const { app } = await serveChanges()
    const stream = await openListener(await listen(app), { toolsListChanged: true }, id)
    app.mcp.notify.toolsChanged()
    expect(await stream.next()).toEqual(toolsChanged(id))
    void app.close()
    expect(await stream.next()).toEqual(ended(id))
  })

  test('[SUB-06] over HTTP/2 keeps an id that no JSON number carries, and ends', async () => {
    const { app } = await serveChanges({}, { http2: true } as FastifyServerOptions)
    const session = await openSession(await listen(app))
    const stream = beginRequest(session, listenFor({}))
    const id = '9007199254740993'
    stream.end(JSON.stringify(listenFor({ toolsListChanged: true }, 77)).replace(':77,', `:${id},`))
    stream.setEncoding('utf8')
    const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<string>
    const tag = `"_meta":{"io.modelcontextprotocol/subscriptionId":${id}`
    const start = 'data: {"jsonrpc":"2.0",'
    expect((await chunks.next()).value).toBe(
      `${start}"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},${tag}}}}\n\n`,
    )
    app.mcp.notify.toolsChanged()
    expect((await chunks.next()).value).toBe(
      `${start}"method":"notifications/tools/list_changed","params":{${tag}}}}\n\n`,
    )
    void app.close()
    expect((await chunks.next()).value).toBe(
      `${start}"id":${id},"result":{"resultType":"complete",${tag},${JSON.stringify(SERVER_META).slice(1)}}}\n\n`,
    )
    expect((await chunks.next()).done).toBe(true)
  })

  test('[SUB-04] is acknowledged and stays open where nothing of it is served', async () => {
    const subscriptions = { tools: false, prompts: false, resourceUpdates: false }
    const { app } = await serveChanges({ subscriptions })
    const port = await listen(app)
    const none = await openListener(port, { toolsListChanged: true, resourceSubscriptions: [CITY] })
    const some = await openListener(port, ALL_LISTS, 2)
    expect(none.filter).toEqual({})
    expect(some.filter).toEqual({ resourcesListChanged: true })
    app.mcp.notify.toolsChanged()
    app.mcp.notify.promptsChanged()
    app.mcp.notify.resourceUpdated(CITY)
    app.mcp.notify.resourcesChanged()
    expect(await some.next()).toEqual(resourcesChanged(2))
    void app.close()
    expect(await none.next()).toEqual(ended())
  })

  test('[SUB-04] leaves out resources that are not there', async () => {
    const { app } = await serveChanges()
    const wanted = ['atlas://nowhere', CITY, '', 'atlas://river/']
    const { filter } = await openListener(await listen(app), { resourceSubscriptions: wanted })
    expect(filter).toEqual({ resourceSubscriptions: [CITY] })
  })

  test('[SUB-05] is told of what it asked for alone', async () => {
    const { app } = await serveChanges()
    const port = await listen(app)
    const prompts = await openListener(port, { promptsListChanged: true, toolsListChanged: false })
    const city = await openListener(port, { resourceSubscriptions: [CITY] })
    app.mcp.notify.toolsChanged()
    app.mcp.notify.resourcesChanged()
    app.mcp.notify.resourceUpdated('atlas://city/b')
    app.mcp.notify.resourceUpdated(`${CITY}/`)
    app.mcp.notify.promptsChanged()
    app.mcp.notify.resourceUpdated(CITY)
    expect(await prompts.next()).toEqual(promptsChanged())
    expect(await city.next()).toEqual(updated(CITY))
  })

  test('[SUB-09] has a filter and an id of its own beside others, on any connection', async () => {
    const { app } = await serveChanges({}, { http2: true } as FastifyServerOptions)
    const session = await openSession(await listen(app))
    const open = async (id: unknown, filter: object) => {
      const message = listenFor(filter, id)
      const stream = beginRequest(session, message)
      stream.end(JSON.stringify(message))
      const chunks = stream.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>
      const next = async () => JSON.parse(String((await chunks.next()).value).slice(6))
      expect(await next()).toEqual(acknowledged(filter, id))
      return next
    }
    const first = await open(1, { toolsListChanged: true })
    // The same id is another subscription: it names one request on one stream.
    const again = await open(1, { toolsListChanged: true, promptsListChanged: true })
    const text = await open('1', { promptsListChanged: true })
    app.mcp.notify.promptsChanged()
    app.mcp.notify.toolsChanged()
    expect(await first()).toEqual(toolsChanged(1))
    expect(await again()).toEqual(promptsChanged(1))
    expect(await again()).toEqual(toolsChanged(1))
    expect(await text()).toEqual(promptsChanged('1'))
  })

  test('[SUB-08] carries neither progress nor log messages, whatever asks for them', async () => {
    const { app } = await serveChanges({
      ...atlasFor((_entry, context) => {
        const { progress, log } = context as CallContext
        void progress(1)
        void log('error', 'seen')
        return true
      }),
      logging: true,
    })
    const _meta = {
      ...(request('x')['params'] as { _meta: object })._meta,
      progressToken: 5,
      'io.modelcontextprotocol/logLevel': 'debug',
    }
    const notifications = { resourceSubscriptions: [CITY] }
    const message = request('subscriptions/listen', { _meta, notifications })
    const stream = await sendCall(await listen(app), message).answer
    expect(await stream.next()).toEqual(acknowledged(notifications))
    app.mcp.notify.resourceUpdated(CITY)
    expect(await stream.next()).toEqual(updated(CITY))
    void app.close()
    expect(await stream.next()).toEqual(ended())
  })

  test('[SUB-11] is dropped with its connection, and frees its place', async () => {
    const { app, complaints } = await serveChanges({ subscriptions: { maxListeners: 1 } })
    const port = await listen(app)
    const gone = await openListener(port, { toolsListChanged: true })
    const refused = await sendCall(port, listenFor({}), {}).answer
    expect(refused.status).toBe(503)
    gone.vanish()
    let status = 0
    while (status !== 200) {
      const next = await sendCall(port, listenFor({ toolsListChanged: true })).answer
      status = next.status
      if (status !== 200) await next.rest()
    }
    app.mcp.notify.toolsChanged()
    expect(complaints()).toEqual([])
  })

  test('[SSE-07] is kept alive by comments', async () => {
    const { app } = await serveChanges({ keepAliveMs: 20 } as never)
    const stream = await openListener(await listen(app), { toolsListChanged: true })
    const rest = stream.rest()
    await once(stream.response, 'readable')
    void app.close()
    const { comments, messages, others } = readEvents(await rest)
    expect(comments[0]).toBe('keep-alive')
    expect(messages).toEqual([ended()])
    expect(others).toEqual([])
  })

  test('[SUB-14] leaves nothing behind: another one begins anew', async () => {
    const { app } = await serveChanges()
    const port = await listen(app)
    const first = await openListener(port, { toolsListChanged: true })
    first.vanish()
    const second = await openListener(port, { promptsListChanged: true })
    app.mcp.notify.toolsChanged()
    app.mcp.notify.promptsChanged()
    expect(await second.next()).toEqual(promptsChanged())
  })
})

describe('what is advertised', () => {
  const lists = (tools: boolean, resources: boolean, prompts: boolean, subscribe: boolean) => ({
    tools: { listChanged: tools },
    resources: { listChanged: resources, subscribe },
    prompts: { listChanged: prompts },
  })
  test.each([
    [undefined, lists(false, false, false, false)],
    [false, lists(false, false, false, false)],
    [true, lists(true, true, true, true)],
    [{}, lists(true, true, true, true)],
    [{ tools: false }, lists(false, true, true, true)],
    [{ resources: false, prompts: false }, lists(true, false, false, true)],
    [{ resourceUpdates: false }, lists(true, true, true, false)],
  ])('[DISC-06] is what is served: %j', async (subscriptions, expected) => {
    const { app } = await serveChanges({ subscriptions } as never)
    const answer = await post(app, request('server/discover'))
    expect(answer.json().result.capabilities).toEqual(expected)
  })

  test('is nothing to clients of the older revision', async () => {
    const revisions = ['2026-07-28', '2025-11-25'] as const
    const { app } = await serveChanges({ revisions })
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'old', version: '1' },
      },
    }
    const headers = { 'mcp-protocol-version': undefined, 'mcp-method': undefined }
    const answer = await post(app, message, headers)
    expect(answer.json().result.capabilities).toEqual(lists(false, false, false, false))
  })
})

describe('without the option', () => {
  test('[A-10] the method does not exist, and no stream is held', async () => {
    const { app } = await serveChanges({ subscriptions: false })
    const answer = await post(app, listenFor(ALL_LISTS))
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32601, message: 'Method not found: subscriptions/listen' },
    })
    expect(() => app.mcp.notify.toolsChanged()).not.toThrow()
  })
})
