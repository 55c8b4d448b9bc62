// SPDX-License-Identifier: Apache-2.0
import { type CallContext, createCatalog, defineTool } from '@beam-mcp/core'
import type { FastifyServerOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, see, valueResult } from '../support/answers.ts'
import { createApp, listen, post } from '../support/app.ts'
import {
  aborted,
  asking,
  createGate,
  logOf,
  progressOf,
  readEvents,
  sendCall,
} from '../support/event-streams.ts'
import { countTimers } from '../support/leaks.ts'
import { request } from '../support/messages.ts'
import { serveWork } from '../support/notifying.ts'
import { BOTH, bare, postOld } from '../support/older-client.ts'
import { COMPLETE } from '../support/server.ts'

const LIMIT_MS = 20
const LIMITED = { timeoutMs: LIMIT_MS } as const
const TEXT = `No answer within ${LIMIT_MS} ms`
const NO_TIME = errorAnswer(-32603, TEXT, { id: 1 })
const CALL = request('tools/call', { name: 'work' })
const FAILED = { content: [{ type: 'text', text: TEXT }], isError: true }

const never = (): Promise<never> => new Promise(() => undefined)

/** A tool beside a default limit. */
function toolWith(timeoutMs: number | undefined, handler: (context: CallContext) => unknown) {
  return createCatalog({
    tools: [
      defineTool({
        name: 'work',
        ...(timeoutMs !== undefined && { timeoutMs }),
        handler: (_args, context) => handler(context),
      }),
    ],
  })
}

