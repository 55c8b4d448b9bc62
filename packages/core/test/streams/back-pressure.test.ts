// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import type { CallContext } from '@beam-mcp/core'
import type { FastifyServerOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { listen } from '../support/app.ts'
import { asking, createGate, readEvents, sendCall } from '../support/event-streams.ts'
import { beginRequest, openSession } from '../support/http2-client.ts'
import { serveWork } from '../support/notifying.ts'

const CALL = asking('work', { token: 1, level: 'info' })
const TEXT = 'x'.repeat(1_000)
const KIB_64 = 65_536
const FLOOD =
  'A notification was dropped: more notifications than a client that reads slowly has taken'

/** More than a connection holds on its way, many times over. */
const LONG_TEXT = 'x'.repeat(10_000)

/** Sends all of them, each when it may, and says when it has to wait. */
async function sendMany({ progress }: CallContext, count: number, onWait: () => void) {
  let isWaiting = false
  for (let step = 1; step <= count; step += 1) {
    const told = progress(step, undefined, LONG_TEXT)
    const timer = setImmediate(() => {
      isWaiting = true
      onWait()
    })
    await told
    if (!isWaiting) clearImmediate(timer)
  }
}

describe('a client that does not read', () => {
  test('[SSE-11] holds back who awaits, and loses nothing', async () => {
    const count = 2_000
    const waiting = createGate()
    const { app, complaints } = await serveWork(async (context) => {
      await sendMany(context, count, () => waiting.open())
      return { done: true }
    })
    const { response } = await sendCall(await listen(app), CALL).answer
    response.pause()
    await waiting.opened
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    const { messages, others } = readEvents(text)
    expect(others).toEqual([])
    expect(messages.slice(0, -1).map(({ params }) => params?.['progress'])).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    )
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} })
    expect(complaints()).toEqual([])
  })

  test('[SSE-11] over HTTP/2 holds back who awaits, and loses nothing', async () => {
    const count = 2_000
    const waiting = createGate()
    const { app } = await serveWork(
      async (context) => {
        await sendMany(context, count, () => waiting.open())
        return { done: true }
      },
      {},
      { http2: true } as FastifyServerOptions,
    )
    const stream = beginRequest(await openSession(await listen(app)), CALL)
    stream.end(JSON.stringify(CALL))
    await once(stream, 'response')
    await waiting.opened
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk
    expect(readEvents(text).messages).toHaveLength(count + 1)
  })

  test('[SSE-11] [PROG-05] loses the rest of a flood that nobody awaits, and the log says so once', async () => {
    const count = 5_000
    const { app, complaints } = await serveWork(async ({ progress }) => {
      for (let step = 1; step <= count; step += 1) void progress(step, undefined, TEXT)
      return { done: true }
    })
    const open = await sendCall(await listen(app), CALL).answer
    const text = await open.rest()
    const { messages } = readEvents(text)
    const steps = messages.slice(0, -1).map(({ params }) => Number(params?.['progress']))
    // In order from the first on, and the result comes all the same.
    expect(steps).toEqual(Array.from(steps, (_, index) => index + 1))
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} })
    // What waits is bounded: 64 KiB, and 256 Ki characters that came while those had not gone.
    expect(text.length).toBeLessThan(6 * KIB_64)
    expect(text.length).toBeGreaterThan(4 * KIB_64)
    expect(complaints()).toEqual([FLOOD])
  })

  test('[SSE-11] a flood that goes on after a pause is bounded as well, with whatever was lost logged once', async () => {
    const rounds = 50
    const { app, complaints } = await serveWork(async ({ progress }) => {
      for (let round = 0; round < rounds; round += 1) {
        for (let step = 1; step <= 1_000; step += 1) {
          void progress(round * 1_000 + step, undefined, TEXT)
        }
        await new Promise(setImmediate)
      }
      return { done: true }
    })
    const { response } = await sendCall(await listen(app), CALL).answer
    response.pause()
    const before = process.memoryUsage().arrayBuffers
    await new Promise(setImmediate)
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    const { messages } = readEvents(text)
    const steps = messages.slice(0, -1).map(({ params }) => Number(params?.['progress']))
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(rounds * 1_000_000)
    expect(complaints()).toEqual([FLOOD])
  })

  test('[SSE-11] one that only waits for a client that is gone goes on', async () => {
    const waiting = createGate()
    const over = createGate()
    const { app } = await serveWork(async (context) => {
      await sendMany(context, 5_000, () => waiting.open())
      over.open()
      return { done: true }
    })
    const open = await sendCall(await listen(app), CALL).answer
    open.response.pause()
    await waiting.opened
    open.vanish()
    await over.opened
  })

  test('[SSE-11] two that wait at the same time both go on', async () => {
    const { app } = await serveWork(
      async ({ progress, log }) => {
        const count = 1_000
        const one = async () => {
          for (let step = 1; step <= count; step += 1) await progress(step, count, TEXT)
        }
        const other = async () => {
          for (let step = 1; step <= count; step += 1) await log('info', TEXT)
        }
        await Promise.all([one(), other()])
        return { done: true }
      },
      { logging: true },
    )
    const open = await sendCall(await listen(app), CALL).answer
    expect(readEvents(await open.rest()).messages).toHaveLength(2_001)
  })
})
