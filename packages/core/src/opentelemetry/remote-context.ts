// SPDX-License-Identifier: Apache-2.0
import {
  type Baggage,
  type BaggageEntry,
  baggageEntryMetadataFromString,
  type Context,
  createTraceState,
  propagation,
  type SpanContext,
  trace,
} from '@opentelemetry/api'
import type { TraceContext } from '../protocol/trace-context.ts'

const ENCODED = /(?:%[0-9A-Fa-f]{2})+/g

/**
 * A context with the span that a request names as its parent. The API has no reader of W3C's texts,
 * and an SDK's takes what the reader of `_meta` refuses.
 */
export function withParent(context: Context, given: TraceContext | undefined): Context {
  const { traceparent, tracestate } = given ?? {}
  if (traceparent === undefined) return context
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  const parent: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  }
  return trace.setSpanContext(context, parent)
}

/** A context with the baggage of a request; where it has none, with whatever was there. */
export function withBaggage(context: Context, { baggage }: TraceContext = {}): Context {
  return baggage === undefined ? context : propagation.setBaggage(context, parseBaggage(baggage))
}

/** @param text  well formed; of a key that comes twice the last one counts */
function parseBaggage(text: string): Baggage {
  const entries = text.split(',').map((member): readonly [string, BaggageEntry] => {
    const [pair = '', ...properties] = member.split(';')
    const at = pair.indexOf('=')
    const value = decode(pair.slice(at + 1).trim())
    const metadata = properties.map((property) => property.trim()).join(';')
    return [
      pair.slice(0, at).trim(),
      metadata === '' ? { value } : { value, metadata: baggageEntryMetadataFromString(metadata) },
    ]
  })
  return propagation.createBaggage(Object.fromEntries(entries))
}

/** Octets that are no UTF-8 become U+FFFD. @see W3C Baggage, Value */
function decode(value: string): string {
  return value.replace(ENCODED, (octets) =>
    Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}
