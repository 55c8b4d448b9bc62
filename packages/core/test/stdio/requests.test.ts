// SPDX-License-Identifier: Apache-2.0
import { setImmediate as turn } from 'node:timers/promises'
import type { CallContext } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import type { Message } from '../support/collect.ts'
import { cancel, hold, holdCalls } from '../support/held-calls.ts'
import { call, request } from '../support/messages.ts'
import { SERVER_INFO } from '../support/server.ts'
import { startRun, toolAnswer } from '../support/stdio-run.ts'

const idsOf = (answers: readonly Message[]): unknown[] => answers.map(({ id }) => id)

describe('requests', () => {
  test('[IO-06] run side by side and are answered as they finish', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    run.send(hold('slow', 1), hold('fast', 2))
    await calls.begun('fast')
    calls.finish('fast')
    expect(await run.next()).toEqual(toolAnswer(2, 'fast'))
    calls.finish('slow')
    expect(await run.next()).toEqual(toolAnswer(1, 'slow'))
  })

  test('wait for a place in the order they came', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 2 })
    run.send(hold('a', 1), hold('b', 2), hold('c', 3), hold('d', 4))
    await calls.begun('b')
    await turn()
    expect(calls.names).toEqual(['a', 'b'])
    calls.finish('b')
    await calls.begun('c')
    expect(calls.names).toEqual(['a', 'b', 'c'])
    calls.finish('c')
    calls.finish('d')
    expect(idsOf(await run.take(3))).toEqual([2, 3, 4])
    calls.finish('a')
    expect(idsOf(await run.take(1))).toEqual([1])
  })

  test('are answered in strict order with one place, whatever they are', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1 })
    run.send(hold('a', 1), request('server/discover', {}, 2), 'no json\n')
    run.send({ jsonrpc: '2.0', id: 3, method: 'ping' }, { jsonrpc: '2.0', id: 4 }, hold('b', 5))
    await calls.begun('a')
    await turn()
    expect(run.text()).toBe('')
    calls.finish('b')
    calls.finish('a')
    expect(idsOf(await run.take(6))).toEqual([1, 2, undefined, 3, 4, 5])
  })

  test('[IO-10] of a probe and a ping do not wait behind slow ones', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 2 })
    run.send(hold('a', 1), hold('b', 2), hold('c', 3))
    run.send(
      { jsonrpc: '2.0', id: 4, method: 'server/discover' },
      { jsonrpc: '2.0', id: 5, method: 'ping' },
    )
    const [discovery, ping] = await run.take(2)
    expect(discovery).toMatchObject({
      id: 4,
      result: { supportedVersions: ['2026-07-28', '2025-11-25'] },
    })
    expect(ping).toEqual({ jsonrpc: '2.0', id: 5, result: {} })
    expect(calls.names).toEqual(['a', 'b'])
  })

  test('[IO-05, IO-13] are told how they came, and who the host says that calls', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { principal: 'ada' })
    run.send(hold('a', 'one'))
    await calls.begun('a')
    const { transport, requestId, principal, protocolVersion } = calls.contexts.get('a') ?? {}
    expect({ transport, requestId, principal, protocolVersion }).toEqual({
      transport: 'stdio',
      requestId: 'one',
      principal: 'ada',
      protocolVersion: '2026-07-28',
    })
  })

  test('are no longer read once a thousand wait, and none is lost', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1 })
    // A thousand of these wait in less than four mebibytes; one mebibyte is read ahead of them.
    const long = 'x'.repeat(2_000)
    const count = 2_000
    run.send(hold('a', 1))
    for (let id = 2; id <= count; id += 1) run.send(call('hold', { name: 'b', long }, id))
    await calls.begun('a')
    while (run.input.readableFlowing !== false) await turn()
    const unread = run.input.readableLength + run.input.writableLength
    expect(unread).toBeGreaterThan((count - 1_024) * 2_000 - 1_048_576 - 65_536)
    calls.finish('b')
    calls.finish('a')
    const ids = idsOf(await run.take(count))
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  })

  test('are no longer read once four mebibytes wait', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1 })
    run.send(hold('a', 0))
    const long = 'x'.repeat(900_000)
    for (let id = 1; id <= 10; id += 1) run.send(call('hold', { name: 'b', long }, id))
    await calls.begun('a')
    while (run.input.readableFlowing !== false) await turn()
    expect(run.input.readableLength + run.input.writableLength).toBeGreaterThan(4 * 900_000)
    calls.finish('b')
    calls.finish('a')
    expect(idsOf(await run.take(11))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })
})

