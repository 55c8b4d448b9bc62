// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { constants, type ServerHttp2Stream } from 'node:http2'
import { setImmediate } from 'node:timers/promises'
import { createCatalog, defineTool } from '@beam-mcp/core'
import type { FastifyRequest } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  EMPTY_BODY,
  errorAnswer,
  FORBIDDEN,
  INTERNAL,
  mismatch,
  NO_JSON,
  ORIGIN_REFUSED,
  unsupported,
  valueResult,
  WRONG_TYPE,
} from '../support/answers.ts'
import {
  collectLog,
  createApp,
  ECHO,
  type EndpointOptions,
  echoCatalog,
  listen,
  watched,
} from '../support/app.ts'
import {
  answered,
  ask,
  beginRequest,
  type Fields,
  type Http2Seen,
  openSession,
  readAnswer,
  seeHttp2,
} from '../support/http2-client.ts'
import { call, META, request } from '../support/messages.ts'
import { openRawHttp2, pseudoFields } from '../support/raw-http2.ts'
import { type Line, linesFor } from '../support/raw-request.ts'

const CALL = call('echo', { text: 'hi' })
const BODY = JSON.stringify(CALL)
const LIMIT = 4096
const NODE_MAJOR = Number(process.versions.node.split('.')[0])
const SERVED = answered(200, valueResult({ text: 'hi' }))
const TOO_LARGE = answered(413, errorAnswer(-32600, `Request body exceeds ${LIMIT} bytes`))
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

async function serve(options: Partial<EndpointOptions> = {}) {
  const { options: catalog, seen } = echoCatalog()
  const endpoint = { ...catalog, bodyLimit: LIMIT, ...options }
  const app = await createApp(endpoint, { http2: true } as object)
  const port = await listen(app)
  return { app, port, seen, session: await openSession(port) }
}

/** Something that a test waits for and then lets go on. */
function gate() {
  let tell = (): void => undefined
  let open = (): void => undefined
  const isEntered = new Promise<void>((resolve) => (tell = resolve))
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  const pass = (): Promise<void> => {
    tell()
    return isOpen
  }
  return { pass, isEntered, open: () => open() }
}

/** Warnings of the process while a test runs. */
function watchWarnings(): Error[] {
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  return warnings
}

/** One request while faults are put into it. */
interface Draft {
  readonly message: Record<string, unknown>
  readonly fields: Record<string, string | readonly string[] | undefined>
  rewrite: (text: string) => string
}

/** One fault, and its answer when it is the first. */
interface Row {
  readonly name: string
  readonly spoil: (draft: Draft) => void
  readonly answer: Http2Seen
  /** How many of the three decisions are asked, up to this refusal. */
  readonly asked: number
}

function field(name: string, value: string | readonly string[] | undefined): Row['spoil'] {
  return ({ fields }) => {
    fields[name] = value
  }
}

function member(name: string, value: unknown): Row['spoil'] {
  return ({ message }) => {
    message[name] = value
  }
}

function rewriting(change: (text: string) => string): Row['spoil'] {
  return (draft) => {
    const { rewrite } = draft
    draft.rewrite = (text) => change(rewrite(text))
  }
}

