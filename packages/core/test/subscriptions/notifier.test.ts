// SPDX-License-Identifier: Apache-2.0
import {
  beamMcp,
  type ChangeEvent,
  createMemoryBus,
  createNotifier,
  type EventBus,
} from '@beam-mcp/core'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listen, openTo } from '../support/app.ts'
import { sendCall } from '../support/event-streams.ts'
import {
  ATLAS,
  acknowledged,
  listenFor,
  openListener,
  promptsChanged,
  serveChanges,
  toolsChanged,
} from '../support/listening.ts'
import { failure } from '../support/server.ts'

const broken = (publish: EventBus['publish']): EventBus => ({
  publish,
  subscribe: () => () => undefined,
})

describe('createNotifier', () => {
  test('announces identity alone', () => {
    const told: ChangeEvent[] = []
    const notifier = createNotifier({ bus: broken((event) => void told.push(event)) })
    notifier.toolsChanged()
    notifier.promptsChanged()
    notifier.resourcesChanged()
    notifier.resourceUpdated('atlas://city/a')
    expect(told).toEqual([
      { kind: 'tools' },
      { kind: 'prompts' },
      { kind: 'resources' },
      { kind: 'resource', uri: 'atlas://city/a' },
    ])
  })

  test.each<[string, EventBus['publish']]>([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'rejects through a thenable',
      (() => ({ then: (_: unknown, no: (e: Error) => void) => no(new Error('down')) })) as never,
    ],
  ])('never fails for a bus that %s, and says so', async (_name, publish) => {
    const errors: unknown[] = []
    const notifier = createNotifier({
      bus: broken(publish),
      onError: (error) => errors.push(error),
    })
    notifier.toolsChanged()
    await new Promise(setImmediate)
    expect(errors).toEqual([new Error('down')])
  })

  test('survives an onError that throws', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    onTestFinished(() => warned.mockRestore())
    const onError = (): void => {
      throw new Error('no log')
    }
    for (const publish of [
      () => {
        throw new Error('down')
      },
      () => Promise.reject(new Error('down')),
    ]) {
      createNotifier({ bus: broken(publish), onError }).toolsChanged()
    }
    await new Promise(setImmediate)
    expect(warned.mock.calls.map(([warning]) => warning)).toEqual([
      new Error('no log'),
      new Error('no log'),
    ])
  })

  test('survives an onError that rejects', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    onTestFinished(() => warned.mockRestore())
    const onError = async (): Promise<void> => {
      throw new Error('no log later')
    }
    const publish = (): Promise<void> => Promise.reject(new Error('down'))
    createNotifier({ bus: broken(publish), onError }).toolsChanged()
    await new Promise(setImmediate)
    expect(warned.mock.calls).toEqual([[new Error('no log later')]])
  })

  test('warns of what can not be described, too', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    onTestFinished(() => warned.mockRestore())
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const thrown of [Object.create(null), proxy]) {
      const publish = (): void => {
        throw thrown
      }
      createNotifier({ bus: broken(publish) }).toolsChanged()
    }
    expect(warned.mock.calls).toEqual([[expect.any(Error)], [expect.any(Error)]])
  })

  test('warns by default', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    onTestFinished(() => warned.mockRestore())
    createNotifier({
      bus: broken(() => {
        throw new Error('down')
      }),
    }).toolsChanged()
    expect(warned.mock.calls).toEqual([[new Error('down')]])
  })

  test.each([
    ['createNotifier', null],
    ['createNotifier', 'redis'],
    ['bus', { bus: {} }],
    ['bus', { bus: { publish: () => undefined } }],
    ['onError', { onError: 'log' }],
    ['channel', { channel: 'x' }],
  ])('refuses %s of another shape: %j', async (name, options) => {
    const { code, message } = await failure(() => createNotifier(options as never))
    expect(code).toBe('BEAM_ERR_OPT_INVALID')
    expect(message).toContain(name)
  })
})

