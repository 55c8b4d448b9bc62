// SPDX-License-Identifier: Apache-2.0
import { Session } from 'node:inspector'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { encode, sidecar } from '@beam-mcp/connectome'
import { type Collector, createCollector } from '@beam-mcp/connectome/observed'
import { startTracer, type Tracer, type TracerOptions } from '@beam-mcp/connectome/tracer'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { refusalOf, wrong } from '../refusal.ts'

interface Store {
  readonly Store: { open(): { put(value: unknown): number; take(): Promise<unknown> } }
  readonly twice: (value: number) => number
  readonly counter: () => () => number
  readonly stops: () => string
  readonly load: (file: string) => Promise<App>
}

interface App {
  readonly keep: (value: unknown) => number
  readonly doubleAll: (values: readonly number[]) => number[]
  readonly own: () => string
}

const APP_URL = new URL('./fixtures/app.mjs', import.meta.url).href
const STORE_PATH = fileURLToPath(new URL('./fixtures/store.cjs', import.meta.url))
const store = createRequire(import.meta.url)('./fixtures/store.cjs') as Store
const app = await store.load(APP_URL)

const [APP_ID, STORE_ID] = ['@fixture/traced/app.mjs', '@fixture/traced/store.cjs']
const TEST_ID = '@beam-mcp/connectome/test/tracer/tracer.test.ts'
const HOOK = Symbol.for('@beam-mcp/connectome.tracer')

/** A test that loops without an end could not fail. */
const MOST_CALLS = 1_000_000

let collector: Collector
const tracers: Tracer[] = []
beforeEach(() => {
  collector = createCollector({ server: 's' })
  collector.start()
})
afterEach(() => {
  for (const tracer of tracers.splice(0)) tracer.stop()
  collector.stop()
  vi.restoreAllMocks()
})

function trace(options: Partial<TracerOptions> = {}): Tracer {
  const tracer = startTracer({ collector, modules: [APP_URL, STORE_PATH], ...options })
  tracers.push(tracer)
  return tracer
}

/** The edges between modules, with their counts. */
function edges(): string[] {
  return collector.rows().map(({ from, kind, to, count }) => {
    const name = (identity: object): string => String(Reflect.get(identity, 'module'))
    return `${name(from)} ${kind} ${name(to)} ${count}`
  })
}

