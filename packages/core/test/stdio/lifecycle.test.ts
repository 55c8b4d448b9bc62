// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { createCatalog, createServer, defineTool } from '@beam-mcp/core/server'
import { runStdio } from '@beam-mcp/core/stdio'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Message } from '../support/collect.ts'
import { cancel, hold, holdCalls } from '../support/held-calls.ts'
import { call, META, request } from '../support/messages.ts'
import { COMPLETE, recordLog } from '../support/server.ts'
import { startRun, type TestRun, toolAnswer } from '../support/stdio-run.ts'

const EVENTS = ['data', 'end', 'error', 'close', 'drain', 'readable', 'finish']

/** What of this run is left on its streams: the test's own reader excepted. */
function listenersOf({ input, output }: TestRun): number {
  const count = (stream: NodeJS.EventEmitter): number =>
    EVENTS.reduce((sum, event) => sum + stream.listenerCount(event), 0)
  return count(input) + count(output)
}

/** Listeners of two streams that nobody uses but the reader of a test. */
function untouched(): number {
  const output = new PassThrough()
  output
    .on('data', () => undefined)
    .on('end', () => undefined)
    .on('close', () => undefined)
  return listenersOf({ input: new PassThrough(), output } as unknown as TestRun)
}

const bare = (method: string, id?: unknown): object => ({
  jsonrpc: '2.0',
  method,
  ...(id !== undefined && { id }),
})

const textOf = ({ text }: TestRun): Message[] =>
  text()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

afterEach(() => {
  vi.useRealTimers()
})

describe('the end of input', () => {
  test('[IO-08] lets accepted requests finish, and ends the run', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1 })
    run.send(hold('a', 1), hold('b', 2))
    run.input.end('{"jsonrpc":"2.0","id":3,"method":"ping"}')
    await calls.begun('a')
    calls.finish('a')
    await calls.begun('b')
    calls.finish('b')
    await run.ended
    expect(textOf(run).map(({ id }) => id)).toEqual([1, 2, 3])
  })

  test('[IO-08] aborts what the drain timeout finds, and nothing is written for it', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1, drainTimeoutMs: 20 })
    run.send(hold('a', 1), hold('b', 2))
    run.input.end()
    await run.ended
    expect(calls.contexts.get('a')?.signal.aborted).toBe(true)
    calls.finish('a')
    await turn()
    expect(run.text()).toBe('')
    expect(calls.names).toEqual(['a'])
    expect(run.log.lines).toEqual([
      {
        level: 'warn',
        bindings: { requests: 2 },
        message: 'The run ends: the drain timeout has passed',
      },
    ])
  })

  test('waits for the drain timeout and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    let isOver = false
    void run.ended.then(() => {
      isOver = true
    })
    run.send(hold('a', 1))
    run.input.end()
    await calls.begun('a')
    await turn()
    vi.advanceTimersByTime(4_999)
    await turn()
    expect(isOver).toBe(false)
    vi.advanceTimersByTime(1)
    await turn()
    expect(isOver).toBe(true)
  })

  test('with no time to drain, answers what is answered at once', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { drainTimeoutMs: 0 })
    run.send(hold('a', 1), bare('ping', 2))
    run.input.end()
    await run.ended
    expect(textOf(run)).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }])
  })

  test('is followed by the end of the run once the last answer is written', async () => {
    const held: (() => void)[] = []
    const output = new Writable({ write: (_chunk, _encoding, done) => void held.push(done) })
    const run = startRun({}, { output, isRead: false })
    let isOver = false
    void run.ended.then(() => {
      isOver = true
    })
    run.send(bare('ping', 1))
    run.input.end()
    while (held.length === 0) await turn()
    for (let turns = 0; turns < 20; turns += 1) await turn()
    expect(isOver).toBe(false)
    held[0]?.()
    await run.ended
  })

  test('does not wait longer than the drain timeout for an answer to be taken', async () => {
    const output = new Writable({ write: () => undefined })
    const run = startRun({}, { output, isRead: false, drainTimeoutMs: 20 })
    run.send(bare('ping', 1))
    run.input.end()
    await run.ended
    expect(output.writableLength).toBeGreaterThan(0)
  })

  test('is noticed behind more requests than may wait', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1, drainTimeoutMs: 20 })
    for (let id = 1; id <= 1_100; id += 1) run.send(hold('a', id))
    run.input.end()
    await run.ended
    expect(calls.names).toEqual(['a'])
    expect(run.log.lines).toMatchObject([
      { bindings: { requests: 1_025 }, message: 'The run ends: the drain timeout has passed' },
    ])
    expect(listenersOf(run)).toBe(untouched())
  })

  test('ends nothing as long as requests that were read ahead find room', async () => {
    const drainTimeoutMs = 200
    const nap = defineTool({
      name: 'nap',
      handler: async () => {
        await sleep(drainTimeoutMs / 8)
        return 'slept'
      },
    })
    const run = startRun({ tools: [nap] }, { maxConcurrency: 64, drainTimeoutMs })
    // Those that wait at the same time are answered within the drain timeout, all of them are not.
    const count = 3_000
    for (let id = 1; id <= count; id += 1) run.send(call('nap', {}, id))
    run.input.end()
    expect(await run.take(count - 1_088)).toHaveLength(count - 1_088)
  })

  test('may be there from the start', async () => {
    const input = new PassThrough()
    input.end()
    input.resume()
    await once(input, 'end')
    await startRun({}, { input }).ended
    const destroyed = new PassThrough()
    destroyed.destroy()
    await startRun({}, { input: destroyed }).ended
  })

  test('may come without a word, where the input is destroyed', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    run.send(hold('a', 1))
    await calls.begun('a')
    run.input.destroy()
    calls.finish('a')
    await run.ended
    expect(textOf(run)).toEqual([toolAnswer(1, 'a')])
  })

  test('leaves a line that nobody finished to be judged', async () => {
    const run = startRun({})
    run.send(bare('ping', 1))
    run.input.end('{"jsonrpc":"2.0","id":2,')
    await run.ended
    expect(textOf(run)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error: body is not valid JSON' } },
    ])
  })
})

