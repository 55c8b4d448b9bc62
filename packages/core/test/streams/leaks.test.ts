// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type CallContext, createCatalog, defineTool } from '@beam-mcp/core'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { createApp, listen } from '../support/app.ts'
import { aborted, asking } from '../support/event-streams.ts'
import { beginRequest, openSession } from '../support/http2-client.ts'
import { collectWarnings, countHeld, countTimers } from '../support/leaks.ts'
import { linesFor, rawRequest } from '../support/raw-request.ts'

const ROUNDS = 10_000
const PARALLEL = 50
const PHASES = ['before the answer', 'between two notifications', 'after the result'] as const
type Phase = (typeof PHASES)[number]

/** The bytes of a call; its token tells it from all others. */
function bytesOf(phase: Phase, token: number): Buffer {
  const message = asking(phase, { token, level: 'info' })
  const body = Buffer.from(JSON.stringify(message))
  const lines = [...linesFor(message), ['content-length', String(body.length)]] as const
  return Buffer.concat([rawRequest(lines), body])
}

/** What is counted of one application. */
interface Watched {
  readonly app: FastifyInstance
  readonly begun: () => number
  readonly over: () => number
  /** Contexts that are still held. */
  readonly held: () => Promise<number>
  /** Settles when the call with this token has begun. */
  readonly beginning: (token: number) => Promise<void>
}

async function serve(fastify: FastifyServerOptions = {}): Promise<Watched> {
  const counts = { begun: 0, over: 0 }
  const contexts = countHeld()
  const waiting = new Map<unknown, () => void>()
  const work = (phase: Phase) => async (context: CallContext) => {
    counts.begun += 1
    contexts.watch(context)
    contexts.watch(context.signal)
    try {
      if (phase !== 'before the answer') await context.progress(1)
      else waiting.get(context.meta['progressToken'])?.()
      if (phase === 'after the result') return { done: true }
      await aborted(context.signal)
      await context.progress(2)
      await context.log('info', 'late')
      return { late: true }
    } finally {
      counts.over += 1
    }
  }
  const tools = PHASES.map((name) =>
    defineTool({ name, handler: (_args, context) => work(name)(context) }),
  )
  const options = { ...createCatalog({ tools }), logging: true, timeoutMs: 600_000 }
  return {
    app: await createApp(options, fastify),
    begun: () => counts.begun,
    over: () => counts.over,
    held: contexts.count,
    beginning: (token) => new Promise((resolve) => waiting.set(token, resolve)),
  }
}

/** The caller of one round, who hangs up in the round's phase. */
async function hangUp(port: number, round: number, { beginning }: Watched): Promise<void> {
  const phase = phaseOf(round)
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const hasBegun = phase === 'before the answer' ? beginning(round) : undefined
  socket.write(bytesOf(phase, round))
  if (hasBegun !== undefined) await hasBegun
  else await readUntil(socket, phase === 'after the result' ? '"result"' : '"progress"')
  socket.destroy()
}

function phaseOf(round: number): Phase {
  return PHASES[round % 3] ?? PHASES[0]
}

async function readUntil(socket: Socket, wanted: string): Promise<void> {
  let text = ''
  while (!text.includes(wanted)) text += String((await once(socket, 'data'))[0])
}

async function inParallel(rounds: number, run: (round: number) => Promise<void>): Promise<void> {
  let next = 0
  const one = async (): Promise<void> => {
    while (next < rounds) await run(next++)
  }
  await Promise.all(Array.from({ length: PARALLEL }, one))
}

async function connectionsOf({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
}

async function settled({ app, begun, over }: Watched): Promise<void> {
  while (over() < begun() || (await connectionsOf(app)) > 0) await new Promise(setImmediate)
}

describe('what is counted', () => {
  test('is seen as long as it is there', async () => {
    const timers = countTimers()
    const timer = setInterval(() => undefined, 1_000_000).unref()
    expect(timers()).toBe(1)
    clearInterval(timer)
    await new Promise(setImmediate)
    expect(timers()).toBe(0)
    const objects = countHeld()
    const kept = { one: {} as object | undefined }
    objects.watch(kept)
    objects.watch(kept.one ?? {})
    kept.one = undefined
    expect(await objects.count()).toBe(1)
    expect(kept).toEqual({ one: undefined })
  })
})

describe('callers that hang up', () => {
  test('[SSE-09] [CANC-03] leave no listener, timer, context or connection behind', async () => {
    const watched = await serve()
    const port = await listen(watched.app)
    // What is made once is made before anything is counted.
    await inParallel(150, (round) => hangUp(port, round, watched))
    await settled(watched)
    const warnings = collectWarnings()
    const timers = countTimers()
    await inParallel(ROUNDS, (round) => hangUp(port, round, watched))
    await settled(watched)
    expect([watched.begun(), watched.over()]).toEqual([ROUNDS + 150, ROUNDS + 150])
    expect(warnings).toEqual([])
    expect(await watched.held()).toBeLessThan(5)
    expect(timers()).toBeLessThan(5)
  }, 180_000)

  test('[CANC-03] over HTTP/2 leave nothing at their session', async () => {
    const watched = await serve({ http2: true } as FastifyServerOptions)
    const sessions: NodeJS.EventEmitter[] = []
    watched.app.server.on('session', (session) => sessions.push(session as NodeJS.EventEmitter))
    const session = await openSession(await listen(watched.app))
    const warnings = collectWarnings()
    const listeners = (): number[] =>
      sessions.flatMap((one) => one.eventNames().map((name) => one.listenerCount(name)))
    const hangUpStream = async (round: number): Promise<void> => {
      const phase = phaseOf(round)
      const message = asking(phase, { token: round })
      const stream = beginRequest(session, message)
      const hasBegun = phase === 'before the answer' ? watched.beginning(round) : undefined
      stream.end(JSON.stringify(message))
      if (hasBegun !== undefined) await hasBegun
      else await once(stream, 'data')
      if (phase === 'after the result') await once(stream.resume(), 'end')
      stream.close()
    }
    await hangUpStream(1)
    const before = listeners()
    await inParallel(600, hangUpStream)
    while (watched.over() < watched.begun()) await new Promise(setImmediate)
    expect(listeners()).toEqual(before)
    expect(warnings).toEqual([])
    expect(await watched.held()).toBeLessThan(5)
  })
})

describe('a connection that goes on', () => {
  test('[CANC-06] has after a thousand streams the listeners that it had after the first', async () => {
    const watched = await serve()
    const sockets: Socket[] = []
    watched.app.server.on('connection', (socket: Socket) => sockets.push(socket))
    const socket = connect({ host: '127.0.0.1', port: await listen(watched.app) })
    const listeners = (): unknown =>
      sockets.map((one) => one.eventNames().map((name) => [name, one.listenerCount(name)]))
    const ask = async (): Promise<void> => {
      socket.write(bytesOf('after the result', 1))
      await readUntil(socket, '\r\n0\r\n\r\n')
    }
    await ask()
    const before = listeners()
    for (let round = 0; round < 1_000; round += 1) await ask()
    expect(listeners()).toEqual(before)
    expect(await watched.held()).toBeLessThan(5)
    socket.destroy()
  })
})
