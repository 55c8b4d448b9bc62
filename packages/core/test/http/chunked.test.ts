// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  closed,
  EMPTY_BODY,
  errorAnswer,
  kept,
  NO_JSON,
  see,
  valueResult,
} from '../support/answers.ts'
import { createApp, type EndpointOptions, echoCatalog, listen } from '../support/app.ts'
import { call } from '../support/messages.ts'
import { type Line, linesFor, rawPost, rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const BODY = JSON.stringify(CALL)
const LIMIT = 1024
const KIB = 1024
const SERVED = kept(200, valueResult({ text: 'hi' }))
const TOO_LARGE = closed(413, errorAnswer(-32600, `Request body exceeds ${LIMIT} bytes`))
const NO_LENGTH = closed(
  411,
  errorAnswer(-32600, 'Request body must declare its length: transfer-encoding is refused'),
)
const OTHER_CODING = closed(
  411,
  errorAnswer(
    -32600,
    'Request body must declare its length or be chunked: no other transfer coding is read',
  ),
)
/** What Fastify answers where Node's parser refuses: see docs/http.md, the last section. */
const NOT_HTTP = {
  status: 400,
  body: { error: 'Bad Request', message: 'Client Error', statusCode: 400 },
}

async function serve(options: Partial<EndpointOptions> = {}) {
  const { options: catalog, seen } = echoCatalog()
  const app = await createApp({ ...catalog, allowChunked: true, bodyLimit: LIMIT, ...options })
  const answered: number[] = []
  app.addHook('onResponse', (_, reply, done) => {
    answered.push(reply.statusCode)
    done()
  })
  const accepted = once(app.server, 'connection') as Promise<[Socket]>
  const socket = await openRawSocket(await listen(app))
  return { app, accepted, socket, seen, answered }
}

const CHUNKED: Line = ['transfer-encoding', 'chunked']
const head = (further: readonly Line[] = [CHUNKED]): Buffer =>
  rawRequest([...linesFor(CALL), ...further])

/** One chunk of a body. */
function chunk(bytes: string, extension = ''): string {
  return `${Buffer.byteLength(bytes).toString(16)}${extension}\r\n${bytes}\r\n`
}

const END = '0\r\n\r\n'

describe('a chunked body where allowChunked is true', () => {
  test('is served, whatever its chunks are, and the connection goes on', async () => {
    const { socket, seen } = await serve()
    const wholes = [
      chunk(BODY) + END,
      [...BODY].map((character) => chunk(character)).join('') + END,
      chunk(BODY.slice(0, 9), ';name=value') + chunk(BODY.slice(9)) + END,
      `${BODY.length.toString(16).toUpperCase().padStart(8, '0')}\r\n${BODY}\r\n${END}`,
    ]
    for (const whole of wholes) {
      socket.send(Buffer.concat([head(), Buffer.from(whole)]))
      expect(see(await socket.read())).toEqual(SERVED)
    }
    expect(seen).toHaveLength(wholes.length)
  })

  test('is served when its bytes come one by one', async () => {
    const { socket } = await serve()
    for (const byte of Buffer.concat([head(), Buffer.from(chunk(BODY) + END)])) {
      socket.send(Uint8Array.of(byte))
    }
    expect(see(await socket.read())).toEqual(SERVED)
  })

  test('may have exactly the limit', async () => {
    const { socket } = await serve()
    const padded = BODY.padEnd(LIMIT)
    socket.send(`${head()}${chunk(padded.slice(0, 600))}${chunk(padded.slice(600))}${END}`)
    expect(see(await socket.read())).toEqual(SERVED)
  })

  test('is answered 413 at the first byte beyond it, and the connection ends', async () => {
    const { socket, seen } = await serve()
    // No last chunk: the answer does not wait for it.
    socket.send(`${head()}${chunk(BODY.padEnd(LIMIT))}1\r\n `)
    expect(see(await socket.read())).toEqual(TOO_LARGE)
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
  })

  test('[S06] is answered 413 after at most one cap is held, however much is sent', async () => {
    const limit = 256 * KIB
    const { accepted, socket, seen, answered } = await serve({ bodyLimit: limit })
    const [connection] = await accepted
    const isOver = once(connection, 'close')
    socket.send(head())
    for (let sent = 0; sent < 2 * KIB * KIB; sent += 16 * KIB) {
      socket.send(chunk(' '.repeat(16 * KIB)))
    }
    await isOver
    // What Node reads ahead of the stream's reader is one buffer of a socket and one of a stream.
    expect(connection.bytesRead).toBeLessThan(limit + 128 * KIB)
    expect(answered).toEqual([413])
    expect(seen).toHaveLength(0)
  })

  test('is answered 408 when its end does not come in time', async () => {
    const { socket, seen } = await serve({ bodyTimeout: 30 })
    socket.send(head() + chunk(BODY))
    expect(see(await socket.read())).toEqual(
      closed(408, errorAnswer(-32600, 'Request body not received within 30 ms')),
    )
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
  })

  test('has one deadline for the whole of it, however steadily its chunks come', async () => {
    const { socket } = await serve({ bodyTimeout: 100, bodyLimit: 100_000 })
    socket.send(head())
    const drip = setInterval(() => socket.send(chunk(' ')), 5)
    onTestFinished(() => clearInterval(drip))
    expect(see(await socket.read())).toEqual(
      closed(408, errorAnswer(-32600, 'Request body not received within 100 ms')),
    )
  })

  test('is not read before authorize has admitted the request', async () => {
    const { socket } = await serve({ authorize: () => ({ ok: false, status: 401 }) })
    socket.send(head())
    expect(see(await socket.read())).toEqual(closed(401, errorAnswer(-32600, 'Unauthorized')))
    expect(await socket.ended()).toEqual([])
  })

  test('goes to authorizeBody without its framing', async () => {
    const bodies: string[] = []
    const authorizeBody = (_: unknown, bytes: Buffer) => {
      bodies.push(bytes.toString())
      return { ok: true } as const
    }
    const { socket } = await serve({ authorizeBody })
    socket.send(`${head()}${chunk(BODY.slice(0, 5))}${chunk(BODY.slice(5))}${END}`)
    expect(see(await socket.read())).toEqual(SERVED)
    expect(bodies).toEqual([BODY])
  })

  test.each([
    ['an empty body', END, kept(400, EMPTY_BODY)],
    ['no JSON', chunk('no') + END, kept(400, NO_JSON)],
  ])('is refused as any other, and the connection goes on: %s', async (_, sent, expected) => {
    const { socket } = await serve()
    socket.send(head() + sent)
    expect(see(await socket.read())).toEqual(expected)
    socket.send(rawPost(CALL))
    expect(see(await socket.read())).toEqual(SERVED)
  })

  test('brings no header in its trailers', async () => {
    const { socket } = await serve()
    const trailers = 'Mcp-Name: other\r\nOrigin: https://evil.test\r\nContent-Encoding: gzip\r\n'
    socket.send(`${head()}${chunk(BODY)}0\r\n${trailers}\r\n`)
    expect(see(await socket.read())).toEqual(SERVED)
  })

  test('is served once when garbage follows it, and Node ends the connection', async () => {
    const { socket, seen } = await serve()
    socket.send(head() + chunk(BODY) + END)
    expect(see(await socket.read())).toEqual(SERVED)
    socket.send('garbage\r\n\r\n')
    expect(see(await socket.read())).toMatchObject(NOT_HTTP)
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(1)
  })

  test('is run at most once when garbage comes with it, and has no answer but that of Node', async () => {
    const { socket, seen } = await serve()
    socket.send(`${head()}${chunk(BODY)}${END}garbage\r\n\r\n`)
    expect((await socket.ended()).map(see)).toMatchObject([NOT_HTTP])
    expect(seen.length).toBeLessThanOrEqual(1)
  })

  test.each([
    ['a size that is none', 'xyz\r\nhello\r\n'],
    ['a size that is negative', '-5\r\nhello\r\n'],
    ['a size of more digits than a number holds', `${'f'.repeat(17)}\r\n`],
    ['more bytes than its size says', '2\r\nhello\r\n'],
  ])('is ended by Node where its framing is broken: %s', async (_, sent) => {
    const { socket, seen } = await serve()
    socket.send(head() + sent)
    expect(see(await socket.read())).toMatchObject(NOT_HTTP)
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
  })

  test.each([
    ['before', [['content-length', String(BODY.length)], CHUNKED]],
    ['after', [CHUNKED, ['content-length', String(BODY.length)]]],
  ] as const)(
    'is refused by Node where a declared length stands %s it, so that nothing is smuggled',
    async (_, framing) => {
      const { socket, seen } = await serve()
      socket.send(head(framing) + chunk(BODY) + END)
      expect(see(await socket.read())).toMatchObject(NOT_HTTP)
      expect(await socket.ended()).toEqual([])
      expect(seen).toHaveLength(0)
    },
  )

  test.each([
    ['another coding below it', [['transfer-encoding', 'gzip, chunked']]],
    ['another coding in a line of its own', [['transfer-encoding', 'gzip'], CHUNKED]],
  ] as const)('is answered 411 with %s', async (_, framing) => {
    const { socket, seen } = await serve()
    socket.send(head(framing) + chunk(BODY) + END)
    expect(see(await socket.read())).toEqual(OTHER_CODING)
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
  })

  test('counts its coding without regard to case', async () => {
    const { socket } = await serve()
    socket.send(head([['Transfer-Encoding', 'Chunked']]) + chunk(BODY) + END)
    expect(see(await socket.read())).toEqual(SERVED)
  })

  test('costs nothing when its sender vanishes: the next one is served', async () => {
    const { app, socket, seen } = await serve()
    const gone = new Promise<void>((resolve) => {
      app.server.once('request', (request) => request.once('close', resolve))
    })
    const arrived = once(app.server, 'request')
    socket.send(head() + chunk(BODY.slice(0, 9)))
    await arrived
    const next = await openRawSocket(socket.socket.remotePort ?? 0)
    socket.vanish()
    await gone
    next.send(head() + chunk(BODY) + END)
    expect(see(await next.read())).toEqual(SERVED)
    expect(seen).toHaveLength(1)
  })
})

describe('a chunked body where allowChunked is not true', () => {
  test.each([[undefined], [false]])('is answered 411: %j', async (allowChunked) => {
    const { socket, seen } = await serve({ allowChunked: allowChunked as never })
    socket.send(head() + chunk(BODY) + END)
    expect(see(await socket.read())).toEqual(NO_LENGTH)
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
  })

  test.each([['yes'], [1], [null]])(
    'has to be a choice of true or false, not %j',
    async (given) => {
      await expect(serve({ allowChunked: given as never })).rejects.toMatchObject({
        code: 'BEAM_ERR_OPT_INVALID',
        message: "Option 'allowChunked' must be true or false, or left out",
      })
    },
  )
})
