// SPDX-License-Identifier: Apache-2.0
import { type JsonObject, ownMember } from './plain.ts'

/** Where a request belongs in a distributed trace, as its client says. Untrusted, and well formed. */
export interface TraceContext {
  /** `00-<32 hexadecimal digits>-<16>-<2>`. */
  readonly traceparent: string
  readonly tracestate?: string
  readonly baggage?: string
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const MEMBER_KEY = '[a-z0-9][a-z0-9_*/-]{0,255}(?:@[a-z][a-z0-9_*/-]{0,13})?'
const MEMBER = new RegExp(
  `^[ \\t]*(?:${MEMBER_KEY}=[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{1,256}[ \\t]*)?$`,
)
const MAX_MEMBERS = 32
const BAGGAGE = /^[\x20-\x7e\t]+$/
const MAX_BAGGAGE = 8_192

/**
 * Reads the trace context of a request. What is malformed counts as absent; a state without a parent
 * means nothing.
 *
 * @see MCP 2026-07-28, Trace Context: TRACE-01, TRACE-02; W3C Trace Context; W3C Baggage
 */
export function readTraceContext(meta: JsonObject): TraceContext | undefined {
  const traceparent = ownMember(meta, 'traceparent')
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined
  const tracestate = ownMember(meta, 'tracestate')
  const baggage = ownMember(meta, 'baggage')
  return {
    traceparent,
    ...(isTracestate(tracestate) && { tracestate }),
    ...(isBaggage(baggage) && { baggage }),
  }
}

function isTracestate(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_BAGGAGE) return false
  const members = value.split(',')
  return members.length <= MAX_MEMBERS && members.every((member) => MEMBER.test(member))
}

function isBaggage(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_BAGGAGE && BAGGAGE.test(value)
}
