// SPDX-License-Identifier: Apache-2.0
import { beforeAll, describe, expect, test } from 'vitest'
import { type OpenCall, readEvents, sendCall } from '../support/event-streams.ts'
import { ended, listenFor, openListener, toolsChanged, updated } from '../support/listening.ts'
import { call } from '../support/messages.ts'
import { startRedis } from '../support/redis.ts'
import { buildProgram, type Child, startProgram } from '../support/stdio-child.ts'

const CITY = 'atlas://city/a'
const WANTED = { toolsListChanged: true, resourceSubscriptions: [CITY] }
let program = ''

beforeAll(async () => {
  program = await buildProgram('replica')
})

interface Replica {
  readonly child: Child
  readonly port: number
}

async function startReplica(redisPort: number): Promise<Replica> {
  const child = startProgram(program, { env: { REDIS_PORT: String(redisPort) } })
  const { port } = await child.next()
  return { child, port: Number(port) }
}

/** Changes something in one process; the call does not fail, whatever Redis does. */
async function change({ port }: Replica): Promise<void> {
  const answer = await sendCall(port, call('change')).answer
  expect(answer.status).toBe(200)
  const { result } = JSON.parse(await answer.rest())
  expect(result.content).toEqual([{ type: 'text', text: 'changed' }])
}

/** The next of each kind; the same change may come twice. */
async function untilUpdated(stream: OpenCall): Promise<void> {
  const seen = new Set<string>()
  while (seen.size < 2) {
    const message = await stream.next()
    expect([toolsChanged(), updated(CITY)]).toContainEqual(message)
    seen.add(String(message?.method))
  }
}

describe('two processes on one Redis', () => {
  test('[SUB-16] hear of each other, and again after Redis was killed and has come back', async () => {
    const redis = await startRedis()
    const [a, b] = await Promise.all([startReplica(redis.port), startReplica(redis.port)])
    const first = await openListener(b.port, WANTED)
    const own = await openListener(a.port, WANTED)
    await change(a)
    for (const stream of [first, own]) await untilUpdated(stream)
    await redis.kill()
    // Both are ended as a server ends them, so that their clients listen anew.
    for (const stream of [first, own]) {
      expect(readEvents(await stream.rest()).messages.at(-1)).toEqual(ended())
    }
    await change(a)
    const refused = await sendCall(b.port, listenFor(WANTED)).answer
    expect(refused.status).toBe(503)
    await redis.start()
    const second = await openListener(b.port, WANTED)
    await change(a)
    await untilUpdated(second)
    a.child.process.kill('SIGTERM')
    b.child.process.kill('SIGTERM')
    expect(readEvents(await second.rest()).messages.at(-1)).toEqual(ended())
    expect(await Promise.all([a.child.exit, b.child.exit])).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ])
  })
})