describe('the client', () => {
  test('ends the run with exit, which is not answered', async () => {
    for (const id of [undefined, 1]) {
      const run = startRun({})
      run.send(
        [bare('ping', 'before'), bare('exit', id), bare('ping', 'after')]
          .map((message) => `${JSON.stringify(message)}\n`)
          .join(''),
      )
      await run.ended
      expect(textOf(run)).toEqual([{ jsonrpc: '2.0', id: 'before', result: {} }])
    }
  })

  test('ends the run with shutdown, which is answered', async () => {
    const run = startRun({})
    run.send(`${JSON.stringify(bare('shutdown', 1))}\n${JSON.stringify(bare('ping', 2))}\n`)
    await run.ended
    expect(textOf(run)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  test('gets a whole result of the newer revision', async () => {
    const run = startRun({})
    run.send(request('shutdown', {}, 'x'))
    await run.ended
    expect(textOf(run)).toEqual([{ jsonrpc: '2.0', id: 'x', result: COMPLETE }])
  })

  test.each([1, 64])('has its earlier requests answered, %i at a time', async (maxConcurrency) => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency })
    run.send(hold('a', 1), hold('b', 2), bare('shutdown', 3), hold('c', 4))
    await calls.begun('a')
    calls.finish('a')
    calls.finish('b')
    await run.ended
    expect(
      textOf(run)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([1, 2, 3])
    expect(calls.names).toEqual(['a', 'b'])
  })

  test.each([1, 64])('goes on after a shutdown that is refused, %i at a time', async (places) => {
    const run = startRun({}, { maxConcurrency: places })
    const wrong = { ...META, 'io.modelcontextprotocol/protocolVersion': '1999-01-01' }
    run.send(request('shutdown', { _meta: wrong }, 1), bare('ping', 2))
    expect(await run.next()).toMatchObject({ id: 1, error: { code: -32022 } })
    expect(await run.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
  })

  test('that shuts down has the drain timeout for the rest', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] }, { drainTimeoutMs: 20 })
    run.send(hold('a', 1), bare('shutdown', 2))
    await run.ended
    expect(textOf(run).map(({ id }) => id)).toEqual([2])
    expect(calls.contexts.get('a')?.signal.aborted).toBe(true)
  })
})

describe('a run is over at once', () => {
  test('[IO-09] when its signal is aborted', async () => {
    const calls = holdCalls()
    const end = new AbortController()
    const run = startRun({ tools: [calls.tool] }, { maxConcurrency: 1, signal: end.signal })
    run.send(hold('a', 1), hold('b', 2))
    await calls.begun('a')
    end.abort()
    await run.ended
    expect(calls.contexts.get('a')?.signal.aborted).toBe(true)
    calls.finish('a')
    await turn()
    expect(run.text()).toBe('')
    expect(calls.names).toEqual(['a'])
    expect(listenersOf(run)).toBe(untouched())
  })

  test('when its signal was aborted before', async () => {
    const run = startRun({}, { signal: AbortSignal.abort() })
    await run.ended
    expect(listenersOf(run)).toBe(untouched())
  })

  test('when its output fails', async () => {
    const calls = holdCalls()
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(new Error('EPIPE')),
    })
    const run = startRun({ tools: [calls.tool] }, { output, isRead: false })
    run.send(hold('a', 1))
    await calls.begun('a')
    run.send(bare('ping', 2))
    await run.ended
    expect(calls.contexts.get('a')?.signal.aborted).toBe(true)
  })

  test.each(['destroy', 'end'] as const)('when another one calls %s of its output', async (how) => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    run.send(hold('a', 1))
    await calls.begun('a')
    run.output[how]()
    run.send(bare('ping', 2))
    await run.ended
    expect(calls.contexts.get('a')?.signal.aborted).toBe(true)
  })

  test('when its output was over before', async () => {
    const output = new PassThrough()
    output.destroy()
    await startRun({}, { output, isRead: false }).ended
    const endedOutput = new PassThrough()
    endedOutput.end()
    await startRun({}, { output: endedOutput, isRead: false }).ended
  })

  test('when its input fails', async () => {
    const calls = holdCalls()
    const run = startRun({ tools: [calls.tool] })
    run.send(hold('a', 1))
    await calls.begun('a')
    run.input.destroy(new Error('ECONNRESET'))
    await run.ended
    expect(calls.contexts.get('a')?.signal.aborted).toBe(true)
  })

  test('when its input gives something that is no bytes', async () => {
    const input = new PassThrough({ objectMode: true })
    const run = startRun({}, { input })
    input.write({ jsonrpc: '2.0' })
    await run.ended
    expect(run.log.lines.map(({ message }) => message)).toEqual([
      'The run ends: the input gave something that is no bytes',
    ])
  })
})

