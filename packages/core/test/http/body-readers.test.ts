// SPDX-License-Identifier: Apache-2.0
import { PassThrough, Readable } from 'node:stream'
import { beamMcp } from '@beam-mcp/core'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { closed, INTERNAL, kept, see, valueResult } from '../support/answers.ts'
import {
  collectLog,
  type EndpointOptions,
  echoCatalog,
  listen,
  openTo,
  ownLines,
} from '../support/app.ts'
import { call } from '../support/messages.ts'
import { linesFor, rawPost, rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const READ_EARLY =
  'The body was read before the endpoint could: authorize and onRequest hooks may not read it'
const REPLACED =
  "A preParsing hook replaced the body's stream; the endpoint needs the exact bytes: keep that hook off this route"

async function serve(prepare: (app: FastifyInstance) => void, more: Partial<EndpointOptions> = {}) {
  const { options, seen } = echoCatalog()
  const { lines, logger } = collectLog('error')
  const app = Fastify({ logger })
  prepare(app)
  await app.register(beamMcp, openTo({ ...options, ...more }))
  const socket = await openRawSocket(await listen(app))
  return { socket, seen, logged: () => ownLines({ lines }).map(({ level, msg }) => [level, msg]) }
}

async function readWhole({ raw }: FastifyRequest): Promise<void> {
  for await (const _ of raw);
}

/** Ways to touch a body, each of which would leave a second reader waiting or short of a part. */
const READERS: [string, (request: FastifyRequest) => unknown][] = [
  ['reads it to its end', readWhole],
  ['listens to it', ({ raw }) => void raw.on('data', () => undefined)],
  ['listens for what is readable', ({ raw }) => void raw.on('readable', () => undefined)],
  ['lets it flow', ({ raw }) => void raw.resume()],
  [
    'reads its beginning',
    async ({ raw }) => {
      for await (const _ of raw) break
    },
  ],
]

describe('a body that somebody else reads', () => {
  test.each(READERS)('is answered 500 at once when authorize %s', async (_, read) => {
    const authorize = async (request: FastifyRequest) => {
      await read(request)
      return { ok: true } as const
    }
    const { socket, seen, logged } = await serve(() => undefined, { authorize })
    socket.send(rawPost(CALL))
    expect(see(await socket.read())).toEqual(closed(500, INTERNAL))
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
    expect(logged()).toEqual([[50, READ_EARLY]])
  })

  test.each(READERS)('is answered 500 at once when an onRequest hook %s', async (_, read) => {
    const { socket, seen, logged } = await serve((app) =>
      app.addHook('onRequest', async (request) => void (await read(request))),
    )
    socket.send(rawPost(CALL))
    expect(see(await socket.read())).toEqual(closed(500, INTERNAL))
    expect(seen).toHaveLength(0)
    expect(logged()).toEqual([[50, READ_EARLY]])
  })

  test('is answered 500 at once when it is listened to and does not come', async () => {
    const authorize = ({ raw }: FastifyRequest) => {
      raw.on('data', () => undefined)
      return { ok: true } as const
    }
    const { socket } = await serve(() => undefined, { authorize })
    socket.send(rawRequest([...linesFor(CALL), ['content-length', '100']]))
    expect(see(await socket.read())).toEqual(closed(500, INTERNAL))
  })

  test('is answered 503 when authorize waits for one that does not come', async () => {
    const authorize = async (request: FastifyRequest) => {
      await readWhole(request)
      return { ok: true } as const
    }
    const { socket } = await serve(() => undefined, { authorize, authorizeTimeoutMs: 30 })
    socket.send(rawRequest([...linesFor(CALL), ['content-length', '100']]))
    expect(see(await socket.read())).toEqual(closed(503, INTERNAL))
  })
})

describe('a preParsing hook of the host', () => {
  test.each<[string, (payload: Readable) => Readable | Promise<Readable>]>([
    ['wraps it', (payload) => payload.pipe(new PassThrough())],
    ['replaces it', () => Readable.from([JSON.stringify(CALL)])],
    ['reads it and gives a copy', async (payload) => Readable.from(await payload.toArray())],
  ])('that %s is answered 500 at once, and the log says which', async (_, replace) => {
    const { socket, seen, logged } = await serve((app) =>
      app.addHook('preParsing', async (_request, _reply, payload) =>
        Object.assign(await replace(payload as Readable), { receivedEncodedLength: 0 }),
      ),
    )
    socket.send(rawPost(CALL))
    expect(see(await socket.read())).toEqual(closed(500, INTERNAL))
    expect(seen).toHaveLength(0)
    expect(logged()).toEqual([[50, REPLACED]])
  })

  test('that gives back what it was given changes nothing', async () => {
    const { socket, logged } = await serve((app) =>
      app.addHook('preParsing', async (_request, _reply, payload) => payload),
    )
    socket.send(rawPost(CALL))
    expect(see(await socket.read())).toEqual(kept(200, valueResult({ text: 'hi' })))
    expect(logged()).toEqual([])
  })

  test('that gives back nothing changes nothing', async () => {
    const { socket } = await serve((app) =>
      app.addHook('preParsing', async () => undefined as never),
    )
    socket.send(rawPost(CALL))
    expect(see(await socket.read())).toEqual(kept(200, valueResult({ text: 'hi' })))
  })
})
