// SPDX-License-Identifier: Apache-2.0
import { afterEach, describe, expect, test, vi } from 'vitest'
import { callAt } from '../../src/protocol/call-at.ts'
import { listen, post } from '../support/app.ts'
import { readEvents, sendCall } from '../support/event-streams.ts'
import {
  ALL_LISTS,
  acknowledged,
  ended,
  listenFor,
  openListener,
  serveChanges,
  toolsChanged,
} from '../support/listening.ts'
import { request } from '../support/messages.ts'

const DAY = 86_400_000

function serveUntil(expiresAt: unknown) {
  return serveChanges({ authorize: () => ({ ok: true, expiresAt }) as never })
}

describe('an admission', () => {
  test.each([
    ['a Date', () => new Date(Date.now() + 200)],
    ['milliseconds', () => Date.now() + 200],
    ['a fraction of them', () => Date.now() + 200.5],
  ])('[SUB-15] that ends at %s ends its subscriptions then', async (_name, at) => {
    let until: unknown
    const { app, complaints } = await serveChanges({
      authorize: () => {
        until = at()
        return { ok: true, expiresAt: until } as never
      },
    })
    const stream = await openListener(await listen(app), ALL_LISTS)
    expect(await stream.next()).toEqual(ended())
    expect(Date.now()).toBeGreaterThanOrEqual(Number(until) - 1)
    expect(await stream.next()).toBeUndefined()
    expect(complaints()).toEqual([])
  })

  test.each([
    ['the past', Date.now() - DAY],
    ['the beginning of time', 0],
    ['long before', -8.64e15],
  ])('[SUB-15] of %s is acknowledged and over', async (_name, until) => {
    const { app } = await serveUntil(until)
    const stream = await sendCall(await listen(app), listenFor(ALL_LISTS)).answer
    expect(readEvents(await stream.rest()).messages).toEqual([acknowledged(ALL_LISTS), ended()])
  })

  test.each([
    ['the end of all dates', 8.64e15],
    ['longer than the longest timer', Date.now() + 60 * DAY],
    ['beyond all dates', Number.MAX_VALUE],
  ])('[SUB-15] of %s lasts', async (_name, until) => {
    const { app } = await serveUntil(until)
    const stream = await openListener(await listen(app), ALL_LISTS)
    await new Promise((resolve) => setTimeout(resolve, 5))
    app.mcp.notify.toolsChanged()
    expect(await stream.next()).toEqual(toolsChanged())
  })

  test.each([
    ['null', null],
    ['text', '2030-01-01'],
    ['no date', new Date(Number.NaN)],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a bigint', 1n],
    ['an object', {}],
  ])('[SUB-15] whose end is %s refuses every request', async (_name, until) => {
    const { app, complaints } = await serveUntil(until)
    for (const message of [listenFor(ALL_LISTS), request('tools/list')]) {
      const answer = await post(app, message)
      expect(answer.statusCode).toBe(403)
    }
    expect(complaints()).toEqual(['authorize broke its contract', 'authorize broke its contract'])
  })

  test.each([
    ['authorize', 0, 60 * DAY],
    ['authorizeBody', 60 * DAY, 0],
    ['authorizeBody alone', undefined, 0],
  ])('[SUB-15] that is bounded twice ends with the earlier: %s', async (_name, first, second) => {
    const until = (left: number | undefined) =>
      ({ ok: true, ...(left !== undefined && { expiresAt: Date.now() + left }) }) as never
    const { app } = await serveChanges({
      authorize: () => until(first),
      authorizeBody: () => until(second),
    })
    const stream = await sendCall(await listen(app), listenFor(ALL_LISTS)).answer
    expect(readEvents(await stream.rest()).messages).toEqual([acknowledged(ALL_LISTS), ended()])
  })

  test('bounds subscriptions alone', async () => {
    const { app } = await serveUntil(0)
    expect((await post(app, request('tools/list'))).statusCode).toBe(200)
  })
})

describe('callAt', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('calls once, on time, however far away that is', () => {
    vi.useFakeTimers({ now: 0 })
    const called = vi.fn()
    callAt(100 * DAY, called)
    vi.advanceTimersByTime(100 * DAY - 1)
    expect(called).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(called).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(100 * DAY)
    expect(called).toHaveBeenCalledTimes(1)
  })

  test('never calls before it has returned, nor after it was let go', () => {
    vi.useFakeTimers({ now: 1_000 })
    const called = vi.fn()
    callAt(0, called)
    expect(called).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(called).toHaveBeenCalledTimes(1)
    const letGo = callAt(100 * DAY, called)
    vi.advanceTimersByTime(50 * DAY)
    letGo()
    vi.advanceTimersByTime(100 * DAY)
    expect(called).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
