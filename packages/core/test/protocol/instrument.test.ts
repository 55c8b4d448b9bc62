// SPDX-License-Identifier: Apache-2.0
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createCatalog,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type Instrument,
  type RequestEnd,
  type RequestStart,
  type ServerOptions,
  toolError,
} from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { readValue } from '../../src/json/read-value.ts'
import { createTransportServer } from '../../src/protocol/create-server.ts'
import { inProcess } from '../../src/protocol/in-process.ts'
import { createApp, listen, post } from '../support/app.ts'
import { sendCall } from '../support/event-streams.ts'
import { call, META, request } from '../support/messages.ts'
import { BOTH, bare, initialize, postOld } from '../support/older-client.ts'
import { createTestServer, failure, textAnswer } from '../support/server.ts'
import { startRun, toolAnswer } from '../support/stdio-run.ts'

const SECRET = 'MARKER-never-told'

const PARTS = {
  tools: [
    defineTool({
      name: 'say',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      handler: ({ text }) => `said ${String(text)}`,
    }),
    defineTool({ name: 'decline', handler: () => toolError(SECRET) }),
    defineTool({
      name: 'break',
      handler: () => {
        throw new Error(SECRET)
      },
    }),
  ],
  resources: [defineResource({ uri: 'note://list', name: 'list', read: () => SECRET })],
  resourceTemplates: [
    defineResourceTemplate({ uriTemplate: 'note://{id}', name: 'note', read: () => SECRET }),
  ],
  prompts: [
    definePrompt({ name: 'ask', arguments: [{ name: 'who' }], render: ({ who }) => who ?? 'all' }),
  ],
}
const CATALOG = createCatalog(PARTS)

interface Told {
  readonly start: RequestStart
  end?: RequestEnd
}

/** An instrument, and all that it is told. */
function record(): { readonly told: Told[]; readonly instrument: Instrument } {
  const told: Told[] = []
  const instrument: Instrument = async (start, serve) => {
    const entry: Told = { start }
    told.push(entry)
    entry.end = await serve()
  }
  return { told, instrument }
}

const START = {
  method: 'tools/call',
  requestId: 1,
  protocolVersion: '2026-07-28',
  server: 'test',
  traceContext: undefined,
}
const SAID = {
  outcome: 'ok',
  errorCode: undefined,
  called: { kind: 'tool', name: 'say' },
}
const CALL = call('say', { text: SECRET })

describe('an instrument wraps each request once', () => {
  test('in process', async () => {
    const { told, instrument } = record()
    const { server } = createTestServer({ ...CATALOG, instrument })
    expect(await server.handle(CALL)).toEqual(textAnswer(`said ${SECRET}`))
    expect(told).toEqual([{ start: { ...START, transport: 'in-process' }, end: SAID }])
    expect(JSON.stringify(told)).not.toContain(SECRET)
  })

  test('over HTTP, in both revisions', async () => {
    const { told, instrument } = record()
    const app = await createApp({
      ...CATALOG,
      instrument,
      revisions: [...BOTH],
      serverInfo: { name: 'test', version: '1' },
    })
    const open = await sendCall(await listen(app), CALL).answer
    expect(open.status).toBe(200)
    await open.rest()
    await postOld(app, bare('tools/call', { name: 'say', arguments: { text: SECRET } }))
    const start = { ...START, transport: 'http' }
    expect(told).toEqual([
      { start, end: SAID },
      { start: { ...start, protocolVersion: '2025-11-25' }, end: SAID },
    ])
  })

  test('on stdio, the handshake too', async () => {
    const { told, instrument } = record()
    const run = startRun(PARTS, { instrument })
    run.send(CALL)
    expect(await run.next()).toEqual(toolAnswer(1, `said ${SECRET}`))
    run.send(initialize())
    await run.next()
    const old = { method: 'initialize', requestId: 0, protocolVersion: '2025-11-25' }
    const nothing = { outcome: 'ok', errorCode: undefined, called: undefined }
    expect(told).toEqual([
      { start: { ...START, transport: 'stdio' }, end: SAID },
      { start: { ...START, ...old, transport: 'stdio' }, end: nothing },
    ])
  })

  test('that a method serves, and no other message', async () => {
    const { told, instrument } = record()
    const app = await createApp({ ...CATALOG, instrument })
    await post(app, { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} })
    await post(app, request('no/such'))
    await post(app, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'mcp-method': 'tools/list' })
    await post(app, CALL, { 'mcp-name': 'other' })
    expect(told).toEqual([])
    await post(app, request('server/discover'))
    expect(told.map(({ start }) => start.method)).toEqual(['server/discover'])
  })

  test('with the trace that the request names', async () => {
    const { told, instrument } = record()
    const traceContext = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    const { server } = createTestServer({ ...CATALOG, instrument })
    await server.handle(request('tools/list', { _meta: { ...META, ...traceContext } }))
    expect(told[0]?.start.traceContext).toEqual(traceContext)
  })
})

