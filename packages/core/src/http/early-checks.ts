// SPDX-License-Identifier: Apache-2.0
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../protocol/engine.ts'
import { invalidRequest, type WireError } from '../protocol/wire-errors.ts'
import type { OriginRule } from './origins.ts'
import { headerValues } from './raw-headers.ts'
import { closeAfter, isBehindTheEnd, sendRefusal } from './send.ts'

/**
 * What the request line and the headers alone decide: Origin, method, declared length.
 *
 * @see docs/http.md, "Order of checks"; HTTP-02, HTTP-03
 */
export function findEarlyRefusal(
  request: FastifyRequest,
  admitsOrigins: OriginRule,
  bodyLimit: number,
): Refusal | undefined {
  if (isBehindTheEnd(request)) return { error: invalidRequest('The connection has ended', 503) }
  const { raw } = request
  if (!admitsOrigins(headerValues(raw.rawHeaders, 'origin'))) {
    return { error: invalidRequest('Origin not allowed', 403) }
  }
  if (raw.method !== 'POST') {
    return { error: invalidRequest(`Method not allowed: ${raw.method}; use POST`, 405) }
  }
  if (Number(raw.headers['content-length'] ?? 0) > bodyLimit) return { error: tooLarge(bodyLimit) }
  if (raw.headers['transfer-encoding'] !== undefined) {
    const why = 'Request body must declare its length: transfer-encoding is refused'
    return { error: invalidRequest(why, 411) }
  }
  return undefined
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
