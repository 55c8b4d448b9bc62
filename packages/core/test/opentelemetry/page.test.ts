// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { createCatalog } from '@beam-mcp/core'
import { createOpenTelemetry } from '@beam-mcp/core/opentelemetry'
import { metrics, trace } from '@opentelemetry/api'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  ATTRIBUTE,
  DURATION,
  EXECUTE_TOOL,
  TOOL_ERROR,
} from '../../src/opentelemetry/conventions.ts'
import { createApp as createPlainApp, post } from '../support/app.ts'
import { call, request } from '../support/messages.ts'
import { startSdk } from '../support/open-telemetry.ts'
import { createApp } from './fixtures/orders.ts'
import { PARTS } from './parts.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const page = read('../../../../docs/opentelemetry.md')

/** The table of attributes: name and where it is recorded. */
const rows = [...page.matchAll(/^\| `([a-z_.]+\.[a-z_.]+)` \| (span(?:, histogram)?) \|/gm)].map(
  ([, name = '', where = '']) => ({ name, where }),
)

describe('docs/opentelemetry.md', () => {
  test('has the program as it is run, and no other', () => {
    const program = read('fixtures/orders.ts').replace(/^\/\/ SPDX-License-Identifier: .*\n/, '')
    const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text)
    expect(blocks).toEqual([program])
  })

  test('has each name of the conventions that is written, and no other', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.values(ATTRIBUTE))
    for (const name of [DURATION.name, EXECUTE_TOOL, TOOL_ERROR])
      expect(page).toContain(`\`${name}\``)
    const [first, last] = [DURATION.buckets[0], DURATION.buckets.at(-1)]
    expect(page).toContain(`(${first} to ${last})`)
  })

  test('says where each attribute is recorded', async () => {
    const { tracerProvider, meterProvider, spans, histogram } = startSdk()
    const instrument = createOpenTelemetry({ tracerProvider, meterProvider })
    const app = await createPlainApp({ ...createCatalog(PARTS), instrument })
    await post(app, call('say'))
    await post(app, call('break'))
    await post(app, request('prompts/get', { name: 'ask' }))
    await post(app, request('resources/read', { uri: 'note://1' }))
    const { series } = await histogram()
    const namesOf = (all: readonly { readonly attributes: object }[]): ReadonlySet<string> =>
      new Set(all.flatMap(({ attributes }) => Object.keys(attributes)))
    const [onSpans, onSeries] = [namesOf(spans()), namesOf(series)]
    const recorded = rows.map(({ name }) => ({
      name,
      where: [onSpans.has(name) && 'span', onSeries.has(name) && 'histogram']
        .filter(Boolean)
        .join(', '),
    }))
    expect(recorded).toEqual(rows)
    expect(new Set([...onSpans, ...onSeries]).size).toBe(rows.length)
  })

  test('shows a program whose own span is a child of the request', async () => {
    const { tracerProvider, meterProvider, spans, histogram } = startSdk()
    trace.setGlobalTracerProvider(tracerProvider)
    metrics.setGlobalMeterProvider(meterProvider)
    onTestFinished(() => {
      trace.disable()
      metrics.disable()
    })
    const app = await createApp()
    const authorization = 'Bearer s3cret'
    const answer = await post(app, call('find_order', { id: '7' }), { authorization })
    expect(answer.json().result.structuredContent).toEqual({ id: '7', state: 'sent' })
    const [query, served] = spans()
    expect([query?.name, served?.name]).toEqual(['query orders', 'tools/call find_order'])
    expect(query?.parentSpanContext?.spanId).toBe(served?.spanContext().spanId)
    expect((await histogram()).series.map(({ count }) => count)).toEqual([1])
  })
})