// In the order in which they are checked: each of them wins over every later one.
const ROWS: readonly Row[] = [
  {
    name: 'an Origin outside the list',
    spoil: field('origin', ['https://app.example', 'https://evil.test']),
    answer: answered(403, ORIGIN_REFUSED),
    asked: 0,
  },
  {
    name: 'an authority outside the list',
    spoil: field(':authority', 'evil.test'),
    answer: answered(403, errorAnswer(-32600, 'Host not allowed')),
    asked: 0,
  },
  {
    name: 'another method than POST',
    spoil: field(':method', 'PUT'),
    answer: answered(405, errorAnswer(-32600, 'Method not allowed: PUT; use POST')),
    asked: 0,
  },
  {
    name: 'a refusal by authorize',
    spoil: field('x-refuse-authorize', 'yes'),
    answer: answered(403, FORBIDDEN),
    asked: 1,
  },
  {
    name: 'a body over the limit',
    spoil: rewriting((text) => text.padEnd(LIMIT + 1)),
    answer: TOO_LARGE,
    asked: 1,
  },
  {
    name: 'a refusal by authorizeBody',
    spoil: field('x-refuse-authorize-body', 'yes'),
    answer: answered(403, FORBIDDEN),
    asked: 2,
  },
  {
    name: 'another content type',
    spoil: field('content-type', 'text/plain'),
    answer: answered(415, WRONG_TYPE),
    asked: 2,
  },
  {
    name: 'a content coding',
    spoil: field('content-encoding', 'gzip'),
    answer: answered(
      415,
      errorAnswer(-32600, 'Content-Encoding is not supported; send the body as it is'),
    ),
    asked: 2,
  },
  {
    name: 'an Accept of neither type',
    spoil: field('accept', 'text/html'),
    answer: answered(
      406,
      errorAnswer(-32600, 'Not acceptable: the answer is application/json or text/event-stream'),
    ),
    asked: 2,
  },
  {
    name: 'a body that is no JSON',
    spoil: rewriting((text) => `${text}!`),
    answer: answered(400, NO_JSON),
    asked: 2,
  },
  {
    name: 'a repeated key',
    spoil: rewriting((text) => text.replace('{', '{"twice":1,"twice":2,')),
    answer: answered(400, errorAnswer(-32600, 'Request body repeats a key: duplicate key "twice"')),
    asked: 2,
  },
  {
    name: 'an id that is none',
    spoil: member('id', true),
    answer: answered(
      400,
      errorAnswer(-32600, 'Invalid Request: id must be a string or an integer'),
    ),
    asked: 2,
  },
  {
    name: 'another version in one of its lines',
    spoil: field('mcp-protocol-version', [META[VERSION_KEY], '2025-11-25']),
    answer: answered(400, mismatch('mcp-protocol-version header does not match the body value')),
    asked: 2,
  },
  {
    name: 'another method in one of its lines',
    spoil: field('mcp-method', ['tools/call', 'tools/list']),
    answer: answered(
      400,
      mismatch('mcp-method header does not match the corresponding request body value'),
    ),
    asked: 2,
  },
  {
    name: 'another name in one of its lines',
    spoil: field('mcp-name', ['wipe', 'route']),
    answer: answered(
      400,
      mismatch('mcp-name header does not match the corresponding request body value'),
    ),
    asked: 2,
  },
  {
    name: 'a refusal by authorizeCall',
    spoil: field('x-refuse-authorize-call', 'yes'),
    answer: answered(403, { ...FORBIDDEN, id: 1 }),
    asked: 3,
  },
  {
    name: 'a mirrored argument that differs in one of its lines',
    spoil: field('mcp-param-region', ['north', 'south']),
    answer: answered(
      400,
      mismatch('Mcp-Param-region header does not match the corresponding request body value'),
    ),
    asked: 3,
  },
  {
    name: 'a tool that fails',
    spoil: rewriting((text) => text.replace('"text":"hi"', '"text":"fail"')),
    answer: answered(500, { ...INTERNAL, id: 1 }),
    asked: 3,
  },
]

const ROUTE = defineTool({
  name: 'route',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'region' },
      text: { type: 'string' },
    },
  },
  handler: (args) => {
    if (args['text'] === 'fail') throw new Error('the host failed')
    return args
  },
})

