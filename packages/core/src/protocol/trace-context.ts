// SPDX-License-Identifier: Apache-2.0
import { type JsonObject, ownMember } from './plain.ts'

/** Where a request belongs in a distributed trace, as its client says. Untrusted, and well formed. */
export interface TraceContext {
  /** `00-<32 hexadecimal digits>-<16>-<2>`; what a later version adds is left out. */
  readonly traceparent?: string
  /** At most 32 members, no key twice. Only where there is a `traceparent`. */
  readonly tracestate?: string
  /** At most 180 members and 8,192 characters; independent of the other two. */
  readonly baggage?: string
}

const IDS = '(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}'
const TRACEPARENT = new RegExp(`^00-${IDS}-[0-9a-f]{2}$`)
const LATER_TRACEPARENT = new RegExp(`^(?!00|ff)[0-9a-f]{2}-(${IDS})-[0-9a-f]([0-9a-f])(?:-|$)`)

// The keys of level 2, which has those of level 1 among them. A value ends in no blank.
const STATE_KEY = /^[a-z0-9][a-z0-9_*/@-]{0,255}$/
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/
const MOST_STATE_MEMBERS = 32
/** As many of the longest members as there may be, with their commas. */
const LONGEST_STATE = MOST_STATE_MEMBERS * (256 + 1 + 256 + 1) - 1

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const BAGGAGE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
const MOST_BAGGAGE_MEMBERS = 180
/** What everyone has to pass on; whatever is longer may be dropped. */
const LONGEST_BAGGAGE = 8_192

/**
 * Reads the trace context of a request. What is malformed counts as absent, each key by itself; a
 * state without a parent means nothing.
 *
 * @returns undefined where no key says anything
 * @see MCP 2026-07-28, Trace Context: TRACE-01, TRACE-02; W3C Trace Context; W3C Baggage
 */
export function readTraceContext(meta: JsonObject): TraceContext | undefined {
  const traceparent = readTraceparent(ownMember(meta, 'traceparent'))
  const tracestate = traceparent && ownMember(meta, 'tracestate')
  const baggage = ownMember(meta, 'baggage')
  const hasBaggage = isBaggage(baggage)
  if (traceparent === undefined && !hasBaggage) return undefined
  return {
    ...(traceparent !== undefined && { traceparent }),
    ...(isTracestate(tracestate) && { tracestate }),
    ...(hasBaggage && { baggage }),
  }
}

/** A later version is read as far as this one goes. @see W3C Trace Context, Versioning of traceparent */
function readTraceparent(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (TRACEPARENT.test(value)) return value
  const [, ids, digit] = LATER_TRACEPARENT.exec(value) ?? []
  return ids && digit && `00-${ids}-0${Number.parseInt(digit, 16) & 1}`
}

/** Members may be empty, and count. @see W3C Trace Context, tracestate Header Field Values */
function isTracestate(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LONGEST_STATE) return false
  const members = value.split(',')
  const keys = members.map(trimBlanks).filter((member) => member !== '')
  const names = keys.map(readStateKey)
  return (
    members.length <= MOST_STATE_MEMBERS &&
    !names.includes(undefined) &&
    new Set(names).size === names.length
  )
}

function readStateKey(member: string): string | undefined {
  const [key = '', value = ''] = splitOnce(member, '=')
  return STATE_KEY.test(key) && STATE_VALUE.test(value) ? key : undefined
}

/** Members may not be empty, and a key may come twice. @see W3C Baggage, Header Content */
function isBaggage(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LONGEST_BAGGAGE) return false
  const members = value.split(',')
  return members.length <= MOST_BAGGAGE_MEMBERS && members.every(isBaggageMember)
}

function isBaggageMember(member: string): boolean {
  const [pair = '', ...properties] = member.split(';')
  return isPair(pair) && properties.every((property) => isPair(property) || isToken(property))
}

function isPair(text: string): boolean {
  const [key, value] = splitOnce(text, '=')
  return value !== undefined && isToken(key) && BAGGAGE_VALUE.test(trimBlanks(value))
}

function isToken(text: string): boolean {
  return TOKEN.test(trimBlanks(text))
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Takes away blanks and tabs alone; a pattern for it would look at some of them many times. */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09
