// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import type { Finish } from './observe.ts'
import { isThenable } from './plain.ts'
import type { Call, Reply } from './revision.ts'

/**
 * Runs a callback of the host and answers in its place when its time is over: its signal is aborted,
 * and what it answers later is dropped.
 *
 * @param limitMs  milliseconds from the start
 * @param run  never rejects
 * @param finish  given the reply that is answered, once; never throws
 * @see MCP 2026-07-28, Cancellation, Timeouts: CANC-10
 */
export function within(
  { context }: Call,
  limitMs: number,
  run: () => Awaitable<Reply>,
  onTimeout: () => Reply,
  finish: Finish,
): Awaitable<Reply> {
  const startedAt = performance.now()
  const reply = run()
  if (!isThenable(reply)) return finish(reply)
  return new Promise((resolve) => {
    let isOver = false
    const answer = (settled: Reply): void => {
      isOver = true
      resolve(finish(settled))
    }
    const left = Math.max(1, limitMs - (performance.now() - startedAt))
    const timer = setTimeout(() => {
      context.stop(new DOMException(`No answer within ${limitMs} ms`, 'TimeoutError'))
      answer(onTimeout())
    }, left)
    void reply.then((settled) => {
      clearTimeout(timer)
      if (!isOver) answer(settled)
    })
  })
}
