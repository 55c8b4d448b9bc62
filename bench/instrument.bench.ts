// What does an instrument cost each tool call, beside a server without one? Unit: µs of CPU a call.
// SPDX-License-Identifier: Apache-2.0

import { createOpenTelemetry } from '@beam-mcp/core/opentelemetry'
import {
  createCatalog,
  createServer,
  defineTool,
  type Instrument,
  type McpServer,
} from '@beam-mcp/core/server'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { publish, table } from './http/page.ts'
import { describeRun, spread } from './http/statistics.ts'

const ROUNDS = 31
const WARM_UP = 6
const CALLS = 2_000

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'at_once',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    },
  },
}

interface Way {
  readonly name: string
  readonly server: McpServer
  readonly times: number[]
}

function wayOf(name: string, instrument?: Instrument): Way {
  const tools = [defineTool({ name: 'at_once', handler: () => 'done' })]
  const server = createServer({
    ...createCatalog({ tools }),
    ...(instrument !== undefined && { instrument }),
  })
  return { name, server, times: [] }
}

/** Takes every span and keeps none, so that no exporter is measured. */
const DROP: SpanProcessor = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
}

/** Microseconds of CPU of one call. */
async function time({ server }: Way): Promise<number> {
  const before = process.cpuUsage()
  for (let call = 0; call < CALLS; call += 1) await server.handle(CALL)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const tracerProvider = new BasicTracerProvider({ spanProcessors: [DROP] })
const meterProvider = new MeterProvider()
const none = wayOf('none')
const ways = [
  none,
  wayOf('one that only serves', (_start, serve) => serve()),
  wayOf('OpenTelemetry, and no SDK', createOpenTelemetry()),
  wayOf(
    'OpenTelemetry, and an SDK that keeps nothing',
    createOpenTelemetry({ tracerProvider, meterProvider }),
  ),
]
for (let round = 0; round < ROUNDS; round += 1) {
  for (const way of ways) {
    const us = await time(way)
    if (round >= WARM_UP) way.times.push(us)
  }
}
const rows = ways.map(({ name, times }) => {
  const more = times.map((us, round) => us - (none.times[round] ?? Number.NaN))
  return [name, spread(times, 1), spread(more, 1)]
})
const how = `In process, medians of ${ROUNDS - WARM_UP} alternating rounds of ${CALLS} calls, with the middle half in brackets; "more" is beside the same round without one.`
const versions = ['@beam-mcp/core', '@opentelemetry/api', '@opentelemetry/sdk-trace-base']
const head = ['instrument', 'µs a call', 'more, µs']
publish('instrument', `${describeRun(versions)} ${how}\n\n${table(head, rows)}`, 'opentelemetry.md')