describe('the order of checks over HTTP/2', () => {
  async function start() {
    const asked: string[] = []
    const { options, seen } = watched(createCatalog({ tools: [ROUTE] }))
    const decide = (hook: string, asking: FastifyRequest | undefined): { ok: true } => {
      asked.push(hook)
      return { ok: asking?.headers[`x-refuse-${hook}`] === undefined } as { ok: true }
    }
    const { session } = await serve({
      ...options,
      allowedOrigins: ['https://app.example'],
      allowedHosts: ['app.example'],
      authorize: (asking) => decide('authorize', asking),
      authorizeBody: (asking) => decide('authorize-body', asking),
      authorizeCall: ({ request: asking }) => decide('authorize-call', asking),
    })
    const send = async (...rows: readonly Row[]): Promise<Http2Seen> => {
      asked.length = 0
      seen.length = 0
      const message = call('route', { region: 'north', text: 'hi' })
      const fields: Draft['fields'] = {
        ':authority': 'app.example',
        origin: ['https://app.example', 'https://app.example'],
        'mcp-param-region': ['north', 'north'],
      }
      const draft: Draft = { message, fields, rewrite: (text) => text }
      for (const row of rows.toReversed()) row.spoil(draft)
      const { rewrite } = draft
      const answer = await ask(session, message, fields, rewrite(JSON.stringify(message)))
      expect(answer.headers['connection']).toBeUndefined()
      return seeHttp2(answer)
    }
    return { send, asked, seen }
  }

  test('serves a request without a fault, whose equal lines are repeated', async () => {
    const { send, asked } = await start()
    expect(await send()).toEqual(answered(200, valueResult({ region: 'north', text: 'hi' })))
    expect(asked).toEqual(['authorize', 'authorize-body', 'authorize-call'])
  })

  test('is that of HTTP/1: each fault wins over every later one, and none warns', async () => {
    const warnings = watchWarnings()
    const { send, asked, seen } = await start()
    for (const [index, row] of ROWS.entries()) {
      expect(await send(row), row.name).toEqual(row.answer)
      expect(asked, row.name).toHaveLength(row.asked)
      expect(seen, row.name).toHaveLength(row.name === 'a tool that fails' ? 1 : 0)
      for (const later of ROWS.slice(index + 1)) {
        expect(await send(row, later), `${row.name}, then ${later.name}`).toEqual(row.answer)
      }
    }
    await setImmediate()
    expect(warnings).toEqual([])
  })

  test('[HTTP-02] names the method that is allowed', async () => {
    const { session } = await serve()
    const { status, headers } = await ask(session, CALL, { ':method': 'DELETE' })
    expect([status, headers['allow']]).toEqual([405, 'POST'])
  })
})

describe('an answer over HTTP/2', () => {
  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/none' }, 202],
    ['a list', request('tools/list'), 200],
    ['a method that is unknown', request('tools/none'), 404],
    ['an unknown tool', call('none'), 200],
  ])('is that of HTTP/1: %s', async (_, message, status) => {
    const { app, session } = await serve()
    const answer = await ask(session, message)
    const { id: _id, ...rest } = answer.body === undefined ? { id: 0 } : (answer.body as { id: 1 })
    const inProcess = await app.mcp.handle(message)
    expect(answer.status).toBe(status)
    expect(answer.headers['connection']).toBeUndefined()
    expect(rest).toEqual(
      inProcess === undefined ? {} : JSON.parse(JSON.stringify({ ...inProcess, id: undefined })),
    )
  })

  test('to a version that is not served names those that are', async () => {
    const { session } = await serve()
    const meta = { ...META, [VERSION_KEY]: '2031-01-01' }
    const message = request('tools/list', { _meta: meta })
    const answer = await ask(session, message, { 'mcp-protocol-version': '2031-01-01' })
    expect(seeHttp2(answer)).toEqual(answered(400, unsupported('2031-01-01')))
  })

  test('stays one when an onSend hook of the host fails, and warns of nothing', async () => {
    const warnings = watchWarnings()
    const { options } = echoCatalog()
    const app = await createApp(options, { http2: true } as object)
    app.addHook('onSend', async () => {
      throw new Error('the host failed')
    })
    const session = await openSession(await listen(app))
    const answer = await ask(session, CALL)
    expect(answer).toMatchObject({ status: 500, body: INTERNAL })
    expect(answer.headers['connection']).toBeUndefined()
    await setImmediate()
    expect(warnings).toEqual([])
  })
})

