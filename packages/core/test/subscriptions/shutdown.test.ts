// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { Agent } from 'node:http'
import {
  type ChangeEvent,
  createCatalog,
  createNotifier,
  defineResourceTemplate,
  type EventBus,
} from '@beam-mcp/core'
import type { FastifyServerOptions } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen, post } from '../support/app.ts'
import { createGate, readEvents, sendCall } from '../support/event-streams.ts'
import { beginRequest, openSession } from '../support/http2-client.ts'
import {
  ALL_LISTS,
  acknowledged,
  atlasFor,
  ended,
  listenAlone,
  listenFor,
  openListener,
  serveChanges,
  toolsChanged,
} from '../support/listening.ts'

const COUNT = 50
const BUSY = { code: -32603, message: 'The server is shutting down' }

/** An agent that keeps its connections, which may not keep the server. */
function keepingAgent(): Agent {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return agent
}

describe('app.close()', () => {
  test.each([undefined, 'idle', true, false] as const)(
    '[SUB-12] ends each subscription with its result, and closes, with forceCloseConnections %s',
    async (forceCloseConnections) => {
      const options = { ...(forceCloseConnections !== undefined && { forceCloseConnections }) }
      const { app, complaints } = await serveChanges({}, options)
      const port = await listenAlone(app)
      const agent = keepingAgent()
      const ids = Array.from({ length: COUNT }, (_, id) => id)
      const streams = await Promise.all(
        ids.map((id) => openListener(port, ALL_LISTS, id, { agent })),
      )
      const closed = app.close()
      const rests = await Promise.all(streams.map(({ rest }) => rest()))
      await closed
      expect(rests.map((text) => readEvents(text).messages)).toEqual(ids.map((id) => [ended(id)]))
      expect(complaints()).toEqual([])
    },
  )

  test("[SUB-12] over HTTP/2 ends each stream, and the session stays its client's", async () => {
    const { app } = await serveChanges({}, { http2: true } as FastifyServerOptions)
    const session = await openSession(await listenAlone(app))
    const texts = Array.from({ length: 3 }, async (_, id) => {
      const message = listenFor({ toolsListChanged: true }, id)
      const stream = beginRequest(session, message).setEncoding('utf8')
      stream.end(JSON.stringify(message))
      const [first] = await once(stream, 'data')
      return { first, rest: stream.toArray() as Promise<string[]> }
    })
    const streams = await Promise.all(texts)
    const closed = app.close()
    for (const [id, { first, rest }] of streams.entries()) {
      const { messages } = readEvents([first, ...(await rest)].join(''))
      expect(messages).toEqual([acknowledged({ toolsListChanged: true }, id), ended(id)])
    }
    session.close()
    await closed
  })

  test('does not wait for a client that does not read', async () => {
    const name = 'x'.repeat(1_000_000)
    const uri = `atlas://river/${name}`
    const catalog = createCatalog({
      resourceTemplates: [
        defineResourceTemplate({ uriTemplate: 'atlas://river/{name}', name: 'r', read: () => '' }),
      ],
    })
    const { app } = await serveChanges({ ...catalog, bodyLimit: 2_000_000 })
    const stream = await sendCall(
      await listenAlone(app),
      listenFor({ resourceSubscriptions: [uri] }),
    ).answer
    stream.response.pause()
    for (let round = 0; round < 40; round += 1) {
      app.mcp.notify.resourceUpdated(uri)
      await new Promise(setImmediate)
    }
    await app.close()
    expect(stream.response.complete).toBe(false)
  })

  test('refuses whoever asks meanwhile', async () => {
    const asked = createGate()
    const decided = createGate<boolean>()
    const atlas = atlasFor(() => {
      asked.open()
      return decided.opened
    })
    const { app } = await serveChanges({ ...atlas, subscriptions: { maxListeners: 2 } })
    const message = listenFor({ resourceSubscriptions: ['atlas://city/a'] })
    const { answer } = sendCall(await listenAlone(app), message)
    await asked.opened
    const closed = app.close()
    await new Promise(setImmediate)
    decided.open(true)
    const { status, rest } = await answer
    expect(status).toBe(503)
    expect(JSON.parse(await rest())).toEqual({ jsonrpc: '2.0', id: 1, error: BUSY })
    await closed
  })
})

