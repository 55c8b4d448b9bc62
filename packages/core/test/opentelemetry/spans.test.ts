// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool, type ServerOptions } from '@beam-mcp/core'
import { createOpenTelemetry, type OpenTelemetryOptions } from '@beam-mcp/core/opentelemetry'
import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import { AlwaysOnSampler, ParentBasedSampler } from '@opentelemetry/sdk-trace-base'
import { describe, expect, test } from 'vitest'
import { createApp, listen } from '../support/app.ts'
import { createGate, sendCall } from '../support/event-streams.ts'
import { call, META, request } from '../support/messages.ts'
import { BOTH, bare, postOld } from '../support/older-client.ts'
import { shapeOf, startSdk } from '../support/open-telemetry.ts'
import { createTestServer, textAnswer } from '../support/server.ts'
import { startRun } from '../support/stdio-run.ts'
import { PARTS, SECRET } from './parts.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const PARENT = `00-${TRACE}-${SPAN}-01`

/** A call of a tool within a trace. */
function traced(name: string, meta: object, id: unknown = 1): Record<string, unknown> {
  return request('tools/call', { name, arguments: {}, _meta: { ...META, ...meta } }, id)
}

/** A server in process under the real SDK. */
function serve(parts = PARTS, more: OpenTelemetryOptions = {}) {
  const sdk = startSdk()
  const { tracerProvider, meterProvider } = sdk
  const instrument = createOpenTelemetry({ tracerProvider, meterProvider, ...more })
  const { server, log } = createTestServer({ ...createCatalog(parts), instrument })
  return { ...sdk, server, log }
}

const CALLED = {
  'mcp.method.name': 'tools/call',
  'mcp.protocol.version': '2026-07-28',
  'jsonrpc.request.id': '1',
  'gen_ai.operation.name': 'execute_tool',
}

