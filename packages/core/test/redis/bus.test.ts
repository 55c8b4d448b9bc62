// SPDX-License-Identifier: Apache-2.0

import { createRedisBus, type RedisBusOptions } from '@beam-mcp/core/redis'
import { type ChangeEvent, createNotifier } from '@beam-mcp/core/server'
import { Redis } from 'ioredis'
import { Redis as Redis5 } from 'ioredis-5'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startRedis } from '../support/redis.ts'
import { failure } from '../support/server.ts'

const CHANNEL = 'atlas:mcp'
const CITY: ChangeEvent = { kind: 'resource', uri: 'atlas://city/zürich "1"' }
const QUICK = { timeoutMs: 300, heartbeatMs: 50 }

const VERSIONS = [
  ['6', (port: number, options = {}) => new Redis({ port, host: '127.0.0.1', ...options })],
  ['5', (port: number, options = {}) => new Redis5({ port, host: '127.0.0.1', ...options })],
] as const

/** A client and a bus over it; both are over when the test is. */
function makeBus(client: Redis | Redis5, options: Partial<RedisBusOptions> = {}) {
  client.on('error', () => undefined)
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const bus = createRedisBus({ client, channel: CHANNEL, onError, ...options })
  onTestFinished(() => {
    bus.close()
    client.disconnect()
  })
  return { client, bus, errors }
}

/** Listens by a bus. */
async function hear(bus: ReturnType<typeof createRedisBus>) {
  const events: ChangeEvent[] = []
  const onLost = vi.fn()
  const stop = await bus.subscribe((event) => void events.push(event), onLost)
  return { events, onLost, stop }
}