describe('timeoutMs', () => {
  test('[CANC-10] answers a tool that is late with an error that says so', async () => {
    const { app, complaints } = await serveWork(never, LIMITED)
    const { result } = (await post(app, CALL)).json()
    expect(result).toMatchObject({ ...FAILED, resultType: COMPLETE.resultType })
    expect(complaints()).toEqual(['A tool failed: no answer in its time'])
  })

  test.each([
    ['a reader', request('resources/read', { uri: 'work://it' })],
    ['a renderer', request('prompts/get', { name: 'work' })],
  ])('[CANC-10] answers %s that is late with -32603', async (_, message) => {
    const { app } = await serveWork(never, LIMITED)
    expect(see(await post(app, message))).toEqual(kept(500, NO_TIME))
  })

  test('[CANC-10] answers in the older revision alike', async () => {
    const { app } = await serveWork(never, { ...LIMITED, revisions: BOTH })
    const called = await postOld(app, bare('tools/call', { name: 'work' }))
    expect([called.statusCode, called.json().result]).toEqual([200, FAILED])
    const read = await postOld(app, bare('resources/read', { uri: 'work://it' }))
    expect([read.statusCode, read.json()]).toEqual([200, NO_TIME])
  })

  test("[CANC-10] of a tool goes before the server's own", async () => {
    const short = await createApp({ ...toolWith(LIMIT_MS, never), timeoutMs: 60_000 })
    expect((await post(short, CALL)).json().result).toMatchObject(FAILED)
    const waits = async ({ signal }: CallContext) => {
      // As long as the server's own limit takes to pass.
      await aborted(AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS + 5)]))
      return { aborted: signal.aborted }
    }
    const long = await createApp({ ...toolWith(60_000, waits), ...LIMITED })
    expect((await post(long, CALL)).json().result.structuredContent).toEqual({ aborted: false })
  })

  test('[CANC-03] aborts the signal with a TimeoutError, and drops what comes late', async () => {
    const reason = createGate<unknown>()
    const late = createGate<CallContext>()
    const { app, complaints } = await serveWork(
      async (context) => {
        await context.progress(1)
        reason.open(await aborted(context.signal))
        await context.progress(2)
        await context.log('error', 'late')
        late.open(context)
        throw new Error('too late')
      },
      { ...LIMITED, logging: true },
    )
    const open = await sendCall(await listen(app), asking('work', { token: 1, level: 'debug' }))
      .answer
    const { messages } = readEvents(await open.rest())
    expect(messages).toMatchObject([progressOf(1, 1), { id: 1, result: FAILED }])
    expect(messages).toHaveLength(2)
    const thrown = await reason.opened
    expect(thrown).toBeInstanceOf(DOMException)
    expect(thrown).toMatchObject({ name: 'TimeoutError', message: TEXT })
    await late.opened
    // The error of a handler that nobody waits for is not logged as a fault.
    expect(complaints()).toEqual(['A tool failed: no answer in its time'])
  })

  test('[CANC-10] finds the signal aborted that is asked for after it', async () => {
    const seen = createGate<unknown>()
    const gate = createGate()
    const { app } = await serveWork(async (context) => {
      await gate.opened
      seen.open(context.signal.reason)
    }, LIMITED)
    expect((await post(app, CALL)).json().result).toMatchObject(FAILED)
    gate.open()
    expect(await seen.opened).toMatchObject({ name: 'TimeoutError' })
  })

  test('leaves an answer alone that comes in time, and no timer behind', async () => {
    const { app } = await serveWork(async ({ signal }) => ({ aborted: signal.aborted }), {
      timeoutMs: 60_000,
    })
    await post(app, CALL)
    const timers = countTimers()
    const rounds = 20
    for (let round = 0; round < rounds; round += 1) {
      expect(see(await post(app, CALL))).toEqual(kept(200, valueResult({ aborted: false })))
    }
    await new Promise(setImmediate)
    // The test runner's own timers come and go beside; one of each call would be seen.
    expect(timers()).toBeLessThan(rounds / 2)
  })

  test('leaves an answer alone that comes at once, however long it took', async () => {
    const { app } = await serveWork(() => {
      const end = performance.now() + LIMIT_MS + 1
      while (performance.now() < end);
      return { done: true }
    }, LIMITED)
    expect(see(await post(app, CALL))).toEqual(kept(200, valueResult({ done: true })))
  })

  test.each([0, -1, 1.5, Number.NaN, '20', 2_147_483_648, Number.POSITIVE_INFINITY, null])(
    'refuses %s, for the server and for a tool',
    async (timeoutMs) => {
      await expect(serveWork(never, { timeoutMs: timeoutMs as never })).rejects.toMatchObject({
        code: 'BEAM_ERR_OPT_INVALID',
      })
      const app = await createApp(toolWith(timeoutMs as never, never))
      await expect(app.ready()).rejects.toMatchObject({
        code: 'BEAM_ERR_CATALOG_ENTRY',
        message: expect.stringContaining('timeoutMs'),
      })
    },
  )

  test.each([1, 2_147_483_647])('takes %s', async (timeoutMs) => {
    const app = await createApp({
      ...toolWith(timeoutMs, () => ({ done: true })),
      timeoutMs,
    })
    expect(see(await post(app, CALL))).toEqual(kept(200, valueResult({ done: true })))
    const [tool] = (await post(app, request('tools/list'))).json().result.tools
    expect(Object.keys(tool)).toEqual(['name', 'inputSchema'])
  })
})

describe("a host's handlerTimeout", () => {
  const HOST = { handlerTimeout: LIMIT_MS } as FastifyServerOptions

  test('[CANC-10] does not cut a stream that goes on beyond it', async () => {
    const host = { hasPassed: async (): Promise<void> => undefined }
    const { app } = await serveWork(
      async ({ progress, log }) => {
        await progress(1)
        await host.hasPassed()
        await log('info', 'after')
        return { done: true }
      },
      { logging: true },
      HOST,
    )
    app.get('/never', never)
    host.hasPassed = async () => {
      expect((await app.inject({ url: '/never' })).statusCode).toBe(503)
    }
    const call = asking('work', { token: 1, level: 'info' })
    const open = await sendCall(await listen(app), call).answer
    expect(readEvents(await open.rest()).messages).toEqual([
      progressOf(1, 1),
      logOf('info', 'after'),
      valueResult({ done: true }),
    ])
  })

  test('[CANC-10] leaves timeoutMs to rule', async () => {
    const { app } = await serveWork(never, { timeoutMs: LIMIT_MS * 2 }, HOST)
    const { result } = (await post(app, CALL)).json()
    expect(result.content).toEqual([{ type: 'text', text: `No answer within ${LIMIT_MS * 2} ms` }])
  })
})
