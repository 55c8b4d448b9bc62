// SPDX-License-Identifier: Apache-2.0
import { context, SpanStatusCode } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { onTestFinished } from 'vitest'

/** One series of a histogram. */
export interface Series {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly count: number
  readonly sum: number
}

/** The real SDK, and what it would export. */
export interface Sdk {
  readonly tracerProvider: BasicTracerProvider
  readonly meterProvider: MeterProvider
  /** The spans that have ended, in that order. */
  readonly spans: () => readonly ReadableSpan[]
  /** The only histogram, collected now. */
  readonly histogram: () => Promise<{
    readonly name: string
    readonly unit: string
    readonly boundaries: readonly number[]
    readonly series: readonly Series[]
  }>
}

/** Starts the SDK for one test, with the context manager that Node's own SDK brings. */
export function startSdk(sampler?: Sampler): Sdk {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    ...(sampler && { sampler }),
  })
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter })
  const meterProvider = new MeterProvider({ readers: [reader] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  onTestFinished(async () => {
    context.disable()
    await tracerProvider.shutdown()
    await meterProvider.shutdown()
  })
  const histogram: Sdk['histogram'] = async () => {
    await reader.forceFlush()
    const metrics = metricExporter
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap((scope) => scope.metrics)
    const [metric] = metrics ?? []
    if (metric === undefined || metrics?.length !== 1) throw new Error('there is not one metric')
    if (metric.dataPointType !== DataPointType.HISTOGRAM) throw new Error('it is no histogram')
    const { descriptor, dataPoints } = metric
    return {
      name: descriptor.name,
      unit: descriptor.unit,
      boundaries: dataPoints[0]?.value.buckets.boundaries ?? [],
      series: dataPoints.map(({ attributes, value }) => ({
        attributes,
        count: value.count,
        sum: value.sum ?? Number.NaN,
      })),
    }
  }
  return { tracerProvider, meterProvider, spans: () => exporter.getFinishedSpans(), histogram }
}

/** A span without its clock. */
export function shapeOf({ name, kind, status, attributes, parentSpanContext }: ReadableSpan) {
  return {
    name,
    kind,
    isError: status.code === SpanStatusCode.ERROR,
    attributes,
    parent: parentSpanContext?.spanId,
  }
}