describe('a body over HTTP/2', () => {
  test('is ordinary without a declared length, whether allowChunked is given or not', async () => {
    for (const allowChunked of [false, true]) {
      const { session } = await serve({ allowChunked })
      expect(seeHttp2(await ask(session, CALL))).toEqual(SERVED)
      const length = String(BODY.length)
      expect(seeHttp2(await ask(session, CALL, { 'content-length': length }))).toEqual(SERVED)
    }
  })

  test('may have exactly the limit, in as many frames as it takes', async () => {
    const { session } = await serve()
    const stream = beginRequest(session, CALL)
    for (const character of BODY.padEnd(LIMIT)) stream.write(character)
    stream.end()
    expect(seeHttp2(await readAnswer(stream))).toEqual(SERVED)
  })

  test('is answered as an empty one where there is none', async () => {
    const { session } = await serve()
    expect(seeHttp2(await ask(session, CALL, {}, ''))).toEqual(answered(400, EMPTY_BODY))
  })

  test('is answered 413 by its declared length, before a byte of it comes', async () => {
    const { session, seen } = await serve()
    const stream = beginRequest(session, CALL, { 'content-length': String(LIMIT + 1) })
    expect(seeHttp2(await readAnswer(stream))).toEqual(TOO_LARGE)
    expect(seen).toHaveLength(0)
  })

  test.each(['1', String(BODY.length + 1)])(
    'is ended by Node where the declared length is not its own: %s',
    async (length) => {
      const { port, seen } = await serve()
      const fields = [...pseudoFields('app.example'), ...linesFor(CALL)]
      const connection = await openRawHttp2(port)
      connection.send(1, { fields: [...fields, ['content-length', length]], body: BODY })
      // Whether the stream or its whole session ends differs between versions of Node.
      const outcome = await connection.outcome(1).catch(() => ({ body: '', reset: 1 }))
      expect([outcome.body, outcome.reset !== constants.NGHTTP2_NO_ERROR]).toEqual(['', true])
      const next = await openRawHttp2(port)
      next.send(1, { fields, body: BODY })
      const { body } = await next.outcome(1)
      expect([JSON.parse(body), seen.length]).toEqual([valueResult({ text: 'hi' }), 1])
    },
  )

  test('brings no header in its trailers', async () => {
    const { session } = await serve()
    const headers = { ':method': 'POST', ':path': '/mcp', ...Object.fromEntries(linesFor(CALL)) }
    const stream = session.request(headers, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'mcp-name': 'other' }))
    stream.end(BODY)
    expect(seeHttp2(await readAnswer(stream))).toEqual(SERVED)
  })

  test.each([
    ['two content types', [['content-type', 'application/json']], WRONG_TYPE],
    [
      'two names',
      [['mcp-name', 'other']],
      mismatch('mcp-name header does not match the corresponding request body value'),
    ],
  ] as const)('is judged by every line of a header: %s', async (_, further, expected) => {
    const { port, seen } = await serve()
    const connection = await openRawHttp2(port)
    const fields = [...pseudoFields('app.example'), ...linesFor(CALL), ...further]
    connection.send(1, { fields, body: BODY })
    expect(JSON.parse((await connection.outcome(1)).body)).toEqual(expected)
    expect(seen).toHaveLength(0)
  })

  test.each<[string, Line[]]>([
    ['neither authority nor host', pseudoFields()],
    [
      'two hosts',
      [...pseudoFields('app.example'), ['host', 'app.example'], ['host', 'app.example']],
    ],
    [
      'two declared lengths',
      [
        ...pseudoFields('app.example'),
        ['content-length', String(BODY.length)],
        ['content-length', String(BODY.length)],
      ],
    ],
    ['a transfer coding', [...pseudoFields('app.example'), ['transfer-encoding', 'chunked']]],
  ])('is reset by Node with %s', async (_, fields) => {
    const { port, seen } = await serve()
    const connection = await openRawHttp2(port)
    connection.send(1, { fields: [...fields, ...linesFor(CALL)], body: BODY })
    expect(await connection.outcome(1)).toEqual({
      body: '',
      reset: constants.NGHTTP2_PROTOCOL_ERROR,
    })
    expect(seen).toHaveLength(0)
  })
})

