// SPDX-License-Identifier: Apache-2.0
import { createNotifier } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { SERVER_META } from '../support/answers.ts'
import { createGate } from '../support/event-streams.ts'
import {
  ALL_LISTS,
  ATLAS,
  acknowledged,
  ended,
  listenFor,
  promptsChanged,
  serveChanges,
  toolsChanged,
} from '../support/listening.ts'
import { createTestServer, RESULT_META } from '../support/server.ts'

/** A server, and what one caller is told. */
function serveTold() {
  const notifier = createNotifier()
  const { server, log } = createTestServer({ ...ATLAS, subscriptions: { notifier } })
  const told: unknown[] = []
  const first = createGate()
  const onNotification = (one: unknown): void => {
    told.push(one)
    first.open()
  }
  return { notifier, server, log, told, acknowledged: first.opened, onNotification }
}

describe('a listener in process', () => {
  test.each([
    ['text', 'sub'],
    ['the empty string', ''],
    ['an integer', 16],
    ['an integer that no JSON number carries', 9_007_199_254_740_993n],
  ])(
    '[SUB-03] [SUB-06] [META-06] [SUB-12] has all of its messages under an id that is %s',
    async (_name, id) => {
      const { notifier, server, log, told, onNotification, ...rest } = serveTold()
      const answer = server.handle(listenFor({ toolsListChanged: true }, id), { onNotification })
      await rest.acknowledged
      notifier.promptsChanged()
      notifier.toolsChanged()
      server.close()
      expect(await answer).toEqual(ended(id, RESULT_META))
      notifier.toolsChanged()
      expect(told).toEqual([acknowledged({ toolsListChanged: true }, id), toolsChanged(id)])
      expect(log.lines).toEqual([])
    },
  )

  test('[SUB-11] is dropped when its signal is aborted', async () => {
    const { notifier, server, told, onNotification, ...rest } = serveTold()
    const controller = new AbortController()
    const context = { onNotification, signal: controller.signal }
    const answer = server.handle(listenFor(ALL_LISTS), context)
    await rest.acknowledged
    controller.abort()
    notifier.toolsChanged()
    await answer
    expect(told).toEqual([acknowledged(ALL_LISTS)])
  })

  test('whose signal was aborted before is told nothing', async () => {
    const { server, told, onNotification } = serveTold()
    await server.handle(listenFor(ALL_LISTS), { onNotification, signal: AbortSignal.abort() })
    expect(told).toEqual([])
  })

  test('is refused without onNotification, and after the end', async () => {
    const { server, onNotification } = serveTold()
    const refusal = (code: number, message: string) => ({
      jsonrpc: '2.0',
      id: 1,
      error: { code, message },
    })
    expect(await server.handle(listenFor(ALL_LISTS))).toEqual(
      refusal(-32600, 'subscriptions/listen needs onNotification'),
    )
    server.close()
    server.close()
    expect(await server.handle(listenFor(ALL_LISTS), { onNotification })).toEqual(
      refusal(-32603, 'The server is shutting down'),
    )
  })

  test('whose callback throws or rejects is told on', async () => {
    const { notifier, server, log, ...rest } = serveTold()
    let count = 0
    const answer = server.handle(listenFor(ALL_LISTS), {
      onNotification: (one) => {
        rest.onNotification(one)
        count += 1
        if (count === 1) throw new Error('busy')
        return Promise.reject(new Error('busy')) as never
      },
    })
    await rest.acknowledged
    notifier.toolsChanged()
    notifier.promptsChanged()
    server.close()
    await answer
    expect(rest.told).toEqual([acknowledged(ALL_LISTS), toolsChanged(), promptsChanged()])
    expect(log.lines.map(({ message }) => message)).toEqual(Array(3).fill('onNotification failed'))
  })

  test('of an application is told by its decorator, and ended with it', async () => {
    const { app } = await serveChanges()
    await app.ready()
    const told: unknown[] = []
    const first = createGate()
    const answer = app.mcp.handle(listenFor(ALL_LISTS), {
      onNotification: (one) => {
        told.push(one)
        first.open()
      },
    })
    await first.opened
    app.mcp.at('/mcp').notify.toolsChanged()
    await app.close()
    expect(await answer).toEqual(ended(1, SERVER_META))
    expect(told).toEqual([acknowledged(ALL_LISTS), toolsChanged()])
  })
})