describe('the span of a request', () => {
  test.each<readonly [string, Record<string, unknown>, string, object]>([
    [
      'a tool',
      call('say', { text: SECRET }),
      'tools/call say',
      { ...CALLED, 'gen_ai.tool.name': 'say' },
    ],
    [
      'a prompt',
      request('prompts/get', { name: 'ask', arguments: { who: SECRET } }, 'p-1'),
      'prompts/get ask',
      {
        'mcp.method.name': 'prompts/get',
        'mcp.protocol.version': '2026-07-28',
        'jsonrpc.request.id': 'p-1',
        'gen_ai.prompt.name': 'ask',
      },
    ],
    [
      'a resource, whose template is no part of the name',
      request('resources/read', { uri: `note://${SECRET}` }),
      'resources/read',
      {
        'mcp.method.name': 'resources/read',
        'mcp.protocol.version': '2026-07-28',
        'jsonrpc.request.id': '1',
        'mcp.resource.uri': 'note://{id}',
      },
    ],
    [
      'a list, and the digits of its id',
      request('tools/list', {}, 9_007_199_254_740_993n),
      'tools/list',
      {
        'mcp.method.name': 'tools/list',
        'mcp.protocol.version': '2026-07-28',
        'jsonrpc.request.id': '9007199254740993',
      },
    ],
  ])('names %s', async (_what, message, name, attributes) => {
    const { server, spans } = serve()
    await server.handle(message)
    expect(spans().map(shapeOf)).toEqual([
      { name, kind: SpanKind.SERVER, isError: false, attributes, parent: undefined },
    ])
    expect(spans()[0]?.instrumentationScope.name).toBe('@beam-mcp/core')
  })

  test.each<readonly [string, Record<string, unknown>, string, object]>([
    [
      'a tool that says it failed',
      call('decline'),
      'tools/call decline',
      { 'gen_ai.tool.name': 'decline', 'error.type': 'tool_error' },
    ],
    [
      'a tool that throws',
      call('break'),
      'tools/call break',
      {
        'gen_ai.tool.name': 'break',
        'error.type': '-32603',
        'rpc.response.status_code': '-32603',
      },
    ],
    [
      'arguments that do not fit',
      call('say', { text: 7 }),
      'tools/call say',
      { 'gen_ai.tool.name': 'say', 'error.type': 'tool_error' },
    ],
    [
      'a tool that is not listed, whose name stays out',
      call(SECRET),
      'tools/call',
      { 'error.type': '-32602', 'rpc.response.status_code': '-32602' },
    ],
  ])(
    'says of %s that it is an error, and nothing of the reason',
    async (_what, message, name, more) => {
      const { server, spans } = serve()
      await server.handle(message)
      expect(spans().map(shapeOf)).toEqual([
        {
          name,
          kind: SpanKind.SERVER,
          isError: true,
          attributes: { ...CALLED, ...more },
          parent: undefined,
        },
      ])
      const [span] = spans()
      expect(span?.status.message).toBeUndefined()
      expect(span?.events).toEqual([])
      expect(JSON.stringify([span?.name, span?.attributes])).not.toContain(SECRET)
    },
  )

  test('cuts an id that is very long', async () => {
    const { server, spans } = serve()
    await server.handle(request('tools/list', {}, 'i'.repeat(5_000)))
    expect(spans()[0]?.attributes['jsonrpc.request.id']).toBe('i'.repeat(256))
  })

  test('covers the time that the handler takes', async () => {
    const gate = createGate()
    const wait = defineTool({ name: 'wait', handler: () => gate.opened.then(() => 'done') })
    const { server, spans } = serve({ ...PARTS, tools: [wait] })
    const answer = server.handle(call('wait'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(spans()).toEqual([])
    gate.open()
    await answer
    expect(spans().map(({ ended }) => ended)).toEqual([true])
  })
})

describe('the parent of a span', () => {
  test('[TRACE-02] is what the request names, with its state', async () => {
    const { server, spans } = serve()
    await server.handle(traced('say', { traceparent: PARENT, tracestate: 'rojo=1,congo=2' }))
    const [span] = spans()
    expect(span?.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: SPAN, isRemote: true })
    const own = span?.spanContext()
    expect(own).toMatchObject({ traceId: TRACE, traceFlags: 1 })
    expect(own?.traceState?.serialize()).toBe('rojo=1,congo=2')
    expect(span?.links).toEqual([])
  })

  test('decides what is recorded, as the SDK is told to by default', async () => {
    const { server, spans } = serve()
    await server.handle(traced('say', { traceparent: `00-${TRACE}-${SPAN}-00` }))
    expect(spans()).toEqual([])
  })

  test('decides nothing where the sampler of the page is told so', async () => {
    const root = new AlwaysOnSampler()
    const sampler = new ParentBasedSampler({
      root,
      remoteParentSampled: root,
      remoteParentNotSampled: root,
    })
    const { tracerProvider, meterProvider, spans } = startSdk(sampler)
    const instrument = createOpenTelemetry({ tracerProvider, meterProvider })
    const { server } = createTestServer({ ...createCatalog(PARTS), instrument })
    await server.handle(traced('say', { traceparent: `00-${TRACE}-${SPAN}-00` }))
    expect(spans().map((span) => span.parentSpanContext?.spanId)).toEqual([SPAN])
  })

  test('is none where the request names one that is malformed', async () => {
    const { server, spans } = serve()
    await server.handle(traced('say', { traceparent: 'nonsense', tracestate: 'rojo=1' }))
    expect(spans()[0]?.parentSpanContext).toBeUndefined()
  })

  test('is what was active here, or that is linked where the request names one', async () => {
    const { server, spans, tracerProvider } = serve()
    const outer = tracerProvider.getTracer('host').startSpan('transport')
    const within = trace.setSpan(context.active(), outer)
    await context.with(within, () => server.handle(call('say')))
    await context.with(within, () => server.handle(traced('say', { traceparent: PARENT })))
    const [first, second] = spans()
    expect(first?.parentSpanContext).toEqual(outer.spanContext())
    expect(first?.links).toEqual([])
    expect(second?.parentSpanContext?.spanId).toBe(SPAN)
    expect(second?.links.map((link) => link.context)).toEqual([outer.spanContext()])
  })
})

describe('what a handler does', () => {
  test('is within the span of its own request, over HTTP and side by side', async () => {
    const { tracerProvider, meterProvider, spans } = startSdk()
    const tracer = tracerProvider.getTracer('host')
    const both = createGate()
    let running = 0
    const work = defineTool({
      name: 'work',
      handler: async () => {
        running += 1
        if (running === 8) both.open()
        await both.opened
        const child = tracer.startSpan('child', {}, context.active())
        await new Promise((resolve) => setImmediate(resolve))
        child.end()
        return 'done'
      },
    })
    const app = await createApp({
      ...createCatalog({ tools: [work] }),
      instrument: createOpenTelemetry({ tracerProvider, meterProvider }),
    })
    const port = await listen(app)
    const traceOf = (index: number): string => `${index + 1}`.padStart(32, '0')
    const calls = Array.from({ length: 8 }, async (_, index) => {
      const parent = { traceparent: `00-${traceOf(index)}-${SPAN}-01` }
      const open = await sendCall(port, traced('work', parent, index)).answer
      expect(await open.rest()).toContain('done')
    })
    await Promise.all(calls)
    const named = (name: string) => spans().filter((span) => span.name === name)
    const servers = named('tools/call work')
    expect(servers.map((span) => span.spanContext().traceId).sort()).toEqual(
      Array.from({ length: 8 }, (_, index) => traceOf(index)),
    )
    for (const span of servers) {
      const { traceId, spanId } = span.spanContext()
      expect(span.attributes).toMatchObject({
        'jsonrpc.request.id': String(Number(traceId) - 1),
        'network.transport': 'tcp',
        'network.protocol.name': 'http',
      })
      const children = named('child').filter((child) => child.spanContext().traceId === traceId)
      expect(children.map((child) => child.parentSpanContext?.spanId)).toEqual([spanId])
    }
  })

  test('is within the span in process, and no longer afterwards', async () => {
    const where = defineTool({
      name: 'where',
      handler: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return trace.getActiveSpan()?.spanContext().spanId ?? 'nowhere'
      },
    })
    const { server, spans } = serve({ ...PARTS, tools: [where] })
    const answer = await server.handle(call('where'))
    expect(answer).toEqual(textAnswer(String(spans()[0]?.spanContext().spanId)))
    expect(trace.getActiveSpan()).toBeUndefined()
  })
})