describe('a bus in memory', () => {
  test('tells everyone, though one of them throws', () => {
    const bus = createMemoryBus()
    const told: string[] = []
    bus.subscribe(() => {
      throw new Error('first')
    }, vi.fn())
    const stop = bus.subscribe(({ kind }) => void told.push(kind), vi.fn()) as () => void
    expect(() => bus.publish({ kind: 'tools' })).toThrow('first')
    stop()
    stop()
    expect(() => bus.publish({ kind: 'prompts' })).toThrow('first')
    expect(told).toEqual(['tools'])
  })
})

describe('the option subscriptions', () => {
  test.each([
    ['subscriptions', 'yes'],
    ['subscriptions', null],
    ['subscriptions.tools', { tools: 1 }],
    ['subscriptions.prompts', { prompts: null }],
    ['subscriptions.maxListeners', { maxListeners: 0 }],
    ['subscriptions.maxListeners', { maxListeners: 1.5 }],
    ['subscriptions.maxListenersPerPrincipal', { maxListenersPerPrincipal: '5' }],
    ['subscriptions.maxUris', { maxUris: Number.POSITIVE_INFINITY }],
    ['subscriptions.principalKey', { principalKey: 'sub' }],
    ['subscriptions.notifier', { notifier: {} }],
    ['subscriptions.notifier', { notifier: { bus: {} } }],
    ['subscriptions.logs', { logs: true }],
  ])('is refused by name: %s in %j', async (name, subscriptions) => {
    const { code, message } = await failure(async () => {
      const { app } = await serveChanges({ subscriptions } as never)
      await app.ready()
    })
    expect(code).toBe('BEAM_ERR_OPT_INVALID')
    expect(message).toContain(name)
  })
})

describe('app.mcp', () => {
  test('tells the listeners of each endpoint of what changed there', async () => {
    const app = Fastify()
    const shared = createNotifier()
    await app.register(beamMcp, openTo({ ...ATLAS, subscriptions: true }))
    await app.register(beamMcp, { ...openTo({ ...ATLAS, subscriptions: true }), prefix: '/b' })
    await app.register(beamMcp, {
      ...openTo({ ...ATLAS, subscriptions: { notifier: shared } }),
      prefix: '/c',
    })
    const port = await listen(app)
    const wanted = { toolsListChanged: true, promptsListChanged: true }
    const open = async (path: string, id: number) => {
      const stream = await sendCall(port, listenFor(wanted, id), {}, undefined, false, path).answer
      expect(await stream.next()).toEqual(acknowledged(wanted, id))
      return stream
    }
    const first = await open('/mcp', 1)
    const second = await open('/b/mcp', 2)
    const third = await open('/c/mcp', 3)
    app.mcp.notify.toolsChanged()
    app.mcp.at('/b/mcp').notify.toolsChanged()
    shared.toolsChanged()
    for (const path of ['/mcp', '/b/mcp', '/c/mcp']) app.mcp.at(path).notify.promptsChanged()
    expect(app.mcp.at('/c/mcp').notify).toBe(shared)
    for (const [stream, id] of [
      [first, 1],
      [second, 2],
      [third, 3],
    ] as const) {
      expect(await stream.next()).toEqual(toolsChanged(id))
      expect(await stream.next()).toEqual(promptsChanged(id))
    }
  })

  test("is not needed: a notifier of the host's tells several applications", async () => {
    const notifier = createNotifier()
    const wanted = { toolsListChanged: true }
    const streams = []
    for (const id of [1, 2]) {
      const { app } = await serveChanges({ subscriptions: { notifier }, decorator: false } as never)
      streams.push(await openListener(await listen(app), wanted, id))
    }
    notifier.toolsChanged()
    for (const [index, stream] of streams.entries()) {
      expect(await stream.next()).toEqual(toolsChanged(index + 1))
    }
  })
})