/** A bus whose end the test decides. */
function breakableBus() {
  const handlers = new Set<{ onEvent: (event: ChangeEvent) => void; onLost: () => void }>()
  let stops = 0
  let isDown = false
  const bus: EventBus = {
    publish: (event) => {
      for (const { onEvent } of handlers) onEvent(event)
    },
    subscribe: async (onEvent, onLost) => {
      if (isDown) throw new Error('no connection to 10.0.0.7')
      const handler = { onEvent, onLost }
      handlers.add(handler)
      return () => {
        stops += 1
        handlers.delete(handler)
      }
    },
  }
  return {
    bus,
    handlers,
    stops: () => stops,
    lose: () => {
      isDown = true
      for (const handler of [...handlers]) {
        handlers.delete(handler)
        handler.onLost()
        handler.onLost()
      }
    },
    restore: () => {
      isDown = false
    },
  }
}

describe('a bus', () => {
  test('[SUB-12] that is lost ends the listeners, who are refused until it is back', async () => {
    const { bus, lose, restore, handlers } = breakableBus()
    const { app, complaints } = await serveChanges({
      subscriptions: { notifier: createNotifier({ bus }) },
    })
    const port = await listen(app)
    const first = await openListener(port, { toolsListChanged: true })
    const second = await openListener(port, { toolsListChanged: true }, 2)
    expect(handlers.size).toBe(1)
    lose()
    expect(readEvents(await first.rest()).messages).toEqual([ended()])
    expect(readEvents(await second.rest()).messages).toEqual([ended(2)])
    const refused = await post(app, listenFor({}))
    expect(refused.statusCode).toBe(503)
    expect(refused.json().error).toEqual({ code: -32603, message: 'Internal error' })
    restore()
    const third = await openListener(port, { toolsListChanged: true }, 3)
    app.mcp.notify.toolsChanged()
    expect(await third.next()).toEqual(toolsChanged(3))
    expect(complaints()).toEqual([
      'The event bus was lost: listeners are ended, to listen anew',
      'The event bus can not be listened to',
    ])
  })

  test('is let go of when the application closes, and not before anybody has listened', async () => {
    const { bus, handlers, stops } = breakableBus()
    const { app } = await serveChanges({ subscriptions: { notifier: createNotifier({ bus }) } })
    const port = await listenAlone(app)
    expect(handlers.size).toBe(0)
    const stream = await openListener(port, { toolsListChanged: true })
    void app.close()
    await stream.rest()
    await expect.poll(stops).toBe(1)
    expect(handlers.size).toBe(0)
  })

  test('that is lost or closed between two steps of a listener ends it at once', async () => {
    const gates = [createGate(), createGate()]
    let count = 0
    let lost = (): void => undefined
    const bus: EventBus = {
      publish: () => undefined,
      subscribe: async (_onEvent, onLost) => {
        const gate = gates[count]
        count += 1
        lost = onLost
        await gate?.opened
        return () => undefined
      },
    }
    const { app } = await serveChanges({ subscriptions: { notifier: createNotifier({ bus }) } })
    const { answer } = sendCall(await listen(app), listenFor({ toolsListChanged: true }))
    await expect.poll(() => count).toBe(1)
    lost()
    gates[0]?.open()
    const stream = await answer
    expect(readEvents(await stream.rest()).messages).toEqual([
      acknowledged({ toolsListChanged: true }),
      ended(),
    ])
  })

  test('that brings garbage does no harm', async () => {
    const { bus, handlers } = breakableBus()
    const { app, complaints } = await serveChanges({
      subscriptions: { notifier: createNotifier({ bus }) },
    })
    const stream = await openListener(await listen(app), { toolsListChanged: true })
    const bad = [
      undefined,
      null,
      1,
      'tools',
      {},
      { kind: 'tool' },
      { kind: 'resource', uri: 1 },
      [],
    ]
    for (const { onEvent } of handlers) for (const event of bad) onEvent(event as never)
    app.mcp.notify.toolsChanged()
    expect(await stream.next()).toEqual(toolsChanged())
    expect(complaints()).toHaveLength(bad.length)
  })
})
