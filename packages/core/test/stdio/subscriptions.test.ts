// SPDX-License-Identifier: Apache-2.0
import { createNotifier } from '@beam-mcp/core/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../support/app.ts'
import { cancel, hold, holdCalls } from '../support/held-calls.ts'
import {
  ALL_LISTS,
  acknowledged,
  ended,
  listenFor,
  openListener,
  promptsChanged,
  serveChanges,
  toolsChanged,
  updated,
} from '../support/listening.ts'
import { call, request } from '../support/messages.ts'
import { COMPLETE, RESULT_META } from '../support/server.ts'
import { buildProgram, type Child, startProgram } from '../support/stdio-child.ts'
import { startRun, toolAnswer } from '../support/stdio-run.ts'

const CITY = 'atlas://city/a'
const WANTED = { toolsListChanged: true, resourceSubscriptions: [CITY] }
const KEY = 'io.modelcontextprotocol/subscriptionId'
const SERVER = { 'io.modelcontextprotocol/serverInfo': { name: 'changing', version: '1.0.0' } }

/** What follows the end of a subscription on stdio. */
const farewell = (id: unknown = 1) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId: id, reason: 'the server ended the subscription', _meta: { [KEY]: id } },
})

/** A run in memory and its notifier. */
function startChanging(options: Parameters<typeof startRun>[1] = {}) {
  const notifier = createNotifier()
  const calls = holdCalls()
  const run = startRun({ tools: [calls.tool] }, { subscriptions: { notifier }, ...options })
  return { ...run, notifier, calls }
}