describe('after a run', () => {
  test('both streams are whole, paused and free of listeners', async () => {
    const run = startRun({})
    run.send(bare('ping', 1), bare('exit'))
    await run.ended
    expect(listenersOf(run)).toBe(untouched())
    expect(run.input.isPaused()).toBe(true)
    expect([run.input.destroyed, run.output.destroyed, run.output.writableEnded]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('nobody is left at its signal', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const run = startRun({}, { signal })
    run.send(bare('exit'))
    await run.ended
    expect(added).toHaveBeenCalledTimes(1)
    expect(removed.mock.calls[0]?.slice(0, 2)).toEqual(added.mock.calls[0]?.slice(0, 2))
  })

  test('a late failure of its output ends nothing', async () => {
    let fail: (error: Error) => void = () => undefined
    const output = new Writable({
      write: (_chunk, _encoding, done) => {
        fail = done
      },
    })
    const end = new AbortController()
    const run = startRun({}, { output, isRead: false, signal: end.signal })
    run.send(bare('ping', 1))
    while (output.writableLength === 0) await turn()
    end.abort()
    await run.ended
    const isClosed = new Promise<void>((resolve) => output.once('close', resolve))
    fail(new Error('EPIPE'))
    await isClosed
    await turn()
    expect(EVENTS.map((event) => output.listenerCount(event))).toEqual(EVENTS.map(() => 0))
  })

  test('another one may follow on the same streams', async () => {
    const first = startRun({})
    first.send(bare('exit'))
    await first.ended
    const second = startRun({}, { input: first.input, output: first.output, isRead: false })
    first.send(bare('ping', 2))
    expect(await first.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
    first.send(cancel(2), bare('exit'))
    await second.ended
  })
})

describe('a catalog that is refused', () => {
  test('rejects before anything is read', async () => {
    const input = new PassThrough()
    input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    const output = new PassThrough()
    const catalog = { capabilities: () => Promise.reject(new Error('no database')) }
    const { logger } = recordLog()
    const options = { catalog: catalog as never, dispatch: () => '', logger, input, output }
    const wanted = await createServer({ catalog: catalog as never, dispatch: () => '', logger })
      .ready()
      .catch((thrown: unknown) => thrown)
    await expect(runStdio(options)).rejects.toEqual(wanted)
    expect(wanted).toMatchObject({ code: 'BEAM_ERR_CATALOG_INVALID' })
    expect(input.readableLength).toBeGreaterThan(0)
    expect(input.listenerCount('data') + output.listenerCount('error')).toBe(0)
  })
})

describe('faults of the host', () => {
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  const handlers: Readonly<Record<string, () => unknown>> = {
    'throw-nothing': () => {
      throw undefined
    },
    reject: () => Promise.reject(new Error('a secret')),
    'reject-nothing': () => Promise.reject(undefined),
    bigint: () => 1n,
    cycle: () => cycle,
    nothing: () => undefined,
    thenable: () => ({
      then: () => {
        throw new Error('a secret')
      },
    }),
  }
  const tools = Object.entries(handlers).map(([name, handler]) =>
    defineTool({
      name,
      description: name,
      inputSchema: { type: 'object' },
      handler: handler as () => string,
    }),
  )

  test.each(Object.keys(handlers))(
    'are one complete answer, and the run goes on: %s',
    async (name) => {
      const run = startRun({ tools })
      const server = createServer({ ...createCatalog({ tools }), logger: recordLog().logger })
      const message = request('tools/call', { name }, 1)
      run.send(message, bare('ping', 2))
      const answers = await run.take(2)
      const answer = answers.find(({ id }) => id === 1)
      const inProcess = await server.handle(message)
      expect(answer?.['error']).toEqual(inProcess?.error)
      expect(Object.keys(answer ?? {})).toHaveLength(3)
      expect(JSON.stringify(answer)).not.toContain('secret')
      expect(answers.find(({ id }) => id === 2)).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
    },
  )
})
