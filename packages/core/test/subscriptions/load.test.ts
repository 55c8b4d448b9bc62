// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp, listen } from '../support/app.ts'
import { type SentCall, sendCall } from '../support/event-streams.ts'
import { ATLAS, listenAlone, listenFor, serveChanges } from '../support/listening.ts'
import { call, headersFor } from '../support/messages.ts'

const WANTED = { toolsListChanged: true, resourceSubscriptions: ['atlas://city/a'] }
const BATCH = 50

/** One listener over a bare socket: the cheapest client there is. */
interface Bare {
  readonly socket: Socket
  /** Resolves once it was told a text, and how often it was in all. */
  readonly told: (text: string) => Promise<number>
}

async function openBare(port: number): Promise<Bare> {
  const message = listenFor(WANTED)
  const body = JSON.stringify(message)
  const fields = { host: '127.0.0.1', 'content-length': body.length, ...headersFor(message) }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (part: string) => {
    text += part
  })
  socket.write(`POST /mcp HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  const told = async (wanted: string): Promise<number> => {
    while (!text.includes(wanted)) {
      if (socket.readableEnded || socket.destroyed) throw new Error(`it ended with ${text}`)
      await Promise.race([once(socket, 'data'), once(socket, 'close')])
    }
    return text.split(wanted).length - 1
  }
  await told('subscriptions/acknowledged')
  return { socket, told }
}

async function openMany(port: number, count: number): Promise<Bare[]> {
  const opened: Bare[] = []
  while (opened.length < count) {
    opened.push(...(await Promise.all(Array.from({ length: BATCH }, () => openBare(port)))))
  }
  return opened
}

async function untilGone(app: FastifyInstance): Promise<void> {
  const count = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, open) => resolve(open)))
  while ((await count()) > 0) await sleep(5)
}

async function statusOf({ answer }: SentCall): Promise<number> {
  const { status, rest } = await answer
  await rest()
  return status
}

describe('a thousand listeners', () => {
  test('[SUB-09] [SUB-12] are told of each change, beside 200 calls a second, and ended sooner than they came', async () => {
    const { app, complaints } = await serveChanges()
    const port = await listenAlone(app)
    const openedAt = performance.now()
    const listeners = await openMany(port, 1_000)
    const openingMs = performance.now() - openedAt
    onTestFinished(() => {
      for (const { socket } of listeners) socket.destroy()
    })
    const statuses: Promise<number>[] = []
    for (let round = 0; round < 40; round += 1) {
      for (let index = 0; index < 10; index += 1) {
        const sent = sendCall(port, call('echo', { text: 'x' }), { connection: 'close' })
        statuses.push(statusOf(sent))
      }
      if (round === 10) app.mcp.notify.toolsChanged()
      if (round === 20) app.mcp.notify.resourceUpdated('atlas://city/a')
      await sleep(50)
    }
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]))
    for (const text of ['tools/list_changed', 'resources/updated']) {
      const counts = await Promise.all(listeners.map(({ told }) => told(text)))
      expect(new Set(counts)).toEqual(new Set([1]))
    }
    const closedAt = performance.now()
    const closed = app.close()
    await Promise.all(listeners.map(({ told }) => told('"resultType":"complete"')))
    const endingMs = performance.now() - closedAt
    await closed
    expect(endingMs).toBeLessThan(openingMs)
    expect(complaints()).toEqual([])
  }, 60_000)
})

describe('ten thousand listeners that come and go', () => {
  test('[SUB-11] [SUB-14] leave nothing behind', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const expiresAt = Date.now() + 86_400_000
    // Without a log, which would keep a line for each of them.
    const app = await createApp({
      ...ATLAS,
      authorize: () => ({ ok: true, expiresAt }),
      // No more than are there at a time: each has to give its place up.
      subscriptions: { maxListeners: BATCH },
    })
    const port = await listen(app)
    const comeAndGo = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += BATCH) {
        for (const { socket } of await openMany(port, BATCH)) socket.destroy()
        await untilGone(app)
      }
    }
    const measure = async () => {
      app.mcp.notify.toolsChanged()
      for (let pass = 0; pass < 3; pass += 1) {
        await sleep(20)
        collect()
      }
      return process.memoryUsage().heapUsed
    }
    await comeAndGo(1_000)
    const before = await measure()
    await comeAndGo(10_000)
    const after = await measure()
    // A listener that stayed, or its timer with all that hangs on it, would be nearly twenty kibibytes.
    expect((after - before) / 10_000).toBeLessThan(2_000)
  }, 120_000)
})
