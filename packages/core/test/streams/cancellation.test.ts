// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import type { Http2ServerRequest } from 'node:http2'
import type { Socket } from 'node:net'
import type { CallContext } from '@beam-mcp/core'
import type { FastifyServerOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { listen, ownLines } from '../support/app.ts'
import { aborted, asking, createGate, progressOf, sendCall } from '../support/event-streams.ts'
import { beginRequest, openSession } from '../support/http2-client.ts'
import { request } from '../support/messages.ts'
import { serveWork, type Work } from '../support/notifying.ts'
import { BOTH, OLDER } from '../support/older-client.ts'

const HTTP2 = { http2: true } as FastifyServerOptions

/** A tool that says when it was called, and can be waited for. */
function watchedWork(run: (context: CallContext) => Promise<unknown>) {
  const begun = createGate<CallContext>()
  const over = createGate<unknown>()
  const work: Work = async (context) => {
    begun.open(context)
    try {
      const answer = await run(context)
      over.open('answered')
      return answer
    } catch (thrown) {
      over.open(thrown)
      throw thrown
    }
  }
  return { work, begun: begun.opened, over: over.opened }
}

/** Settles when the server has seen the end of a request's connection, or of its HTTP/2 stream. */
function connectionEnd({ request }: CallContext): Promise<unknown> {
  const raw = request?.raw as unknown as Partial<Http2ServerRequest> & { readonly socket: Socket }
  return once(raw.stream ?? raw.socket, 'close')
}

/** Works until it is cancelled, and throws then, as `fetch` does. */
async function untilAborted({ signal }: CallContext): Promise<never> {
  throw await aborted(signal)
}

describe('a caller that hangs up', () => {
  test.each([
    ['tools/call', { name: 'work' }],
    ['resources/read', { uri: 'work://it' }],
    ['prompts/get', { name: 'work' }],
  ])('[CANC-01] [A-30] before the answer of %s aborts the signal', async (method, params) => {
    const { work, begun, over } = watchedWork(untilAborted)
    const { app, log, complaints } = await serveWork(work)
    const sent = sendCall(await listen(app), request(method, params))
    const { signal } = await begun
    expect(signal.aborted).toBe(false)
    sent.vanish()
    expect(await over).toMatchObject({ name: 'AbortError' })
    expect(signal.aborted).toBe(true)
    // Work that ends for that reason is no fault of the host's.
    await new Promise(setImmediate)
    expect(complaints()).toEqual([])
    expect(ownLines(log).map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/ after nobody waited for it any more$/),
    )
  })

  test('[CANC-01] [SSE-09] between two notifications aborts the signal, and nothing follows', async () => {
    const { work, begun, over } = watchedWork(async (context) => {
      await context.progress(1)
      await aborted(context.signal)
      await context.progress(2)
      await context.progress(3)
      return 'late'
    })
    const { app, complaints } = await serveWork(work)
    const open = await sendCall(await listen(app), asking('work', { token: 1 })).answer
    expect(await open.next()).toEqual(progressOf(1, 1))
    await begun
    open.vanish()
    expect(await over).toBe('answered')
    expect(complaints()).toEqual([])
  })

  test('[CANC-06] after the result aborts nothing', async () => {
    const { work, begun } = watchedWork(async ({ progress, signal }) => {
      await progress(1)
      return { aborted: signal.aborted }
    })
    const { app } = await serveWork(work)
    const open = await sendCall(await listen(app), asking('work', { token: 1 })).answer
    while ((await open.next()) !== undefined);
    open.vanish()
    const closed = once(open.response.socket, 'close')
    await closed
    expect((await begun).signal.aborted).toBe(false)
  })

  test('[CANC-06] whose signal is asked for after that finds it aborted', async () => {
    const gone = createGate()
    const seen = createGate<boolean>()
    const { work, begun } = watchedWork(async (context) => {
      await gone.opened
      seen.open(context.signal.aborted)
      return 'late'
    })
    const { app } = await serveWork(work)
    const sent = sendCall(await listen(app), request('tools/call', { name: 'work' }))
    const closed = connectionEnd(await begun)
    sent.vanish()
    await closed
    gone.open()
    expect(await seen.opened).toBe(true)
  })

  test('[CANC-04] before the first notification is sent none', async () => {
    const gone = createGate()
    const { work, begun, over } = watchedWork(async (context) => {
      await gone.opened
      await context.progress(1, 1, 'x'.repeat(1_000_000))
      await context.progress(2)
      return 'late'
    })
    const { app, complaints } = await serveWork(work)
    const sent = sendCall(await listen(app), asking('work', { token: 1 }))
    const closed = connectionEnd(await begun)
    sent.vanish()
    await closed
    gone.open()
    expect(await over).toBe('answered')
    expect(complaints()).toEqual([])
  })

  test('[CANC-03] lets a handler that waits for it go on', async () => {
    const { work, over } = watchedWork(async (context) => {
      for (let step = 1; !context.signal.aborted; step += 1) {
        await context.progress(step, undefined, 'x'.repeat(10_000))
      }
      return 'late'
    })
    const { app } = await serveWork(work)
    const open = await sendCall(await listen(app), asking('work', { token: 1 })).answer
    expect(await open.next()).toMatchObject({ params: { progress: 1 } })
    // Nothing is read any more: the handler waits for it.
    open.response.pause()
    open.vanish()
    expect(await over).toBe('answered')
  })

  test.each([
    ['before the answer', {}],
    ['between two notifications', { token: 1 }],
  ])('[CANC-01] over HTTP/2 resets its stream %s', async (_, wishes) => {
    const { work, begun, over } = watchedWork(async (context) => {
      await context.progress(1)
      return untilAborted(context)
    })
    const { app } = await serveWork(work, {}, HTTP2)
    const session = await openSession(await listen(app))
    const message = asking('work', wishes)
    const stream = beginRequest(session, message)
    stream.end(JSON.stringify(message))
    const { signal } = await begun
    if ('token' in wishes) await once(stream, 'data')
    expect(signal.aborted).toBe(false)
    stream.close()
    expect(await over).toMatchObject({ name: 'AbortError' })
  })

  test('[CANC-06] over HTTP/2, whose signal is asked for after that, finds it aborted', async () => {
    const gone = createGate()
    const seen = createGate<boolean>()
    const { work, begun } = watchedWork(async (context) => {
      await gone.opened
      await context.progress(1)
      seen.open(context.signal.aborted)
      return 'late'
    })
    const { app } = await serveWork(work, {}, HTTP2)
    const message = asking('work', { token: 1 })
    const stream = beginRequest(await openSession(await listen(app)), message)
    stream.end(JSON.stringify(message))
    const closed = connectionEnd(await begun)
    stream.close()
    await closed
    gone.open()
    expect(await seen.opened).toBe(true)
  })

  test('[L-HTTP-10] in the older revision cancels nothing', async () => {
    const gone = createGate()
    const { work, begun, over } = watchedWork(async (context) => {
      await context.progress(1)
      context.signal.addEventListener('abort', () => gone.open())
      await gone.opened
      await context.progress(2, 3, 'x'.repeat(1_000_000))
      await context.progress(3)
      return context.signal.aborted ? 'cancelled' : 'done'
    })
    const { app, complaints } = await serveWork(work, { revisions: BOTH })
    const params = { name: 'work', _meta: { progressToken: 1 } }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const own = { 'content-type': 'application/json', 'mcp-protocol-version': OLDER }
    const open = await sendCall(await listen(app), message, {}, own).answer
    expect(await open.next()).toEqual(progressOf(1, 1))
    const closed = connectionEnd(await begun)
    open.vanish()
    await closed
    gone.open()
    expect(await over).toBe('answered')
    expect((await begun).signal.aborted).toBe(false)
    expect(complaints()).toEqual([])
  })

  test('the signal is the same each time, and stays in hand', async () => {
    const { app } = await serveWork((context) => {
      const { signal } = context
      return { same: signal === context.signal, aborted: signal.aborted }
    })
    const response = await sendCall(await listen(app), request('tools/call', { name: 'work' }))
      .answer
    expect(JSON.parse(await response.rest()).result.structuredContent).toEqual({
      same: true,
      aborted: false,
    })
  })
})