describe('an id that is in flight', () => {
  test('[ENV-10] is refused for another request, without that id, and logged', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1 })
    run.send(hold('a', 7))
    await calls.begun('a')
    run.send(hold('running', 7), hold('b', 8), hold('waiting', 8))
    while (run.log.lines.length < 2) await turn()
    expect(run.log.lines).toEqual(
      [7, 8].map((id) => ({
        level: 'warn',
        bindings: { requestId: String(id) },
        message: expect.stringContaining('id of another'),
      })),
    )
    calls.finish('a')
    calls.finish('b')
    const refusal = {
      jsonrpc: '2.0',
      error: { code: -32600, message: 'Invalid Request: the id of a request in flight' },
    }
    expect(await run.take(4)).toEqual([toolAnswer(7, 'a'), refusal, toolAnswer(8, 'b'), refusal])
    expect(calls.names).toEqual(['a', 'b'])
  })

  test('[ENV-03, ENV-10] is another one with another type', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    run.send(hold('number', 7), hold('text', '7'))
    await calls.begun('text')
    run.send(cancel('7'))
    calls.finish('number')
    expect(await run.next()).toEqual(toolAnswer(7, 'number'))
    expect(calls.contexts.get('text')?.signal.aborted).toBe(true)
  })

  test('keeps every digit', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    const line = (name: string, id: string): string =>
      `${JSON.stringify(hold(name, 'ID')).replace('"ID"', id)}\n`
    run.send(line('a', '9007199254740993'), line('b', '9007199254740992'))
    await calls.begun('b')
    const end = JSON.stringify(cancel('ID')).replace('"ID"', '9007199254740993')
    run.send(`${end}\n`)
    calls.finish('b')
    await run.until((text) => text.includes('"id":9007199254740992,'))
    expect(calls.contexts.get('a')?.signal.aborted).toBe(true)
    expect(run.text()).not.toContain('9007199254740993')
  })

  test('is free again after the answer and after a cancellation', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    calls.finish('a')
    run.send(hold('a', 1))
    expect(await run.next()).toEqual(toolAnswer(1, 'a'))
    run.send(hold('b', 1), cancel(1), hold('c', 1))
    await calls.begun('c')
    calls.finish('b')
    calls.finish('c')
    expect(await run.next()).toEqual(toolAnswer(1, 'c'))
  })
})

