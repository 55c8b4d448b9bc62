// SPDX-License-Identifier: Apache-2.0
import type { CallContext } from '@beam-mcp/core'
import { defineTool } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { aborted, asking, createGate, logOf, progressOf } from '../support/event-streams.ts'
import { serve, valueAnswer } from '../support/server.ts'

function serveWork(
  handler: (context: CallContext) => unknown,
  options: Parameters<typeof serve>[1] = {},
) {
  const tools = [defineTool({ name: 'work', handler: (_args, context) => handler(context) })]
  return serve({ tools }, { logging: true, ...options })
}

const CALL = asking('work', { token: 1, level: 'debug' })

describe('a call in process', () => {
  test('[SSE-01] is told of progress and log messages before its answer', async () => {
    const { server } = serveWork(async ({ progress, log }) => {
      await progress(1, 2, 'a\\u0061b')
      await log('error', { 'line\nbreak': '☃' })
      return { done: true }
    })
    const told: unknown[] = []
    const answer = await server.handle(CALL, { onNotification: (one) => told.push(one) })
    expect(told).toEqual([
      progressOf(1, 1, { total: 2, message: 'a\\u0061b' }),
      logOf('error', { 'line\nbreak': '☃' }),
    ])
    expect(answer).toEqual(valueAnswer({ done: true }))
  })

  test('does without onNotification', async () => {
    const { server, log } = serveWork(async ({ progress }) => {
      await progress(1)
      await progress(1)
      return { done: true }
    })
    expect(await server.handle(CALL)).toEqual(valueAnswer({ done: true }))
    expect(log.lines).toEqual([])
  })

  test('[PROG-01] is told under its very token, one that no JSON number carries too', async () => {
    const { server } = serveWork(async ({ progress, log }) => {
      await progress(1)
      await log('info', { progressToken: 1 })
      return 'done'
    })
    const token = 9_007_199_254_740_993n
    const told: unknown[] = []
    const call = asking('work', { token, level: 'info' })
    await server.handle(call, { onNotification: (one) => told.push(one) })
    expect(told).toEqual([progressOf(token, 1), logOf('info', { progressToken: 1 })])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('goes on where onNotification %s, and the log has it', async (_, onNotification) => {
    const { server, log } = serveWork(async ({ progress }) => {
      await progress(1)
      return { done: true }
    })
    expect(await server.handle(CALL, { onNotification })).toEqual(valueAnswer({ done: true }))
    expect(log.lines).toMatchObject([{ level: 'error', message: 'onNotification failed' }])
  })

  test('[CANC-01] is cancelled by its signal, with its reason', async () => {
    const { server } = serveWork(async ({ signal }) => String(await aborted(signal)))
    const controller = new AbortController()
    const answer = server.handle(CALL, { signal: controller.signal })
    controller.abort('enough')
    expect(await answer).toMatchObject({ result: { content: [{ text: 'enough' }] } })
  })

  test('[CANC-04] whose caller no longer waits is told nothing more', async () => {
    const controller = new AbortController()
    const gate = createGate()
    const { server } = serveWork(async ({ progress, log }) => {
      await progress(1)
      await gate.opened
      await progress(2)
      await log('error', 'late')
      return { done: true }
    })
    const told: unknown[] = []
    const answer = server.handle(CALL, {
      signal: controller.signal,
      onNotification: (one) => {
        told.push(one)
        controller.abort()
        gate.open()
      },
    })
    expect(await answer).toEqual(valueAnswer({ done: true }))
    expect(told).toEqual([progressOf(1, 1)])
  })

  test('[CANC-06] finds the signal aborted that was before the call', async () => {
    const { server } = serveWork(({ signal }) => ({ reason: String(signal.reason) }))
    const answer = await server.handle(CALL, { signal: AbortSignal.abort('before') })
    expect(answer).toEqual(valueAnswer({ reason: 'before' }))
  })

  test('[CANC-06] a signal that is aborted after the answer touches nothing', async () => {
    const kept: CallContext[] = []
    const { server } = serveWork((context) => {
      kept.push(context)
      return { aborted: context.signal.aborted }
    })
    const controller = new AbortController()
    const { signal } = controller
    expect(await server.handle(CALL, { signal })).toEqual(valueAnswer({ aborted: false }))
    controller.abort()
    expect(kept[0]?.signal.aborted).toBe(false)
  })

  test('[CANC-10] is bounded by timeoutMs', async () => {
    const { server } = serveWork(() => new Promise(() => undefined), { timeoutMs: 10 })
    expect(await server.handle(CALL)).toMatchObject({
      result: { isError: true, content: [{ text: 'No answer within 10 ms' }] },
    })
  })
})