describe('a refusal over HTTP/2 that leaves the body unread', () => {
  const late = answered(408, errorAnswer(-32600, 'Request body not received within 30 ms'))

  test.each([
    ['before any of it comes', { origin: 'https://evil.test' }, '', answered(403, ORIGIN_REFUSED)],
    ['after a part of it', { origin: 'https://evil.test' }, BODY, answered(403, ORIGIN_REFUSED)],
    ['by authorize', { 'x-refuse': 'yes' }, BODY, answered(403, FORBIDDEN)],
    ['by its declared length', { 'content-length': '33554432' }, BODY, TOO_LARGE],
    ['at the first byte over the cap', {}, BODY.padEnd(LIMIT + 1), TOO_LARGE],
    ['at its deadline, without a byte', {}, '', late],
    ['at its deadline, in the middle', {}, BODY.slice(0, 9), late],
  ] as const)('ends its stream, and no other: %s', async (_, fields, part, expected) => {
    const hold = gate()
    const { options } = watched(createCatalog({ tools: [ECHO, holding(hold.pass)] }))
    const { session } = await serve({
      ...options,
      bodyTimeout: 30,
      authorize: ({ headers }) => ({ ok: headers['x-refuse'] === undefined }) as { ok: true },
    })
    const held = ask(session, call('hold', {}, 7))
    await hold.isEntered
    const stream = beginRequest(session, CALL, fields as Fields)
    const isClosed = once(stream, 'close')
    if (part !== '') stream.write(part)
    expect(seeHttp2(await readAnswer(stream))).toEqual(expected)
    // The request has not ended its body: it is the server that ends the stream, without a fault.
    await isClosed
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR)
    expect(seeHttp2(await ask(session, CALL))).toEqual(SERVED)
    hold.open()
    expect(seeHttp2(await held)).toEqual(answered(200, valueResult({ held: true }, 7)))
  })

  test('holds no more of it than the cap, and what the stream may send unasked', async () => {
    const { app, session } = await serve()
    const opened = once(app.server, 'stream') as Promise<[ServerHttp2Stream]>
    const stream = beginRequest(session, CALL)
    stream.write(Buffer.alloc(2 * 1024 * 1024, ' '))
    const [serverStream] = await opened
    const isClosed = once(serverStream, 'close')
    const { session: serverSession } = serverStream
    // A stream's window, and what Node puts into the buffers of one that is paused: more from 22 on.
    const { initialWindowSize = 65_535 } = serverSession?.localSettings ?? {}
    const unasked = initialWindowSize + 2 * serverStream.readableHighWaterMark
    expect(seeHttp2(await readAnswer(stream))).toEqual(TOO_LARGE)
    await isClosed
    expect(serverSession?.state.effectiveRecvDataLength).toBeLessThan(128 * 1024)
    expect(serverSession?.socket.bytesRead).toBeLessThan(LIMIT + unasked + 64 * 1024)
    expect(seeHttp2(await ask(session, CALL))).toEqual(SERVED)
  })
})

/** A tool that waits at a gate. */
function holding(pass: () => Promise<void>) {
  return defineTool({
    name: 'hold',
    handler: async () => {
      await pass()
      return { held: true }
    },
  })
}