describe('other transports and the older revision', () => {
  test('an older client over HTTP', async () => {
    const { tracerProvider, meterProvider, spans } = startSdk()
    const instrument = createOpenTelemetry({ tracerProvider, meterProvider })
    const app = await createApp({ ...createCatalog(PARTS), instrument, revisions: [...BOTH] })
    const params = { name: 'say', arguments: {}, _meta: { traceparent: PARENT } }
    await postOld(app, bare('tools/call', params))
    const [span] = spans()
    expect(span?.name).toBe('tools/call say')
    expect(span?.attributes).toMatchObject({ 'mcp.protocol.version': '2025-11-25' })
    expect(span?.parentSpanContext?.spanId).toBe(SPAN)
  })

  test('stdio is a pipe', async () => {
    const { tracerProvider, meterProvider, spans } = startSdk()
    const run = startRun(PARTS, {
      instrument: createOpenTelemetry({ tracerProvider, meterProvider }),
    })
    run.send(traced('say', { traceparent: PARENT }))
    await run.next()
    const [span] = spans()
    expect(span?.attributes).toEqual({
      ...CALLED,
      'gen_ai.tool.name': 'say',
      'network.transport': 'pipe',
    })
    expect(span?.spanContext().traceId).toBe(TRACE)
  })
})

describe('baggage of a request', () => {
  const BAGGAGE = { baggage: 'user = al%C3%A9x ;p=1; q , node=%FF%41%zz,user=last' }
  const tell = defineTool({
    name: 'tell',
    handler: () => {
      const entries = propagation.getActiveBaggage()?.getAllEntries() ?? []
      return {
        entries: entries.map(([key, { value, metadata }]) => [
          key,
          value,
          metadata?.toString() ?? null,
        ]),
      }
    },
  })
  const told = async (more: OpenTelemetryOptions, meta: object): Promise<unknown> => {
    const { server } = serve({ ...PARTS, tools: [tell] }, more)
    const mine = propagation.createBaggage({ mine: { value: '1' } })
    const answer = await context.with(propagation.setBaggage(context.active(), mine), () =>
      server.handle(traced('tell', meta)),
    )
    return answer?.result?.['structuredContent']
  }
  const MINE = { entries: [['mine', '1', null]] }

  test('is not active unless the host says so', async () => {
    expect(await told({}, BAGGAGE)).toEqual(MINE)
    expect(await told({ propagateBaggage: false }, BAGGAGE)).toEqual(MINE)
  })

  test('is active, decoded, where the host says so, with a trace and without', async () => {
    const entries = {
      entries: [
        ['user', 'last', null],
        ['node', '\ufffdA%zz', null],
      ],
    }
    expect(await told({ propagateBaggage: true }, BAGGAGE)).toEqual(entries)
    expect(await told({ propagateBaggage: true }, { ...BAGGAGE, traceparent: PARENT })).toEqual(
      entries,
    )
    const rich = { baggage: 'user = al%C3%A9x ;p=1; q' }
    expect(await told({ propagateBaggage: true }, rich)).toEqual({
      entries: [['user', 'aléx', 'p=1;q']],
    })
  })

  test('leaves what was active where there is none, or none that is well formed', async () => {
    expect(await told({ propagateBaggage: true }, {})).toEqual(MINE)
    expect(await told({ propagateBaggage: true }, { baggage: 'a b' })).toEqual(MINE)
  })
})

test('the span of a subscription is as long as that is', async () => {
  const { tracerProvider, meterProvider, spans } = startSdk()
  const instrument = createOpenTelemetry({ tracerProvider, meterProvider })
  const { server } = createTestServer({
    ...createCatalog(PARTS),
    subscriptions: true,
    instrument,
  })
  const begun = createGate()
  const onNotification = (): void => begun.open()
  const listening = request('subscriptions/listen', { notifications: { toolsListChanged: true } })
  const answer = server.handle(listening, { onNotification })
  await begun.opened
  expect(spans()).toEqual([])
  server.close()
  expect((await answer)?.result).toMatchObject({ resultType: 'complete' })
  expect(spans().map(({ name, status }) => [name, status.code])).toEqual([
    ['subscriptions/listen', 0],
  ])
})

test('an SDK that throws harms nobody', async () => {
  const thrown = new Error('the SDK is broken')
  const tracerProvider = {
    getTracer: () => {
      throw thrown
    },
  }
  const options: Partial<ServerOptions> = { instrument: createOpenTelemetry({ tracerProvider }) }
  const { server, log } = createTestServer({ ...createCatalog(PARTS), ...options })
  expect(await server.handle(call('say', { text: 'x' }))).toEqual(textAnswer('said x'))
  expect(log.lines.map(({ bindings }) => bindings['err'])).toEqual([thrown])
})
