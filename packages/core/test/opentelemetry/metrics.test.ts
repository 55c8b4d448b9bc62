// SPDX-License-Identifier: Apache-2.0
import { createCatalog } from '@beam-mcp/core'
import { createOpenTelemetry } from '@beam-mcp/core/opentelemetry'
import { expect, test } from 'vitest'
import { createApp, post } from '../support/app.ts'
import { call, request } from '../support/messages.ts'
import { startSdk } from '../support/open-telemetry.ts'
import { createTestServer } from '../support/server.ts'
import { PARTS, SECRET } from './parts.ts'

function serve() {
  const sdk = startSdk()
  const { tracerProvider, meterProvider } = sdk
  const instrument = createOpenTelemetry({ tracerProvider, meterProvider })
  return { ...sdk, instrument, ...createTestServer({ ...createCatalog(PARTS), instrument }) }
}

const CALLED = {
  'mcp.method.name': 'tools/call',
  'mcp.protocol.version': '2026-07-28',
  'gen_ai.operation.name': 'execute_tool',
}

test('the histogram has the name, the unit and the buckets of the conventions', async () => {
  const { server, histogram } = serve()
  await server.handle(call('say'))
  const { name, unit, boundaries } = await histogram()
  expect({ name, unit, boundaries }).toEqual({
    name: 'mcp.server.operation.duration',
    unit: 's',
    boundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
  })
})

test('each request counts once, in the series of what it is about and how it ended', async () => {
  const { server, histogram } = serve()
  await server.handle(call('say', {}, 'a'))
  await server.handle(call('say', { text: SECRET }, 'b'))
  await server.handle(call('decline'))
  await server.handle(request('prompts/get', { name: 'ask' }))
  await server.handle(request('resources/read', { uri: `note://${SECRET}` }))
  const { series } = await histogram()
  expect(series.map(({ attributes, count }) => ({ attributes, count }))).toEqual([
    { attributes: { ...CALLED, 'gen_ai.tool.name': 'say' }, count: 2 },
    {
      attributes: { ...CALLED, 'gen_ai.tool.name': 'decline', 'error.type': 'tool_error' },
      count: 1,
    },
    {
      attributes: {
        'mcp.method.name': 'prompts/get',
        'mcp.protocol.version': '2026-07-28',
        'gen_ai.prompt.name': 'ask',
      },
      count: 1,
    },
    {
      attributes: {
        'mcp.method.name': 'resources/read',
        'mcp.protocol.version': '2026-07-28',
      },
      count: 1,
    },
  ])
})

test('no client can make a series of its own', async () => {
  const { server, histogram } = serve()
  for (let index = 0; index < 50; index += 1) {
    await server.handle(call(`no-such-tool-${index}`, {}, `id-${index}`))
    await server.handle(request('resources/read', { uri: `nowhere://${index}` }))
    await server.handle(request(`no/such/${index}`))
  }
  const { series } = await histogram()
  const failed = { 'error.type': '-32602', 'rpc.response.status_code': '-32602' }
  expect(series.map(({ attributes, count }) => ({ attributes, count }))).toEqual([
    { attributes: { ...CALLED, ...failed }, count: 50 },
    {
      attributes: {
        'mcp.method.name': 'resources/read',
        'mcp.protocol.version': '2026-07-28',
        ...failed,
      },
      count: 50,
    },
  ])
})

test('a request over HTTP says so, and takes as long as its span', async () => {
  const { instrument, spans, histogram } = serve()
  const app = await createApp({ ...createCatalog(PARTS), instrument })
  await post(app, call('say'))
  const { series } = await histogram()
  expect(series.map(({ attributes }) => attributes)).toEqual([
    {
      ...CALLED,
      'gen_ai.tool.name': 'say',
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
    },
  ])
  const [seconds = 0, rest = 0] = spans()[0]?.duration ?? []
  // Seconds, not milliseconds: the span lies within the time that is measured around it.
  const ratio = (series[0]?.sum ?? 0) / (seconds + rest / 1e9)
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(500)
})
