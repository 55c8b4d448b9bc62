// SPDX-License-Identifier: Apache-2.0
import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { cutText } from '../protocol/echo.ts'
import type { Instrument, RequestEnd, RequestStart } from '../protocol/instrument.ts'
import { isJsonObject } from '../protocol/plain.ts'
import { refuseOption, refuseUnknown } from '../protocol/refuse-option.ts'
import { LIBRARY_VERSION } from '../version.ts'
import { ATTRIBUTE, DURATION, EXECUTE_TOOL, TOOL_ERROR } from './conventions.ts'
import { withBaggage, withParent } from './remote-context.ts'

/** What {@link createOpenTelemetry} may be told; what is left out is looked up at the first request. */
export interface OpenTelemetryOptions {
  /** @default the one that the host registered with `@opentelemetry/api` */
  readonly tracerProvider?: TracerProvider
  /** @default the one that the host registered with `@opentelemetry/api` */
  readonly meterProvider?: MeterProvider
  /**
   * Whether the baggage that a request brings is active while it is served, so that whatever the host
   * calls passes it on. It is whatever the client wrote.
   *
   * @default false
   */
  readonly propagateBaggage?: boolean
}

/** What one request needs of the host's SDK. */
interface Instruments {
  readonly tracer: Tracer
  readonly duration: Histogram
}

const SCOPE = '@beam-mcp/core'

/**
 * Makes the option `instrument` of a server: a span of kind SERVER for each request, active while the
 * request is served, and a histogram of their durations, by the semantic conventions for MCP.
 * Nothing of a request goes into them but its id, its method and what it names of the catalog.
 *
 * @throws BEAM_ERR_OPT_INVALID for an option that is unknown or of the wrong shape
 * @see docs/opentelemetry.md
 */
export function createOpenTelemetry(options: OpenTelemetryOptions = {}): Instrument {
  checkOptions(options)
  const { tracerProvider, meterProvider, propagateBaggage = false } = options
  let found: Instruments | undefined
  const instruments = (): Instruments => {
    found ??= {
      tracer: (tracerProvider ?? trace.getTracerProvider()).getTracer(SCOPE, LIBRARY_VERSION),
      duration: createDuration(meterProvider ?? metrics.getMeterProvider()),
    }
    return found
  }
  return async (start, serve) => {
    const { tracer, duration } = instruments()
    const startedAt = performance.now()
    const ambient = context.active()
    const around = propagateBaggage ? withBaggage(ambient, start.traceContext) : ambient
    const span = startSpan(tracer, start, around)
    const inside = trace.setSpan(around, span)
    const end = await context.with(inside, serve)
    endSpan(span, start, end)
    const seconds = (performance.now() - startedAt) / 1_000
    duration.record(seconds, metricAttributes(start, end), inside)
  }
}

function createDuration(provider: MeterProvider): Histogram {
  const { name, unit, description, buckets } = DURATION
  const advice = { explicitBucketBoundaries: [...buckets] }
  return provider
    .getMeter(SCOPE, LIBRARY_VERSION)
    .createHistogram(name, { unit, description, advice })
}

/** The client's span is the parent, and what was active here is linked: the transport's, say. */
function startSpan(tracer: Tracer, start: RequestStart, around: Context): Span {
  const parent = withParent(around, start.traceContext)
  const ambient = trace.getSpanContext(around)
  const hasLink = parent !== around && ambient !== undefined && trace.isSpanContextValid(ambient)
  return tracer.startSpan(
    start.method,
    {
      kind: SpanKind.SERVER,
      attributes: {
        ...commonAttributes(start),
        [ATTRIBUTE.requestId]: cutText(String(start.requestId)),
      },
      ...(hasLink && { links: [{ context: ambient }] }),
    },
    parent,
  )
}

function endSpan(span: Span, { method }: RequestStart, end: RequestEnd): void {
  const { called } = end
  if (called?.kind === 'resource') span.setAttribute(ATTRIBUTE.resource, called.name)
  // A resource's uri is no part of the name by the conventions: there may be very many.
  else if (called !== undefined) span.updateName(`${method} ${called.name}`)
  span.setAttributes(endAttributes(end))
  if (end.outcome === 'error') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** A series for each value there may be: no id, no uri. */
function metricAttributes(start: RequestStart, end: RequestEnd): Attributes {
  return { ...commonAttributes(start), ...endAttributes(end) }
}

function commonAttributes({ method, protocolVersion, transport }: RequestStart): Attributes {
  return {
    [ATTRIBUTE.method]: method,
    [ATTRIBUTE.protocolVersion]: protocolVersion,
    ...(method === 'tools/call' && { [ATTRIBUTE.operation]: EXECUTE_TOOL }),
    ...TRANSPORTS[transport],
  }
}

const TRANSPORTS: Readonly<Record<RequestStart['transport'], Attributes>> = {
  http: { [ATTRIBUTE.transport]: 'tcp', [ATTRIBUTE.protocol]: 'http' },
  stdio: { [ATTRIBUTE.transport]: 'pipe' },
  'in-process': {},
}

function endAttributes({ outcome, errorCode, called }: RequestEnd): Attributes {
  const code = errorCode === undefined ? undefined : String(errorCode)
  return {
    ...(called?.kind === 'tool' && { [ATTRIBUTE.tool]: called.name }),
    ...(called?.kind === 'prompt' && { [ATTRIBUTE.prompt]: called.name }),
    ...(outcome === 'error' && { [ATTRIBUTE.errorType]: code ?? TOOL_ERROR }),
    ...(code !== undefined && { [ATTRIBUTE.statusCode]: code }),
  }
}

function checkOptions(given: unknown): void {
  if (!isJsonObject(given)) return refuseOption('options', 'must be an object, or left out')
  refuseUnknown(given, ['tracerProvider', 'meterProvider', 'propagateBaggage'])
  checkProvider(given['tracerProvider'], 'tracerProvider', 'getTracer')
  checkProvider(given['meterProvider'], 'meterProvider', 'getMeter')
  const flag = given['propagateBaggage']
  if (flag !== undefined && typeof flag !== 'boolean') {
    refuseOption('propagateBaggage', 'must be true or false, or left out')
  }
}

function checkProvider(provider: unknown, option: string, method: string): void {
  const found = (provider as { readonly [name: string]: unknown } | null | undefined)?.[method]
  if (provider !== undefined && typeof found !== 'function') {
    refuseOption(option, `must have a function ${method}, or be left out`)
  }
}
