// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import type { CallContext } from '@beam-mcp/core'
import type { FastifyServerOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { valueResult } from '../support/answers.ts'
import { listen } from '../support/app.ts'
import {
  aborted,
  asking,
  createGate,
  progressOf,
  readEvents,
  sendCall,
} from '../support/event-streams.ts'
import { beginRequest, openSession } from '../support/http2-client.ts'
import { serveWork } from '../support/notifying.ts'
import { linesFor, rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = asking('work', { token: 1 })

/** A stream that goes on until the test lets it. */
function held() {
  const gate = createGate()
  const signals: AbortSignal[] = []
  const work = async ({ progress, signal }: CallContext) => {
    signals.push(signal)
    await progress(1)
    await gate.opened
    await progress(2)
    return { done: true }
  }
  return { work, signals, release: () => gate.open() }
}

describe('an application that closes while a stream goes on', () => {
  test('gives the handler its time, and the client its answer', async () => {
    const { work, signals, release } = held()
    const { app } = await serveWork(work)
    const open = await sendCall(await listen(app), CALL).answer
    expect(await open.next()).toEqual(progressOf(1, 1))
    let isClosed = false
    const closing = app.close().then(() => {
      isClosed = true
    })
    await new Promise(setImmediate)
    expect([isClosed, signals[0]?.aborted]).toEqual([false, false])
    release()
    expect(readEvents(await open.rest()).messages).toEqual([
      progressOf(1, 2),
      valueResult({ done: true }),
    ])
    await closing
  })

  test('is not kept open by the connection that the stream came on', async () => {
    const { work, release } = held()
    const { app } = await serveWork(work)
    const socket = await openRawSocket(await listen(app))
    const body = JSON.stringify(CALL)
    const head = rawRequest([...linesFor(CALL), ['content-length', String(body.length)]])
    socket.send(Buffer.concat([head, Buffer.from(body)]))
    await once(socket.socket, 'data')
    const closing = app.close()
    release()
    expect(readEvents((await socket.read()).body).messages).toHaveLength(3)
    await closing
  })

  test('with forceCloseConnections ends it at once, and aborts the signal', async () => {
    const reason = createGate<unknown>()
    const { app } = await serveWork(
      async ({ progress, signal }) => {
        await progress(1)
        reason.open(await aborted(signal))
        return 'late'
      },
      {},
      { forceCloseConnections: true } as FastifyServerOptions,
    )
    await (await sendCall(await listen(app), CALL).answer).next()
    await app.close()
    expect(await reason.opened).toMatchObject({ name: 'AbortError' })
  })

  test('over HTTP/2 gives the handler its time, whatever forceCloseConnections says', async () => {
    const { work, signals, release } = held()
    const http = { http2: true, forceCloseConnections: true } as unknown as FastifyServerOptions
    const { app } = await serveWork(work, {}, http)
    const session = await openSession(await listen(app))
    const stream = beginRequest(session, CALL)
    stream.end(JSON.stringify(CALL))
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    await once(stream, 'data')
    const closing = app.close()
    await once(session, 'goaway')
    expect(signals[0]?.aborted).toBe(false)
    release()
    await once(stream, 'end')
    expect(readEvents(text).messages.at(-1)).toEqual(valueResult({ done: true }))
    await closing
  })

  test('with forceCloseConnections waits for no client that does not read', async () => {
    const waiting = createGate()
    const { app } = await serveWork(
      async ({ progress }) => {
        const text = 'x'.repeat(100_000)
        for (let step = 1; step < 500; step += 1) {
          if (step === 100) waiting.open()
          void progress(step, undefined, text)
          await new Promise(setImmediate)
        }
        return 'done'
      },
      {},
      { forceCloseConnections: true } as FastifyServerOptions,
    )
    const { response } = await sendCall(await listen(app), CALL).answer
    response.pause()
    await waiting.opened
    await app.close()
  })

  test('[CANC-10] waits no longer than timeoutMs', async () => {
    const { work } = held()
    const { app } = await serveWork(work, { timeoutMs: 50 })
    const open = await sendCall(await listen(app), CALL).answer
    await open.next()
    const closing = app.close()
    expect(readEvents(await open.rest()).messages).toMatchObject([{ result: { isError: true } }])
    await closing
  })
})