describe('a tracer of modules', () => {
  test('counts each call from one module into another, of ES modules and CommonJS alike', async () => {
    const tracer = trace()
    expect([app.keep('one'), app.keep('two')]).toEqual([1, 1])
    expect(app.doubleAll([1, 2, 3])).toEqual([2, 4, 6])
    expect(app.own()).toBe('own')
    expect(edges().sort()).toEqual(
      [
        // keep, doubleAll, own
        `${TEST_ID} invoke ${APP_ID} 4`,
        // open and put, twice; twice in map, of Node's own, three times
        `${APP_ID} invoke ${STORE_ID} 7`,
      ].sort(),
    )
    tracer.stop()
    // The calls within one module (helper, the constructor, check) are events and no edges.
    expect(await tracer.ended).toEqual({ reason: ['stopped'], events: 16, withoutCaller: 0 })
  })

  test('finds functions that are made later, and those that never ran before', () => {
    trace({ modules: [STORE_PATH] })
    const count = store.counter()
    expect([count(), count()]).toEqual([1, 2])
    expect(edges()).toEqual([`${TEST_ID} invoke ${STORE_ID} 3`])
  })

  test('takes modules by path, by URL and by the id of a declared graph', () => {
    for (const module of [STORE_PATH, new URL(`file://${STORE_PATH}`).href, STORE_ID]) {
      const tracer = trace({ modules: [module] })
      store.twice(1)
      tracer.stop()
    }
    expect(edges()).toEqual([`${TEST_ID} invoke ${STORE_ID} 3`])
  })

  test('makes no edge of a call without a caller on its stack, and counts it', async () => {
    const tracer = trace({ modules: [STORE_PATH] })
    await new Promise((resolve) => setTimeout((value: number) => resolve(store.twice(value)), 1, 1))
    await new Promise<void>((resolve) => {
      setTimeout(wrong<() => void>(store.twice), 1)
      setTimeout(resolve, 2)
    })
    tracer.stop()
    expect(edges()).toEqual([`${TEST_ID} invoke ${STORE_ID} 1`])
    expect(await tracer.ended).toMatchObject({ events: 2, withoutCaller: 1 })
  })

  test('changes neither answers nor exceptions nor the order of what is queued', async () => {
    const order: string[] = []
    const run = async (): Promise<void> => {
      process.nextTick(() => order.push('tick'))
      Promise.resolve().then(() => order.push('micro'))
      order.push(String(store.twice(2)), store.stops())
      expect(() => app.keep(undefined)).toThrow('nothing to keep')
      await new Promise(setImmediate)
    }
    await run()
    const untraced = order.splice(0)
    const tracer = trace()
    await run()
    tracer.stop()
    expect(order).toEqual(untraced)
  })

  test('leaves the ways of the host with stacks as they are', () => {
    const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')
    const limit = Error.stackTraceLimit
    trace()
    app.keep(1)
    expect(Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')).toEqual(before)
    expect(Error.stackTraceLimit).toBe(limit)
    expect(edges()).toHaveLength(2)
  })

  test('holds no byte of what is handed over, answered or thrown', async () => {
    const marker = 'MARKER-of-a-payload'
    const tracer = trace()
    app.keep(marker)
    const kept = store.Store.open()
    kept.put({ marker })
    await kept.take()
    const graph = collector.snapshot()
    tracer.stop()
    const ended = await tracer.ended
    const found = [collector.rows(), collector.latency(), graph, ended]
    const text = [JSON.stringify(found), new TextDecoder().decode(encode(graph)), sidecar(graph)]
    expect(text.join()).not.toContain(marker)
    expect(text.join()).toContain(STORE_ID.replaceAll('/', '%2F'))
  })
})

describe('the limits of a tracer', () => {
  test('are kept while the program is never idle: events', async () => {
    const tracer = trace({ maxEvents: 25, maxDurationMs: 60_000 })
    let calls = 0
    while (tracer.isRunning && calls < MOST_CALLS) calls += store.twice(1) / 2
    expect(edges()).toEqual([`${TEST_ID} invoke ${STORE_ID} 25`])
    expect(calls).toBe(26)
    expect(Reflect.has(globalThis, HOOK)).toBe(false)
    expect(await tracer.ended).toEqual({
      reason: ['limit', 'max_events', 25],
      events: 25,
      withoutCaller: 0,
    })
  })

  test('are kept while the program is never idle: time', async () => {
    const tracer = trace({ maxEvents: 1_000_000, maxDurationMs: 30 })
    let calls = 0
    while (tracer.isRunning && calls < MOST_CALLS) calls += store.twice(1) / 2
    expect(collector.rows()[0]?.count).toBe(calls - 1)
    expect(Reflect.has(globalThis, HOOK)).toBe(false)
    expect(await tracer.ended).toMatchObject({ reason: ['limit', 'max_duration_ms', 30] })
  })

  test('end one that sees nothing', async () => {
    const tracer = trace({ maxDurationMs: 5 })
    expect(await tracer.ended).toEqual({
      reason: ['limit', 'max_duration_ms', 5],
      events: 0,
      withoutCaller: 0,
    })
    expect(tracer.isRunning).toBe(false)
  })
})

describe('the end of a tracer', () => {
  const ends: [string, Partial<TracerOptions>, (tracer: Tracer) => unknown][] = [
    ['stop', {}, (tracer) => tracer.stop()],
    ['its limit of events', { maxEvents: 1 }, () => [store.twice(1), store.twice(1)]],
    ['its limit of time', { maxDurationMs: 1 }, (tracer) => tracer.ended],
    ['the end of the collector', {}, () => collector.stop()],
  ]
  test.each(ends)('by %s leaves nothing behind', async (_what, options, end) => {
    const connects = vi.spyOn(Session.prototype, 'connect')
    const disconnects = vi.spyOn(Session.prototype, 'disconnect')
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const tracer = trace(options)
    expect(Reflect.has(globalThis, HOOK)).toBe(true)
    const timer = timers.mock.results[0]?.value as { _destroyed: boolean }
    await end(tracer)
    await tracer.ended
    expect(tracer.isRunning).toBe(false)
    expect([connects.mock.calls.length, disconnects.mock.calls.length]).toEqual([1, 1])
    expect(timers.mock.calls).toHaveLength(1)
    expect(timer._destroyed).toBe(true)
    expect(Reflect.ownKeys(globalThis)).not.toContain(HOOK)
    const before = collector.rows()
    store.twice(1)
    expect(collector.rows()).toEqual(before)
    tracer.stop()
  })

  test('tells why: the collector is gone', async () => {
    const tracer = trace()
    collector.stop()
    expect(await tracer.ended).toMatchObject({ reason: ['collector_gone'] })
  })

  test('lets another one start', () => {
    trace().stop()
    trace().stop()
    const second = trace()
    expect(second.isRunning).toBe(true)
  })
})

describe('startTracer', () => {
  const refused = (options: unknown) => refusalOf(() => startTracer(wrong<TracerOptions>(options)))
  const code = 'BEAM_ERR_GRAPH_TRACER'

  test('refuses a second one', () => {
    trace()
    expect(refused({ collector, modules: [STORE_PATH] })).toEqual({
      code,
      reason: ['already_running'],
    })
  })

  test('refuses a collector that is not running, or is none', () => {
    const stopped = createCollector({ server: 's' })
    const modules = [STORE_PATH]
    expect(refused({ collector: stopped, modules }).reason).toEqual(['collector_not_started'])
    expect(refused({ collector: {}, modules }).reason).toEqual(['invalid', 'collector', {}])
    expect(refused({ modules }).reason).toEqual(['missing', 'collector'])
  })

  test.each<[object, unknown[]]>([
    [{ module: [] }, ['unknown_option', 'module']],
    [{}, ['missing', 'modules']],
    [{ modules: [] }, ['invalid', 'modules', []]],
    [{ modules: STORE_PATH }, ['invalid', 'modules', STORE_PATH]],
    [{ modules: ['@fixture/traced/*'] }, ['invalid', 'modules', '@fixture/traced/*']],
    [{ modules: [STORE_PATH, 1] }, ['invalid', 'modules', 1]],
    [{ modules: ['@fixture/traced/none.js'] }, ['invalid', 'modules', '@fixture/traced/none.js']],
    [{ modules: ['node:fs'] }, ['invalid', 'modules', 'node:fs']],
    [{ modules: [STORE_PATH], maxEvents: 0 }, ['invalid', 'max_events', 0]],
    [
      { modules: [STORE_PATH], maxEvents: Number.POSITIVE_INFINITY },
      ['invalid', 'max_events', Number.POSITIVE_INFINITY],
    ],
    [{ modules: [STORE_PATH], maxEvents: 1.5 }, ['invalid', 'max_events', 1.5]],
    [{ modules: [STORE_PATH], maxDurationMs: -1 }, ['invalid', 'max_duration_ms', -1]],
    [{ modules: [STORE_PATH], maxDurationMs: 2 ** 31 }, ['invalid', 'max_duration_ms', 2 ** 31]],
    [{ processes: [] }, ['invalid', 'processes', []]],
    [{ processes: { other: {} } }, ['not_registered', 'other']],
  ])('refuses %j and leaves nothing of the start', (options, reason) => {
    const connects = vi.spyOn(Session.prototype, 'connect')
    const disconnects = vi.spyOn(Session.prototype, 'disconnect')
    expect(refused({ collector, ...options })).toEqual({ code, reason })
    expect(disconnects.mock.calls.length).toBe(connects.mock.calls.length)
    expect(Reflect.ownKeys(globalThis)).not.toContain(HOOK)
  })

  test('undoes a start that fails halfway', () => {
    vi.spyOn(Session.prototype, 'connect').mockImplementation(() => {
      throw new Error('no inspector')
    })
    expect(refused({ collector, modules: [STORE_PATH] })).toEqual({
      code,
      reason: ['init_failed', 'no inspector'],
    })
    expect(Reflect.ownKeys(globalThis)).not.toContain(HOOK)
    vi.restoreAllMocks()
    expect(trace().isRunning).toBe(true)
  })
})
