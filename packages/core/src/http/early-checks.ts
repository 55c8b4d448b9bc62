// SPDX-License-Identifier: Apache-2.0
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../protocol/exchange.ts'
import { invalidRequest, type WireError } from '../protocol/wire-errors.ts'
import type { HostRule } from './hosts.ts'
import type { OriginRule } from './origins.ts'
import { headerValues } from './raw-headers.ts'
import { closeAfter, isBehindTheEnd, sendRefusal } from './send.ts'

const NO_LENGTH = 'Request body must declare its length: transfer-encoding is refused'
const OTHER_CODING =
  'Request body must declare its length or be chunked: no other transfer coding is read'
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/** What the request line and the headers are held to. */
export interface EarlyRules {
  readonly admitsOrigins: OriginRule
  /** Undefined: hosts are not looked at. */
  readonly admitsHosts: HostRule | undefined
  /** Whether a body without a declared length is read, under the same cap. */
  readonly allowChunked: boolean
  /** Bytes. */
  readonly bodyLimit: number
}

/**
 * What the request line and the headers alone decide: Origin, Host, method, declared length.
 *
 * @see docs/http.md, "Order of checks"; HTTP-02, HTTP-03
 */
export function findEarlyRefusal(
  request: FastifyRequest,
  { admitsOrigins, admitsHosts, allowChunked, bodyLimit }: EarlyRules,
): Refusal | undefined {
  if (isBehindTheEnd(request)) return { error: invalidRequest('The connection has ended', 503) }
  const { raw } = request
  if (!admitsOrigins(headerValues(raw.rawHeaders, 'origin'))) {
    return { error: invalidRequest('Origin not allowed', 403) }
  }
  if (admitsHosts !== undefined && !admitsHosts(hostsOf(raw))) {
    return { error: invalidRequest('Host not allowed', 403) }
  }
  if (raw.method !== 'POST') {
    return { error: invalidRequest(`Method not allowed: ${raw.method}; use POST`, 405) }
  }
  if (Number(raw.headers['content-length'] ?? 0) > bodyLimit) return { error: tooLarge(bodyLimit) }
  const coding = raw.headers['transfer-encoding']
  if (coding !== undefined && !(allowChunked && coding.toLowerCase() === 'chunked')) {
    return { error: invalidRequest(allowChunked ? OTHER_CODING : NO_LENGTH, 411) }
  }
  return undefined
}

/**
 * The host by each of its names: `Host`, `:authority` on HTTP/2, and the request line's own where it
 * is in absolute form, which overrules the header.
 *
 * @see RFC 9112, 3.2.2; RFC 9113, 8.3.1
 */
function hostsOf({ rawHeaders, url = '' }: FastifyRequest['raw']): readonly string[] {
  const [, target] = ABSOLUTE_FORM.exec(url) ?? []
  const named = [...headerValues(rawHeaders, 'host'), ...headerValues(rawHeaders, ':authority')]
  return target === undefined ? named : [...named, target]
}

/** More bytes than the cap. */
export function tooLarge(bodyLimit: number): WireError {
  return invalidRequest(`Request body exceeds ${bodyLimit} bytes`, 413)
}

/** Refuses before the body, or the rest of it, is read. */
export function refuseUnread(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  if (refusal.error.status === 405) reply.header('allow', 'POST')
  closeAfter(request, reply)
  sendRefusal(reply, refusal)
}
