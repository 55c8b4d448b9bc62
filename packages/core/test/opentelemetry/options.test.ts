// SPDX-License-Identifier: Apache-2.0

import { createOpenTelemetry, type OpenTelemetryOptions } from '@beam-mcp/core/opentelemetry'
import { createCatalog } from '@beam-mcp/core/server'
import { metrics, trace } from '@opentelemetry/api'
import { expect, onTestFinished, test } from 'vitest'
import { call } from '../support/messages.ts'
import { startSdk } from '../support/open-telemetry.ts'
import { createTestServer, failure, textAnswer } from '../support/server.ts'
import { PARTS } from './parts.ts'

test('what the host registered later is used where no provider is named', async () => {
  const instrument = createOpenTelemetry()
  const { server } = createTestServer({ ...createCatalog(PARTS), instrument })
  const { tracerProvider, meterProvider, spans, histogram } = startSdk()
  trace.setGlobalTracerProvider(tracerProvider)
  metrics.setGlobalMeterProvider(meterProvider)
  onTestFinished(() => {
    trace.disable()
    metrics.disable()
  })
  await server.handle(call('say'))
  expect(spans().map(({ name }) => name)).toEqual(['tools/call say'])
  expect((await histogram()).series.map(({ count }) => count)).toEqual([1])
})

test('without an SDK nothing is recorded, and everything is served', async () => {
  const instrument = createOpenTelemetry()
  const { server, log } = createTestServer({ ...createCatalog(PARTS), instrument })
  expect(await server.handle(call('say', { text: 'x' }))).toEqual(textAnswer('said x'))
  expect(log.lines).toEqual([])
})

test.each<readonly [string, unknown, string]>([
  ['no object', null, "'options' must be an object, or left out"],
  ['a name that is near', { tracerProvidor: {} }, "did you mean 'tracerProvider'?"],
  ['a tracer', { tracerProvider: {} }, "'tracerProvider' must have a function getTracer"],
  ['null for a provider', { meterProvider: null }, "'meterProvider' must have a function getMeter"],
  ['text for a flag', { propagateBaggage: 'yes' }, "'propagateBaggage' must be true or false"],
])('%s is refused at start-up', async (_what, options, message) => {
  const refused = await failure(() => createOpenTelemetry(options as OpenTelemetryOptions))
  expect(refused.code).toBe('BEAM_ERR_OPT_INVALID')
  expect(refused.message).toContain(message)
})