describe('an instrument is told what became of a request', () => {
  const tool = (name: string) => ({ kind: 'tool', name })
  test.each<readonly [string, Record<string, unknown>, Partial<RequestEnd>]>([
    ['a tool that says it failed', call('decline'), { called: tool('decline') as never }],
    ['a tool that throws', call('break'), { errorCode: -32603, called: tool('break') as never }],
    ['arguments that do not fit', call('say', { text: 1 }), { called: tool('say') as never }],
    ['a tool that there is not', call(SECRET), { errorCode: -32602 }],
    [
      'a resource that there is not',
      request('resources/read', { uri: SECRET }),
      { errorCode: -32602 },
    ],
    [
      'a resource by its uri',
      request('resources/read', { uri: 'note://list' }),
      { outcome: 'ok', called: { kind: 'resource', name: 'note://list' } },
    ],
    [
      'a resource by its template',
      request('resources/read', { uri: `note://${SECRET}` }),
      { outcome: 'ok', called: { kind: 'resource', name: 'note://{id}' } },
    ],
    [
      'a prompt',
      request('prompts/get', { name: 'ask', arguments: { who: SECRET } }),
      { outcome: 'ok', called: { kind: 'prompt', name: 'ask' } },
    ],
    [
      'a prompt whose arguments do not fit',
      request('prompts/get', { name: 'ask', arguments: { who: 7 } }),
      { errorCode: -32602, called: { kind: 'prompt', name: 'ask' } },
    ],
    ['a list', request('tools/list'), { outcome: 'ok' }],
  ])('%s', async (_what, message, end) => {
    const { told, instrument } = record()
    const { server } = createTestServer({ ...CATALOG, instrument })
    await server.handle(message)
    const nothing = { outcome: 'error', errorCode: undefined, called: undefined }
    expect(told.map((entry) => entry.end)).toEqual([{ ...nothing, ...end }])
    expect(JSON.stringify(told)).not.toContain(SECRET)
  })

  test('a scope that the host refused', async () => {
    const { told, instrument } = record()
    const app = await createApp({
      ...CATALOG,
      instrument,
      authorizeCall: () => ({ ok: false, status: 403 }),
    })
    expect((await post(app, CALL)).statusCode).toBe(403)
    const end = { outcome: 'error', errorCode: -32600, called: undefined }
    expect(told.map((entry) => entry.end)).toEqual([end])
  })
})

describe('what an instrument does', () => {
  async function serve(instrument: Instrument, message = CALL) {
    let runs = 0
    const dispatch: ServerOptions['dispatch'] = (...given) => {
      runs += 1
      return CATALOG.dispatch(...given)
    }
    const { server, log } = createTestServer({ ...CATALOG, dispatch, instrument })
    const answer = await server.handle(message)
    return { answer, runs, lines: log.lines }
  }
  const OK = { answer: textAnswer(`said ${SECRET}`), runs: 1, lines: [] }
  const BROKEN = new Error('instrument is broken')
  const LINE = {
    level: 'error',
    bindings: { err: BROKEN, requestId: '1' },
    message: 'instrument failed; the request is served all the same',
  }
  const broken = (): never => {
    throw BROKEN
  }

  test('surrounds all that the handler awaits', async () => {
    const store = new AsyncLocalStorage<string>()
    const where = defineTool({
      name: 'where',
      handler: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return store.getStore() ?? 'nowhere'
      },
    })
    const instrument: Instrument = (_start, begin) => store.run('inside', begin)
    const { server } = createTestServer({ ...createCatalog({ tools: [where] }), instrument })
    expect(await server.handle(call('where'))).toEqual(textAnswer('inside'))
  })

  test('when serve settles comes before the answer', async () => {
    const order: string[] = []
    const instrument: Instrument = async (_start, begin) => {
      await begin()
      order.push('instrument')
    }
    const { server } = createTestServer({ ...CATALOG, instrument })
    await server.handle(CALL).then(() => order.push('answer'))
    expect(order).toEqual(['instrument', 'answer'])
  })

  test.each<readonly [string, Instrument]>([
    ['that does nothing', () => undefined],
    ['that answers what is no promise', () => 7],
    ['that calls serve twice', async (_start, begin) => Promise.all([begin(), begin()])],
    [
      'that calls serve when the request is long answered',
      async (_start, begin) => {
        await new Promise((resolve) => setImmediate(resolve))
        await begin()
      },
    ],
    ['that never settles', () => new Promise(() => undefined)],
    [
      'that never settles after serve',
      async (_start, begin) => {
        await begin()
        await new Promise(() => undefined)
      },
    ],
  ])('changes nothing where it is one %s', async (_what, instrument) => {
    expect(await serve(instrument)).toEqual(OK)
  })

  test('may begin late, and is told of the same run', async () => {
    const ends: Promise<RequestEnd>[] = []
    let later: (() => Promise<RequestEnd>) | undefined
    const served = await serve((_start, begin) => {
      later = begin
      ends.push(begin())
    })
    expect(served).toEqual(OK)
    ends.push(...(later === undefined ? [] : [later()]))
    expect(await Promise.all(ends)).toEqual([SAID, SAID])
  })

  test.each<readonly [string, Instrument]>([
    ['before serve', broken],
    ['before serve, asynchronously', async () => broken()],
    [
      'after it called serve',
      (_start, begin) => {
        void begin()
        broken()
      },
    ],
    [
      'after serve',
      async (_start, begin) => {
        await begin()
        broken()
      },
    ],
  ])('is logged and harms nobody where it throws %s', async (_what, instrument) => {
    expect(await serve(instrument)).toEqual({ ...OK, lines: [LINE] })
  })

  test('is nothing to wait for where there is none', async () => {
    const serveNow = async (more: Partial<ServerOptions>): Promise<unknown> => {
      const { engine, options, ready } = createTransportServer({ ...CATALOG, ...more })
      await ready()
      const reading = readValue(CALL)
      return reading.ok && { answer: engine.serve(reading, inProcess({}, options.logger)) }
    }
    expect(await serveNow({})).toEqual({ answer: expect.objectContaining({ status: 200 }) })
    const instrument: Instrument = (_start, begin) => begin()
    expect(await serveNow({ instrument })).toEqual({ answer: expect.any(Promise) })
  })
})

test('an instrument that is no function is refused at start-up', async () => {
  const instrument = { wrap: true } as unknown as Instrument
  expect(await failure(() => createTestServer({ instrument }))).toEqual({
    code: 'BEAM_ERR_OPT_INVALID',
    message: "Option 'instrument' must be a function, or left out",
  })
})
