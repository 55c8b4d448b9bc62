// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { connect } from 'node:http2'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closed, EMPTY_BODY, errorAnswer, kept, see, valueResult } from '../support/answers.ts'
import { createApp, type EndpointOptions, echoCatalog, listen, post } from '../support/app.ts'
import { call, headersFor } from '../support/messages.ts'
import { linesFor, rawPost, rawRequest } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const BODY = JSON.stringify(CALL)
const LIMIT = 1024
const TOO_LARGE = closed(413, errorAnswer(-32600, `Request body exceeds ${LIMIT} bytes`))
const NO_LENGTH = closed(
  411,
  errorAnswer(-32600, 'Request body must declare its length: transfer-encoding is refused'),
)

async function serve(options: Partial<EndpointOptions> = {}) {
  const { options: catalog, seen } = echoCatalog()
  const app = await createApp({ ...catalog, bodyLimit: LIMIT, ...options })
  const socket = await openRawSocket(await listen(app))
  return { socket, seen, app }
}

describe('the length of a body', () => {
  test('admits exactly the limit', async () => {
    const { socket, seen } = await serve()
    socket.send(rawRequest(linesFor(CALL), BODY.padEnd(LIMIT)))
    expect(see(await socket.read())).toEqual(kept(200, valueResult({ text: 'hi' })))
    expect(seen).toHaveLength(1)
  })

  test('answers 413 to one byte more, and ends the connection', async () => {
    const { socket, seen } = await serve()
    socket.send(rawRequest(linesFor(CALL), BODY.padEnd(LIMIT + 1)))
    expect(see(await socket.read())).toEqual(TOO_LARGE)
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
  })

  test('counts bytes, not characters', async () => {
    const { socket } = await serve()
    const body = JSON.stringify(call('echo', { text: 'é'.repeat(LIMIT / 2) }))
    expect(body.length).toBeLessThan(LIMIT)
    socket.send(rawRequest(linesFor(CALL), body))
    expect(see(await socket.read())).toEqual(TOO_LARGE)
  })

  test('answers 413 to a declared length alone: no body byte is waited for', async () => {
    const asked: string[] = []
    const authorize = () => {
      asked.push('authorize')
      return { ok: true } as const
    }
    const { socket } = await serve({ authorize })
    socket.send(rawRequest([...linesFor(CALL), ['content-length', '33554432']]))
    expect(see(await socket.read())).toEqual(TOO_LARGE)
    expect(asked).toEqual([])
  })

  test('answers 413 to a length of more digits than a number holds', async () => {
    const { socket } = await serve()
    socket.send(rawRequest([...linesFor(CALL), ['content-length', '9'.repeat(19)]]))
    expect((await socket.read()).status).toBe(413)
  })

  test.each(['chunked', 'gzip, chunked', 'Chunked'])(
    'answers 411 to the transfer coding %j',
    async (coding) => {
      const { socket, seen } = await serve()
      socket.send(rawRequest([...linesFor(CALL), ['transfer-encoding', coding]], '5\r\nhello\r\n'))
      expect(see(await socket.read())).toEqual(NO_LENGTH)
      expect(await socket.ended()).toEqual([])
      expect(seen).toHaveLength(0)
    },
  )

  test('answers a request without any body as an empty one, and keeps the connection', async () => {
    const { socket } = await serve()
    const head = linesFor(CALL).map(([name, value]) => `${name}: ${value}`)
    socket.send(['POST /mcp HTTP/1.1', 'host: 127.0.0.1', ...head, '', ''].join('\r\n'))
    expect(see(await socket.read())).toEqual(kept(400, EMPTY_BODY))
    socket.send(rawPost(CALL))
    expect((await socket.read()).status).toBe(200)
  })

  test('is 1 MiB where the host names none', async () => {
    const { socket } = await serve({ bodyLimit: undefined as never })
    socket.send(rawRequest([...linesFor(CALL), ['content-length', '1048577']]))
    expect(see(await socket.read())).toEqual(
      closed(413, errorAnswer(-32600, 'Request body exceeds 1048576 bytes')),
    )
  })

  test('is not bounded by the limit of the host', async () => {
    const { options } = echoCatalog()
    const app = await createApp({ ...options, bodyLimit: 2000 }, { bodyLimit: 100 })
    expect((await post(app, call('echo', { text: 'x'.repeat(1000) }))).statusCode).toBe(200)
  })
})

describe('a body that comes slowly', () => {
  const late = (ms: number) =>
    closed(408, errorAnswer(-32600, `Request body not received within ${ms} ms`))

  test('is answered 408 when none of it comes, and the connection ends', async () => {
    const { socket, seen } = await serve({ bodyTimeout: 30 })
    socket.send(rawRequest([...linesFor(CALL), ['content-length', String(BODY.length)]]))
    expect(see(await socket.read())).toEqual(late(30))
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
  })

  test('is answered 408 when the last byte is missing', async () => {
    const { socket, seen } = await serve({ bodyTimeout: 30 })
    socket.send(
      rawRequest([...linesFor(CALL), ['content-length', String(BODY.length)]], BODY.slice(0, -1)),
    )
    expect(see(await socket.read())).toEqual(late(30))
    expect(seen).toHaveLength(0)
  })

  test('has one deadline for the whole of it, however steadily it drips', async () => {
    const { socket } = await serve({ bodyTimeout: 100, bodyLimit: 100_000 })
    socket.send(rawRequest([...linesFor(CALL), ['content-length', '100000']]))
    const drip = setInterval(() => socket.send(' '), 5)
    onTestFinished(() => clearInterval(drip))
    expect(see(await socket.read())).toEqual(late(100))
  })

  test('is served when its parts come in time', async () => {
    const { socket } = await serve()
    const bytes = rawPost(CALL)
    for (const byte of bytes) socket.send(Uint8Array.of(byte))
    expect(see(await socket.read())).toEqual(kept(200, valueResult({ text: 'hi' })))
  })
})

describe('a body over HTTP/2', () => {
  async function serveHttp2() {
    const { options, seen } = echoCatalog()
    const app = await createApp({ ...options, bodyLimit: LIMIT }, { http2: true } as object)
    const session = connect(`http://127.0.0.1:${await listen(app)}`)
    onTestFinished(() => void session.destroy())
    await once(session, 'connect')
    const send = async (body: string, headers: object = {}) => {
      const fields = { ':method': 'POST', ':path': '/mcp', ...headersFor(CALL), ...headers }
      const stream = session.request(fields)
      stream.on('error', () => undefined)
      stream.end(body)
      const [answered] = (await once(stream, 'response')) as [Record<string, unknown>]
      let text = ''
      for await (const chunk of stream) text += chunk
      return { status: answered[':status'], connection: answered['connection'], text }
    }
    return { send, seen }
  }

  test('is served without a declared length', async () => {
    const { send } = await serveHttp2()
    const { status, text } = await send(BODY)
    expect([status, JSON.parse(text)]).toEqual([200, valueResult({ text: 'hi' })])
  })

  test('is refused without a connection header, and the session goes on', async () => {
    const { send, seen } = await serveHttp2()
    expect(await send(BODY, { origin: 'https://evil.test' })).toEqual({
      status: 403,
      connection: undefined,
      text: JSON.stringify(errorAnswer(-32600, 'Origin not allowed')),
    })
    expect(await send(BODY.padEnd(LIMIT + 1))).toEqual({
      status: 413,
      connection: undefined,
      text: JSON.stringify(errorAnswer(-32600, `Request body exceeds ${LIMIT} bytes`)),
    })
    expect((await send(BODY)).status).toBe(200)
    expect(seen).toHaveLength(1)
  })
})