describe('a cancellation', () => {
  test('[CANC-02, CANC-03, CANC-04, IO-07, L-CANC-01] aborts its request, which is not answered', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1 })
    run.send(hold('a', 1))
    await calls.begun('a')
    const { signal } = calls.contexts.get('a') as CallContext
    expect(signal.aborted).toBe(false)
    run.send(cancel(1, { reason: 'no longer wanted' }), hold('b', 2))
    // Its place is free at once, though its handler goes on.
    await calls.begun('b')
    expect(signal.aborted).toBe(true)
    expect(signal.reason).toMatchObject({ name: 'AbortError' })
    calls.finish('a')
    calls.finish('b')
    expect(await run.next()).toEqual(toolAnswer(2, 'b'))
    run.input.end()
    await run.ended
    expect(run.text()).not.toContain('"id":1')
  })

  test('[CANC-03] takes out a request that waits', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1 })
    run.send(hold('a', 1), hold('b', 2), hold('c', 3), cancel(2))
    calls.finish('a')
    calls.finish('c')
    expect(idsOf(await run.take(2))).toEqual([1, 3])
    expect(calls.names).toEqual(['a', 'c'])
  })

  test('[CANC-09] logs its reason for debugging, cut short', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    run.send(hold('a', 1), cancel(1, { reason: 'x'.repeat(1_000) }))
    run.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
    await run.next()
    expect(run.log.lines).toEqual([
      {
        level: 'debug',
        bindings: { requestId: '1', reason: 'x'.repeat(256) },
        message: 'A request was cancelled',
      },
    ])
  })

  test.each([
    ['of an id that is not in flight', { requestId: 99 }],
    ['of the id with another type', { requestId: '1' }],
    ['of the number written otherwise', '{"requestId":1.0}'],
    ['without an id', {}],
    ['of null', { requestId: null }],
    ['of an object', { requestId: { id: 1 } }],
    ['without params', undefined],
    ['with a list of params', [1]],
  ])('[CANC-05] is ignored: %s', async (_, params) => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    const text = typeof params === 'string' ? params : JSON.stringify(params)
    const member = text === undefined ? '' : `,"params":${text}`
    run.send(hold('a', 1))
    run.send(`{"jsonrpc":"2.0","method":"notifications/cancelled"${member}}\n`)
    run.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
    expect(await run.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
    calls.finish('a')
    expect(await run.next()).toEqual(toolAnswer(1, 'a'))
    expect(run.log.lines.map(({ level }) => level)).toEqual(['debug'])
  })

  test('[CANC-06] may come when the answer is given, and when it is being given', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    for (let id = 1; id <= 200; id += 1) {
      run.send(hold(`n${id}`, id))
      await calls.begun(`n${id}`)
      if (id % 2 === 0) run.send(cancel(id))
      calls.finish(`n${id}`)
      if (id % 2 === 1) run.send(cancel(id))
    }
    run.input.end()
    await run.ended
    const lines = run.text().split('\n').slice(0, -1)
    const ids = lines.map((line) => JSON.parse(line).id)
    // Each is answered once at most, with its own answer; those that were cancelled late are.
    expect(new Set(ids).size).toBe(ids.length)
    for (const line of lines) {
      const { id } = JSON.parse(line)
      expect(JSON.parse(line)).toEqual(toolAnswer(id, `n${id}`))
    }
  })

  test('does not end the handshake', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1 })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: SERVER_INFO }
    run.send(hold('a', 1), { jsonrpc: '2.0', id: 2, method: 'initialize', params }, cancel(2))
    calls.finish('a')
    expect(idsOf(await run.take(2))).toEqual([1, 2])
  })

  test('is no request: with an id it is an unknown method', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    run.send(hold('a', 1), { ...cancel(1), id: 2 })
    expect(await run.next()).toMatchObject({ id: 2, error: { code: -32601 } })
    expect(calls.contexts.get('a')?.signal.aborted).toBe(false)
  })

  test('[CANC-08] leaves a handler that does not heed it to itself', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 2 })
    for (let id = 1; id <= 10; id += 1) run.send(hold(`n${id}`, id), cancel(id))
    calls.finish('last')
    run.send(hold('last', 11))
    expect(await run.next()).toEqual(toolAnswer(11, 'last'))
    expect(calls.names).toHaveLength(11)
  })
})

describe('other messages', () => {
  test.each([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 'x', error: { code: 1, message: 'no' } },
    { jsonrpc: '2.0', error: { code: 1, message: 'no' } },
  ])('[L-IO-03] drop a response and log it: %j', async (response) => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    run.send(response, { jsonrpc: '2.0', id: 9, method: 'ping' })
    expect(await run.next()).toEqual({ jsonrpc: '2.0', id: 9, result: {} })
    expect(run.log.lines).toEqual([
      { level: 'debug', bindings: {}, message: expect.stringContaining('response') },
    ])
  })

  test.each([
    'notifications/initialized',
    'notifications/progress',
    'notifications/unknown',
    'tools/call',
    'shutdown',
  ])('[ENV-08] answer no notification: %s', async (method) => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    run.send({ jsonrpc: '2.0', method, params: { name: 'hold', arguments: { name: 'a' } } })
    run.send({ jsonrpc: '2.0', id: 9, method: 'ping' })
    expect(await run.next()).toEqual({ jsonrpc: '2.0', id: 9, result: {} })
    expect(calls.names).toEqual([])
  })
})