describe('a client that vanishes over HTTP/2', () => {
  const PHASES = ['authorize', 'the body', 'authorizeBody', 'authorizeCall', 'the tool'] as const
  const ENDS = ['a reset', 'a reset without a fault', 'the end of its connection'] as const
  const CASES = PHASES.flatMap((phase) => ENDS.map((end) => [phase, end] as const))

  test.each(CASES)('during %s, by %s, costs nothing', async (phase, end) => {
    const hold = gate()
    const warnings = watchWarnings()
    const admit = (at: string) => async (asking: FastifyRequest | undefined) => {
      if (at === phase && asking?.headers['x-hold'] !== undefined) await hold.pass()
      return { ok: true } as const
    }
    const { options, seen } = watched(createCatalog({ tools: [ECHO, holding(hold.pass)] }))
    const log = collectLog('warn')
    const app = await createApp(
      {
        ...options,
        authorize: admit('authorize'),
        authorizeBody: admit('authorizeBody'),
        authorizeCall: ({ request: asking }) => admit('authorizeCall')(asking),
      },
      { http2: true, logger: log.logger } as object,
    )
    const port = await listen(app)
    const isGone = new Promise<void>((resolve) => {
      app.server.once('request', (_, response) => response.once('close', resolve))
    })
    const arrived = once(app.server, 'request')
    const isCut = phase === 'authorize' || phase === 'the body'
    const message = phase === 'the tool' ? call('hold') : CALL
    const fields = [...pseudoFields('app.example'), ...linesFor(message), ['x-hold', 'y'] as const]
    const connection = await openRawHttp2(port)
    // A whole message without its end: what is cut there must not be taken for all of it.
    connection.send(1, { fields, body: JSON.stringify(message), isLast: !isCut })
    await (phase === 'the body' ? arrived : hold.isEntered)
    if (end === 'the end of its connection') connection.vanish()
    else
      connection.reset(1, end === 'a reset' ? constants.NGHTTP2_CANCEL : constants.NGHTTP2_NO_ERROR)
    await isGone
    hold.open()
    const next = end === 'the end of its connection' ? await openRawHttp2(port) : connection
    const again = call('echo', { text: 'hi' }, 2)
    next.send(3, {
      fields: [...pseudoFields('app.example'), ...linesFor(again)],
      body: JSON.stringify(again),
    })
    expect(JSON.parse((await next.outcome(3)).body)).toEqual(valueResult({ text: 'hi' }, 2))
    // What came whole was accepted, and runs; what did not never does.
    const whole = message === CALL ? 'echo' : 'hold'
    expect(seen.map(({ tool }) => tool)).toEqual(isCut ? ['echo'] : [whole, 'echo'])
    await setImmediate()
    expect(warnings).toEqual([])
    expect(log.lines).toEqual([])
  })
})

describe('closing an application with HTTP/2', () => {
  test('with forceCloseConnections answers the request in flight, and ends the session', async () => {
    const hold = gate()
    const { options } = watched(createCatalog({ tools: [holding(hold.pass)] }))
    const app = await createApp(options, { http2: true, forceCloseConnections: true } as object)
    const session = await openSession(await listen(app))
    const isClosed = once(session, 'close')
    const held = ask(session, call('hold'))
    await hold.isEntered
    const closing = app.close()
    hold.open()
    expect(seeHttp2(await held)).toEqual(answered(200, valueResult({ held: true })))
    await Promise.all([closing, isClosed])
    expect(app.server.listening).toBe(false)
  })

  test.skipIf(NODE_MAJOR >= 24)('without it waits for the client to end its session', async () => {
    const { app, session } = await serve()
    expect(seeHttp2(await ask(session, CALL))).toEqual(SERVED)
    const order: string[] = []
    const closing = app.close().then(() => order.push('closed'))
    expect(seeHttp2(await ask(session, CALL))).toMatchObject({ status: 503 })
    order.push('answered')
    session.close()
    await closing
    expect(order).toEqual(['answered', 'closed'])
  })
})
