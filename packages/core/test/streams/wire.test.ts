// SPDX-License-Identifier: Apache-2.0
import { type CallContext, createCatalog, defineTool } from '@beam-mcp/core'
import type { FastifyServerOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { kept, see, valueResult } from '../support/answers.ts'
import { createApp, type EndpointOptions, listen, post } from '../support/app.ts'
import {
  asking,
  createGate,
  logOf,
  progressOf,
  readEvents,
  sendCall,
} from '../support/event-streams.ts'
import { beginRequest, openSession } from '../support/http2-client.ts'
import { linesFor, rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

/** An application with one tool, which does this. */
function serve(
  handler: (context: CallContext) => unknown,
  options: Partial<EndpointOptions> = {},
  fastify: FastifyServerOptions = {},
) {
  const tool = defineTool({ name: 'work', handler: (_args, context) => handler(context) })
  return createApp({ ...createCatalog({ tools: [tool] }), logging: true, ...options }, fastify)
}

/** Tells twice how far it is, and logs between. */
async function work({ progress, log }: CallContext): Promise<unknown> {
  await progress(0.5, 2, 'half')
  await log('info', { note: 'line\nbreak' })
  await progress(2)
  return { done: true }
}

const CALL = asking('work', { token: 'pt-3', level: 'debug' })
const EVENTS = [
  progressOf('pt-3', 0.5, { total: 2, message: 'half' }),
  logOf('info', { note: 'line\nbreak' }),
  progressOf('pt-3', 2),
  valueResult({ done: true }),
]

describe('the answer of a request that asked for notifications', () => {
  test('[SSE-10] is one JSON object where the call only returns', async () => {
    const app = await serve(() => ({ done: true }))
    expect(see(await post(app, CALL))).toEqual(kept(200, valueResult({ done: true })))
  })

  test('[SSE-10] is one JSON object where nothing was asked for', async () => {
    const app = await serve(work)
    expect(see(await post(app, asking('work', {})))).toEqual(kept(200, valueResult({ done: true })))
  })

  test('[SSE-01] [SSE-04] [SSE-08] is a stream from the first notification on, its result last', async () => {
    const response = await post(await serve(work), CALL)
    expect(readEvents(response.body)).toEqual({ messages: EVENTS, comments: [], others: [] })
  })

  test('[SSE-05] [SSE-07] is these bytes', async () => {
    const socket = await openRawSocket(await listen(await serve(work)))
    const body = JSON.stringify(CALL)
    const head = rawRequest([...linesFor(CALL), ['content-length', String(body.length)]])
    socket.send(Buffer.concat([head, Buffer.from(body)]))
    const { status, headers, body: text } = await socket.read()
    const { date, ...told } = headers
    expect([status, date?.length]).toEqual([200, 1])
    expect(told).toEqual({
      'content-type': ['text/event-stream'],
      'cache-control': ['no-cache, no-transform'],
      'x-accel-buffering': ['no'],
      connection: ['keep-alive'],
      'keep-alive': ['timeout=72'],
      'transfer-encoding': ['chunked'],
    })
    expect(text).toBe(EVENTS.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    // The connection goes on.
    socket.send(Buffer.concat([head, Buffer.from(body)]))
    expect((await socket.read()).body).toBe(text)
  })

  test('[SSE-01] comes event by event, while the handler works', async () => {
    const gate = createGate()
    const app = await serve(async ({ progress }) => {
      await progress(1)
      await gate.opened
      await progress(2)
      return 'done'
    })
    const open = await sendCall(await listen(app), asking('work', { token: 7 })).answer
    expect([open.status, open.headers['content-type']]).toEqual([200, 'text/event-stream'])
    expect(await open.next()).toEqual(progressOf(7, 1))
    gate.open()
    expect(await open.next()).toEqual(progressOf(7, 2))
    expect(await open.next()).toMatchObject({ id: 1, result: { isError: false } })
    expect(await open.next()).toBeUndefined()
  })

  test('[SSE-01] over HTTP/2 is the same stream', async () => {
    const port = await listen(await serve(work, {}, { http2: true } as FastifyServerOptions))
    const stream = beginRequest(await openSession(port), CALL)
    stream.end(JSON.stringify(CALL))
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    const headers = await new Promise<Record<string, unknown>>((resolve) =>
      stream.once('response', resolve),
    )
    await new Promise((resolve) => stream.once('end', resolve))
    expect(headers).toMatchObject({
      ':status': 200,
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    })
    expect(readEvents(text)).toEqual({ messages: EVENTS, comments: [], others: [] })
  })

  test('[SSE-06] has comments while it is quiet, and none after its end', async () => {
    const gate = createGate()
    const quiet = async ({ progress }: CallContext): Promise<string> => {
      await progress(1)
      await gate.opened
      return 'done'
    }
    const app = await serve(quiet, { keepAliveMs: 5 })
    const { response } = await sendCall(await listen(app), asking('work', { token: 7 })).answer
    let text = ''
    for await (const chunk of response) {
      text += chunk
      if (text.split('\n:').length > 3) gate.open()
    }
    const { messages, comments, others } = readEvents(text)
    expect([messages.length, others]).toEqual([2, []])
    expect(comments.length).toBeGreaterThan(2)
    expect(new Set(comments)).toEqual(new Set(['keep-alive']))
    expect(text.endsWith(`data: ${JSON.stringify(messages.at(-1))}\n\n`)).toBe(true)
  })

  test('[SSE-02] two requests of one connection have a stream each, with their own alone', async () => {
    const gates = [createGate(), createGate()]
    const tool = defineTool({
      name: 'work',
      inputSchema: { type: 'object', properties: { at: { type: 'integer' } } },
      handler: async (args, { progress }) => {
        const at = Number(args['at'])
        await progress(at)
        gates[at]?.open()
        await Promise.all(gates.map(({ opened }) => opened))
        await progress(at + 10)
        return 'done'
      },
    })
    const app = await createApp(createCatalog({ tools: [tool] }), {
      http2: true,
    } as FastifyServerOptions)
    const session = await openSession(await listen(app))
    const texts = await Promise.all(
      [0, 1].map(async (at) => {
        const message = asking('work', { token: `t${at}` }, { at })
        const stream = beginRequest(session, message)
        stream.end(JSON.stringify(message))
        let text = ''
        for await (const chunk of stream.setEncoding('utf8')) text += chunk
        return readEvents(text).messages.slice(0, -1)
      }),
    )
    expect(texts).toEqual([
      [progressOf('t0', 0), progressOf('t0', 10)],
      [progressOf('t1', 1), progressOf('t1', 11)],
    ])
  })
})