describe.each(VERSIONS)('a bus over ioredis %s', (_version, connect) => {
  test('carries changes to every process, the announcing one included', async () => {
    const { port } = await startRedis()
    const here = makeBus(connect(port))
    const there = makeBus(connect(port))
    const [first, second] = [await hear(here.bus), await hear(there.bus)]
    for (const event of [{ kind: 'tools' }, { kind: 'prompts' }, CITY] as const) {
      await here.bus.publish(event)
    }
    const expected = [{ kind: 'tools' }, { kind: 'prompts' }, CITY]
    await expect.poll(() => second.events).toEqual(expected)
    await expect.poll(() => first.events).toEqual(expected)
  })

  test('keeps channels apart, whatever prefix the client puts before its keys', async () => {
    const { port } = await startRedis()
    const here = makeBus(connect(port, { keyPrefix: 'shop:' }))
    const there = makeBus(connect(port))
    const other = makeBus(connect(port), { channel: `${CHANNEL}:b` })
    const [first, second, third] = [
      await hear(here.bus),
      await hear(there.bus),
      await hear(other.bus),
    ]
    await here.bus.publish({ kind: 'tools' })
    await there.bus.publish({ kind: 'prompts' })
    await other.bus.publish({ kind: 'resources' })
    await expect.poll(() => third.events).toEqual([{ kind: 'resources' }])
    await expect.poll(() => second.events).toEqual([{ kind: 'tools' }, { kind: 'prompts' }])
    await expect.poll(() => first.events).toEqual([{ kind: 'tools' }, { kind: 'prompts' }])
  })

  test('ignores bytes that are no change, and says so once', async () => {
    const { port } = await startRedis()
    const { client, bus, errors } = makeBus(connect(port))
    const { events } = await hear(bus)
    const foreign = ['', 'tools', '{', '[]', 'null', '{"kind":"all"}', '{"kind":"resource"}']
    for (const text of foreign) await client.publish(CHANNEL, text)
    await client.publish(CHANNEL, Buffer.from([0xff, 0xfe, 0x00]))
    await client.publish(CHANNEL, '{"kind":"tools","by":"somebody","__proto__":{"uri":"x"}}')
    await expect.poll(() => events).toEqual([{ kind: 'tools' }])
    expect(errors).toEqual([
      new Error(`The channel ${CHANNEL} brought something that is no change`),
    ])
  })

  test('tells once of a server that ends, and can be listened to again when it is back', async () => {
    const redis = await startRedis()
    const { bus } = makeBus(connect(redis.port))
    const [first, second] = [await hear(bus), await hear(bus)]
    await redis.kill()
    await expect.poll(() => first.onLost.mock.calls.length).toBe(1)
    expect(second.onLost).toHaveBeenCalledTimes(1)
    await expect(hear(bus)).rejects.toMatchObject({ code: 'BEAM_ERR_REDIS_UNAVAILABLE' })
    await redis.start()
    const third = await hear(bus)
    // What is announced while the client is on its way back comes when it is there.
    await bus.publish({ kind: 'tools' })
    await expect.poll(() => third.events).toContainEqual({ kind: 'tools' })
    expect([first.events, second.events]).toEqual([[], []])
    expect(first.onLost).toHaveBeenCalledTimes(1)
    expect(third.onLost).not.toHaveBeenCalled()
  })

  test('notices a server that answers no more, and refuses in its time', async () => {
    const redis = await startRedis()
    const { bus } = makeBus(connect(redis.port), QUICK)
    const { onLost } = await hear(bus)
    redis.freeze()
    await expect.poll(() => onLost.mock.calls.length).toBe(1)
    const refused = await failure(() => hear(bus))
    expect(refused.code).toBe('BEAM_ERR_REDIS_UNAVAILABLE')
    redis.thaw()
    const { events } = await hear(bus)
    await bus.publish({ kind: 'tools' })
    await expect.poll(() => events).toEqual([{ kind: 'tools' }])
  })

  test('heartbeats end nothing while there are answers', async () => {
    const { port } = await startRedis()
    const { bus } = makeBus(connect(port), { heartbeatMs: 5 })
    const { events, onLost } = await hear(bus)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await bus.publish({ kind: 'tools' })
    await expect.poll(() => events).toEqual([{ kind: 'tools' }])
    expect(onLost).not.toHaveBeenCalled()
  })

  test('keeps each change of an outage once, and no more of them than a thousand', async () => {
    const redis = await startRedis()
    // The client gives up at its own time: here, never.
    const { client, bus } = makeBus(connect(redis.port, { maxRetriesPerRequest: null }))
    await bus.publish({ kind: 'tools' })
    await redis.kill()
    await expect.poll(() => client.status).not.toBe('ready')
    const given = vi.spyOn(client, 'publish')
    const errors: unknown[] = []
    const notifier = createNotifier({ bus, onError: (error) => errors.push(error) })
    for (let round = 0; round < 5_000; round += 1) notifier.toolsChanged()
    expect(errors).toEqual([])
    for (let round = 0; round < 1_500; round += 1) notifier.resourceUpdated(`atlas://city/${round}`)
    await expect.poll(() => errors.length).toBe(501)
    expect(errors[0]).toMatchObject({ code: 'BEAM_ERR_REDIS_UNAVAILABLE' })
    await redis.start()
    expect(given).toHaveBeenCalledTimes(1_000)
    const announce = () =>
      bus.publish({ kind: 'prompts' }).then(
        () => 'told',
        () => 'full',
      )
    await expect.poll(announce).toBe('told')
    expect(errors).toHaveLength(501)
  })

  test('that gives up its connection announces nothing, and does not throw', async () => {
    const { port } = await startRedis()
    const { client, bus } = makeBus(connect(port))
    client.disconnect()
    const errors: unknown[] = []
    createNotifier({ bus, onError: (error) => errors.push(error) }).toolsChanged()
    await expect.poll(() => errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'BEAM_ERR_REDIS_UNAVAILABLE' })
  })

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no log')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no log'))],
  ])('goes on where its onError %s', async (_name, onError) => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    onTestFinished(() => warned.mockRestore())
    const { port } = await startRedis()
    const { client, bus } = makeBus(connect(port), { onError: onError as () => void })
    const { events } = await hear(bus)
    await client.publish(CHANNEL, 'no change')
    await bus.publish({ kind: 'tools' })
    await expect.poll(() => events).toEqual([{ kind: 'tools' }])
    expect(warned.mock.calls).toEqual([[new Error('no log')]])
  })

  test('opens its connection for the first who listens, and ends it with the last', async () => {
    const { port } = await startRedis()
    const { client, bus } = makeBus(connect(port))
    const subscribers = async () =>
      ((await client.call('PUBSUB', 'NUMSUB', CHANNEL)) as unknown[])[1]
    expect(await subscribers()).toBe(0)
    const [first, second] = await Promise.all([hear(bus), hear(bus)])
    expect(await subscribers()).toBe(1)
    first.stop()
    await bus.publish({ kind: 'tools' })
    await expect.poll(() => second.events).toEqual([{ kind: 'tools' }])
    second.stop()
    second.stop()
    await expect.poll(subscribers).toBe(0)
    expect(first.events).toEqual([])
    expect(second.onLost).not.toHaveBeenCalled()
    const third = await hear(bus)
    bus.close()
    bus.close()
    expect(third.onLost).toHaveBeenCalledTimes(1)
    await expect.poll(subscribers).toBe(0)
    expect(client.status).toBe('ready')
    await expect(hear(bus)).rejects.toMatchObject({ code: 'BEAM_ERR_REDIS_UNAVAILABLE' })
  })
})

describe('createRedisBus', () => {
  const client = { status: 'ready', publish: async () => 0, duplicate: () => undefined as never }
  test.each([
    ['createRedisBus', undefined],
    ['client', { channel: 'a' }],
    ['client', { client: {}, channel: 'a' }],
    ['channel', { client }],
    ['channel', { client, channel: '' }],
    ['timeoutMs', { client, channel: 'a', timeoutMs: 0 }],
    ['heartbeatMs', { client, channel: 'a', heartbeatMs: Number.NaN }],
    ['onError', { client, channel: 'a', onError: true }],
    ['chanel', { client, chanel: 'a' }],
  ])('refuses %s of another shape', async (name, options) => {
    const { code, message } = await failure(() => createRedisBus(options as never))
    expect(code).toBe('BEAM_ERR_OPT_INVALID')
    expect(message).toContain(name)
  })
})
