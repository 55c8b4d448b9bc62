// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { Delivery } from '../../src/protocol/methods/subscription-delivery.ts'
import { listen, post } from '../support/app.ts'
import { createGate } from '../support/event-streams.ts'
import { ATLAS, openListener, serveChanges, toolsChanged } from '../support/listening.ts'
import { call } from '../support/messages.ts'
import { recordLog } from '../support/server.ts'

const TAG = '"_meta":{}'
const FILTER = { tools: true, prompts: true, resources: false, uris: ['a', 'b'] }

/** A way to a listener that the test lets catch up. */
function createSlow(mayRead: (uri: string) => Promise<boolean> = async () => true) {
  const sent: string[] = []
  let isBehind = true
  let gate = createGate()
  const sink = {
    send: (message: string) => {
      const { method, params } = JSON.parse(message)
      sent.push([method.replace('notifications/', ''), params.uri].filter(Boolean).join(' '))
      return !isBehind
    },
    drained: () => gate.opened,
  }
  const log = recordLog()
  const delivery = new Delivery({ sink, filter: FILTER, tag: TAG, mayRead, log: log.logger })
  const catchUp = async (isBehindAgain = false): Promise<void> => {
    const { open } = gate
    gate = createGate()
    isBehind = isBehindAgain
    open()
    await new Promise(setImmediate)
  }
  return { delivery, sent, catchUp, log }
}

describe('a listener that reads slowly', () => {
  test('has each change once, in the order they came first, when it has caught up', async () => {
    const { delivery, sent, catchUp } = createSlow()
    delivery.tell({ kind: 'tools' })
    for (let round = 0; round < 1_000; round += 1) {
      delivery.tell({ kind: 'resource', uri: 'b' })
      delivery.tell({ kind: 'tools' })
      delivery.tell({ kind: 'resources' })
      delivery.tell({ kind: 'prompts' })
      delivery.tell({ kind: 'resource', uri: 'c' })
      delivery.tell({ kind: 'resource', uri: 'a' })
    }
    expect(sent).toEqual(['tools/list_changed'])
    await catchUp()
    expect(sent.slice(1).sort()).toEqual([
      'prompts/list_changed',
      'resources/updated a',
      'resources/updated b',
      'tools/list_changed',
    ])
    delivery.tell({ kind: 'tools' })
    expect(sent).toHaveLength(6)
  })

  test('falls behind again, and nothing is lost or doubled', async () => {
    const { delivery, sent, catchUp } = createSlow()
    delivery.tell({ kind: 'tools' })
    delivery.tell({ kind: 'prompts' })
    delivery.tell({ kind: 'tools' })
    await catchUp(true)
    expect(sent).toEqual(['tools/list_changed', 'prompts/list_changed'])
    await catchUp()
    expect(sent).toEqual(['tools/list_changed', 'prompts/list_changed', 'tools/list_changed'])
  })

  test('[SUB-15] is judged when it is told, not when the change came', async () => {
    const hidden = new Set<string>()
    const { delivery, sent, catchUp } = createSlow(async (uri) => !hidden.has(uri))
    delivery.tell({ kind: 'tools' })
    delivery.tell({ kind: 'resource', uri: 'a' })
    delivery.tell({ kind: 'resource', uri: 'b' })
    hidden.add('a')
    await catchUp()
    expect(sent).toEqual(['tools/list_changed', 'resources/updated b'])
  })

  test('that falls behind while the host decides is told once it has caught up', async () => {
    const decided = createGate<boolean>()
    const { delivery, sent, catchUp } = createSlow(() => decided.opened)
    delivery.tell({ kind: 'resource', uri: 'a' })
    delivery.tell({ kind: 'tools' })
    decided.open(true)
    await new Promise(setImmediate)
    expect(sent).toEqual(['tools/list_changed'])
    await catchUp()
    expect(sent).toEqual(['tools/list_changed', 'resources/updated a'])
  })

  test('[SUB-11] and goes is told nothing of what waited', async () => {
    const { delivery, sent, catchUp } = createSlow()
    delivery.tell({ kind: 'tools' })
    delivery.tell({ kind: 'prompts' })
    delivery.close()
    await catchUp()
    delivery.tell({ kind: 'tools' })
    expect(sent).toEqual(['tools/list_changed'])
  })

  test('over a connection holds little, beside others that are served', async () => {
    const { app } = await serveChanges(ATLAS)
    const port = await listen(app)
    const slow = await openListener(port, { toolsListChanged: true, promptsListChanged: true })
    // Nobody reads. Far more than a connection holds, in turns so that what can be written is.
    const changes = 100_000
    for (let round = 1; round <= changes; round += 1) {
      app.mcp.notify.toolsChanged()
      if (round % 1_000 === 0) await new Promise(setImmediate)
    }
    app.mcp.notify.promptsChanged()
    const answer = await post(app, call('echo', { text: 'x' }))
    expect(answer.statusCode).toBe(200)
    let count = 0
    for (;;) {
      const message = await slow.next()
      if (message?.method === 'notifications/prompts/list_changed') break
      expect(message).toEqual(toolsChanged())
      count += 1
    }
    expect(count).toBeGreaterThan(0)
    // What no connection could hold was told once.
    expect(count).toBeLessThan(changes)
  })
})