describe('a subscription on stdio', () => {
  test('[SUB-03] [SUB-06] [SUB-09] is lines of one subscription among those of others', async () => {
    const run = startChanging()
    run.send(listenFor(ALL_LISTS, 1), listenFor({ promptsListChanged: true }, '1'))
    run.send(listenFor({}, ''))
    expect(await run.take(3)).toEqual([
      acknowledged(ALL_LISTS, 1),
      acknowledged({ promptsListChanged: true }, '1'),
      acknowledged({}, ''),
    ])
    run.notifier.toolsChanged()
    expect(await run.next()).toEqual(toolsChanged(1))
    run.notifier.promptsChanged()
    expect(await run.take(2)).toEqual([promptsChanged(1), promptsChanged('1')])
    run.send(request('server/discover', {}, 2))
    expect(await run.next()).toMatchObject({
      id: 2,
      result: { capabilities: { tools: { listChanged: true } } },
    })
  })

  test('[SUB-06] [SUB-13] keeps an id that no JSON number carries', async () => {
    const { input, send, until, text } = startChanging()
    const id = '9007199254740993'
    send(`${JSON.stringify(listenFor({}, 77)).replace(':77,', `:${id},`)}\n`)
    await until((said) => said.includes('\n'))
    input.end()
    await until((said) => said.split('\n').length === 4)
    const tag = `"_meta":{"${KEY}":${id}`
    expect(text().split('\n')).toEqual([
      `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},${tag}}}}`,
      `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete",${tag},${JSON.stringify(RESULT_META).slice(1)}}}`,
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"the server ended the subscription",${tag}}}}`,
      '',
    ])
  })

  test('[SUB-11] [CANC-02] is ended by a cancellation, without a word', async () => {
    const run = startChanging()
    run.send(listenFor(ALL_LISTS, 1), listenFor(ALL_LISTS, '1'))
    await run.take(2)
    run.send(cancel('1'))
    run.send(request('server/discover', {}, 2))
    expect(await run.next()).toMatchObject({ id: 2 })
    run.notifier.toolsChanged()
    expect(await run.next()).toEqual(toolsChanged(1))
    // Its id is free again.
    run.send(listenFor({}, '1'))
    expect(await run.next()).toEqual(acknowledged({}, '1'))
    run.input.end()
    expect(await run.take(4)).toEqual([
      ended(1, RESULT_META),
      farewell(1),
      ended('1', RESULT_META),
      farewell('1'),
    ])
    await run.ended
  })

  test.each([1, 2])('takes no place of the %i that requests have', async (maxConcurrency) => {
    const run = startChanging({ maxConcurrency })
    const ids = ['a', 'b', 'c']
    run.send(...ids.map((id) => listenFor(ALL_LISTS, id)))
    expect(await run.take(3)).toEqual(ids.map((id) => acknowledged(ALL_LISTS, id)))
    run.send(hold('first', 1), listenFor({}, 'd'))
    // Not even where all places are taken.
    expect(await run.next()).toEqual(acknowledged({}, 'd'))
    await run.calls.begun('first')
    run.calls.finish('first')
    expect(await run.next()).toEqual(toolAnswer(1, 'first'))
  })

  test('[SUB-15] is refused over the cap, and without the option unknown', async () => {
    const run = startChanging({ subscriptions: { maxListeners: 1 } })
    run.send(listenFor({}, 1), listenFor({}, 2))
    expect(await run.take(2)).toEqual([
      acknowledged({}, 1),
      {
        jsonrpc: '2.0',
        id: 2,
        error: { code: -32603, message: 'Too many listeners: the server holds at most 1' },
      },
    ])
    const without = startRun({}, {})
    without.send(listenFor({}, 1))
    expect(await without.next()).toMatchObject({ id: 1, error: { code: -32601 } })
  })

  test('is unknown to clients of the older revision', async () => {
    const run = startChanging()
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    }
    run.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(await run.next()).toMatchObject({
      result: { capabilities: { tools: { listChanged: false } } },
    })
    run.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    run.notifier.toolsChanged()
    run.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
    expect(await run.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
  })

  test('hears by one notifier what listeners over HTTP hear', async () => {
    const notifier = createNotifier()
    const run = startChanging({ subscriptions: { notifier } })
    const { app } = await serveChanges({ subscriptions: { notifier } })
    const stream = await openListener(await listen(app), ALL_LISTS)
    run.send(listenFor(ALL_LISTS, 's'))
    expect(await run.next()).toEqual(acknowledged(ALL_LISTS, 's'))
    notifier.promptsChanged()
    expect(await run.next()).toEqual(promptsChanged('s'))
    expect(await stream.next()).toEqual(promptsChanged())
    // The end of one is none of the other's.
    run.input.end()
    await run.ended
    notifier.toolsChanged()
    expect(await stream.next()).toEqual(toolsChanged())
  })

  test('of a client that does not read holds each change once, beside its answers', async () => {
    const run = startChanging({ isRead: false })
    run.send(listenFor(ALL_LISTS, 1))
    await expect.poll(() => run.output.readableLength).toBeGreaterThan(0)
    const { size } = { size: run.output.readableHighWaterMark + run.output.writableHighWaterMark }
    for (let round = 0; round < 10_000; round += 1) run.notifier.toolsChanged()
    expect(run.output.readableLength + run.output.writableLength).toBeLessThan(2 * size)
    run.notifier.promptsChanged()
    run.output.setEncoding('utf8')
    let text = ''
    run.output.on('data', (part) => {
      text += part
    })
    await expect.poll(() => text).toContain('prompts/list_changed')
  })
})

describe('the end of a run', () => {
  test.each(['input', 'exit', 'shutdown'])(
    '[SUB-12] [SUB-13] by %s ends subscriptions with a result and a cancellation, beside calls that go on',
    async (how) => {
      const run = startChanging()
      run.send(listenFor(ALL_LISTS, 1), hold('call', 2))
      await run.calls.begun('call')
      expect(await run.next()).toEqual(acknowledged(ALL_LISTS, 1))
      if (how === 'input') run.input.end()
      else if (how === 'exit') run.send({ jsonrpc: '2.0', method: 'exit' })
      else {
        run.send(request('shutdown', {}, 3))
      }
      const lines = await run.take(how === 'shutdown' ? 3 : 2)
      expect(lines).toEqual(expect.arrayContaining([ended(1, RESULT_META), farewell(1)]))
      const at = (line: unknown) =>
        lines.findIndex((one) => JSON.stringify(one) === JSON.stringify(line))
      expect(at(farewell(1))).toBe(at(lines.find(({ id }) => id === 1)) + 1)
      if (how === 'shutdown')
        expect(lines).toContainEqual({ jsonrpc: '2.0', id: 3, result: COMPLETE })
      run.notifier.toolsChanged()
      run.calls.finish('call')
      expect(await run.next()).toEqual(toolAnswer(2, 'call'))
      await run.ended
    },
  )

  test('[SUB-12] [SUB-13] [CANC-07] by a signal ends them too, and nothing else is written', async () => {
    const controller = new AbortController()
    const run = startChanging({ signal: controller.signal })
    run.send(listenFor(ALL_LISTS, 1), hold('call', 2))
    await run.calls.begun('call')
    expect(await run.next()).toEqual(acknowledged(ALL_LISTS, 1))
    controller.abort()
    expect(await run.take(2)).toEqual([ended(1, RESULT_META), farewell(1)])
    await run.ended
    expect(run.calls.contexts.get('call')?.signal.aborted).toBe(true)
    run.calls.finish('call')
    run.output.end()
    await expect(run.next()).rejects.toThrow('ended')
    expect(run.log.lines).toEqual([
      {
        level: 'warn',
        bindings: { requests: 1 },
        message: 'The run ends: its signal was aborted',
      },
    ])
  })

  test('by a signal does not wait longer than the drain timeout for a client that does not read', async () => {
    const controller = new AbortController()
    const run = startChanging({ signal: controller.signal, isRead: false, drainTimeoutMs: 50 })
    run.send(listenFor(ALL_LISTS, 1))
    await expect.poll(() => run.output.readableLength).toBeGreaterThan(0)
    while (!run.output.writableNeedDrain) run.output.write(' '.repeat(10_000))
    controller.abort()
    await run.ended
  })
})

describe('a process', () => {
  let program = ''
  beforeAll(async () => {
    program = await buildProgram('changing')
  })

  async function startListening(options: object = {}): Promise<Child> {
    const child = startProgram(program, { options })
    child.send(listenFor(WANTED, 'sub'))
    expect(await child.next()).toEqual(acknowledged(WANTED, 'sub'))
    return child
  }
  const ends = [ended('sub', SERVER), farewell('sub')]

  test.each([1, 64])('tells of changes as lines, with %i at a time', async (maxConcurrency) => {
    const child = await startListening({ maxConcurrency })
    child.send(call('change', undefined, 1))
    const lines = await child.take(3)
    expect(lines).toEqual(
      expect.arrayContaining([
        toolsChanged('sub'),
        updated(CITY, 'sub'),
        expect.objectContaining({ id: 1 }),
      ]),
    )
  })

  test('[SUB-12] [SUB-13] whose input ends is not held by a listener', async () => {
    const child = await startListening({ drainTimeoutMs: 600_000 })
    child.end()
    expect(await child.take(2)).toEqual(ends)
    expect(await child.exit).toEqual({ code: 0, signal: null })
  })

  test('[SUB-12] [SUB-13] that shuts down says so, and ends', async () => {
    const child = await startListening({ drainTimeoutMs: 600_000 })
    child.send(request('shutdown', {}, 2))
    const lines = await child.take(3)
    expect(lines).toEqual(expect.arrayContaining([...ends, expect.objectContaining({ id: 2 })]))
    expect(await child.exit).toEqual({ code: 0, signal: null })
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '[IO-09] [SUB-12] [SUB-13] that gets %s ends its subscriptions, and drops its calls',
    async (signal) => {
      const child = await startListening({ drainTimeoutMs: 600_000 })
      child.send(call('hold', undefined, 1), call('change', undefined, 2))
      await child.take(3)
      child.process.kill(signal)
      expect(await child.take(2)).toEqual(ends)
      expect(await child.exit).toEqual({ code: 0, signal: null })
      expect(child.stdout().trimEnd().split('\n')).toHaveLength(6)
    },
  )

  test('whose client is gone ends', async () => {
    const child = await startListening({ drainTimeoutMs: 600_000 })
    child.process.stdout?.destroy()
    child.send(call('change', undefined, 1))
    expect(await child.exit).toMatchObject({ signal: null })
  })
})
