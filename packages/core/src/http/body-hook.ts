// SPDX-License-Identifier: Apache-2.0
import type { FastifyRequest, preParsingHookHandler } from 'fastify'
import type { Refusal } from '../protocol/exchange.ts'
import { logSafely } from '../protocol/logger.ts'
import { readMessage } from '../protocol/read-message.ts'
import { settle } from '../protocol/settle.ts'
import {
  internalError,
  invalidRequest,
  parseError,
  unreadableBody,
  type WireError,
} from '../protocol/wire-errors.ts'
import { collectBody, isTouched } from './collect-body.ts'
import { decide } from './decision.ts'
import { refuseUnread, tooLarge } from './early-checks.ts'
import { accepts, isJsonType } from './media-types.ts'
import type { ReadPluginOptions } from './plugin-options.ts'
import { headerValues } from './raw-headers.ts'

import { stateOf } from './request-state.ts'
import { fail, isHttp2, sendRefusal } from './send.ts'

/**
 * Collects the body once, shows it to the host, judges what its headers say it is, and decodes it.
 * All of it happens before the content-type parser, whose errors would end the connection.
 */
export function createBodyHook(
  options: ReadPluginOptions,
  bodyLimit: number,
): preParsingHookHandler {
  const bounds = { limit: bodyLimit, timeoutMs: options.bodyTimeout }
  return (request, reply, payload, done) => {
    const { raw } = request
    const isWhole = (payload as unknown) === raw && !isTouched(raw)
    // Over HTTP/2 a body that its sender broke off looks read; it is collected as one that is gone.
    const isGone = isHttp2(request) && raw.aborted
    if (!isWhole && !isGone) {
      logSafely(request.log, 'error', {}, whyUnreadable(payload, raw))
      return refuseUnread(request, reply, { error: internalError() })
    }
    collectBody(raw, bounds, (body) => {
      if (body.ok) stateOf(request).bytes = body.bytes
      void settle(
        () => (body.ok ? askAuthorizeBody(request, body.bytes, options) : undefined),
        (refused) => {
          if (!body.ok) return refuseUnread(request, reply, { error: bodyError(body.why, bounds) })
          const judged = refused ?? judgeBody(request, body.bytes)
          if (judged === undefined) done()
          else sendRefusal(reply, judged)
        },
        (thrown) => fail(reply, thrown),
      )
    })
  }
}

function whyUnreadable(payload: unknown, raw: unknown): string {
  return payload === raw
    ? 'The body was read before the endpoint could: authorize and onRequest hooks may not read it'
    : "A preParsing hook replaced the body's stream; the endpoint needs the exact bytes: keep that hook off this route"
}

function bodyError(
  why: 'too large' | 'too slow' | 'gone',
  { limit, timeoutMs }: { readonly limit: number; readonly timeoutMs: number },
): WireError {
  if (why === 'too large') return tooLarge(limit)
  if (why === 'gone') return unreadableBody('the connection ended')
  return invalidRequest(`Request body not received within ${timeoutMs} ms`, 408)
}

/** What the host says of the exact bytes; undefined where it has nothing to say. */
function askAuthorizeBody(
  request: FastifyRequest,
  bytes: Buffer,
  { authorizeBody, authorizeTimeoutMs }: ReadPluginOptions,
): Promise<Refusal | undefined> | undefined {
  if (authorizeBody === undefined) return undefined
  const asking = { hook: 'authorizeBody', log: request.log, timeoutMs: authorizeTimeoutMs } as const
  const verdict = decide(asking, () => authorizeBody(request, bytes))
  return Promise.resolve(verdict).then((settled) => {
    if (!settled.ok) return settled.refusal
    endSooner(request, settled.expiresAt)
    return undefined
  })
}

/** Of two decisions that bound an admission, the earlier one does. */
function endSooner(request: FastifyRequest, expiresAt: number | undefined): void {
  const state = stateOf(request)
  if (expiresAt === undefined) return
  state.expiresAt = Math.min(expiresAt, state.expiresAt ?? expiresAt)
}

/** What the headers say the bytes are, and what they hold. */
function judgeBody(request: FastifyRequest, bytes: Buffer): Refusal | undefined {
  const refused = typeRefusal(request, bytes)
  if (refused !== undefined) return refused
  const body = readMessage(bytes)
  if (!body.ok) return { error: body.error }
  stateOf(request).reading = body.reading
  return undefined
}

/** An empty body, a type or coding that is not read, or an answer that is not wanted. */
function typeRefusal(request: FastifyRequest, bytes: Buffer): Refusal | undefined {
  const { raw } = request
  if (bytes.length === 0) return { error: parseError('empty body') }
  const given = headerValues(raw.rawHeaders, 'content-type')
  if (given.length !== 1 || !isJsonType(given[0] ?? '')) {
    return { error: invalidRequest('Content-Type must be application/json', 415) }
  }
  const codings = headerValues(raw.rawHeaders, 'content-encoding')
  if (codings.some((coding) => coding.toLowerCase() !== 'identity')) {
    return {
      error: invalidRequest('Content-Encoding is not supported; send the body as it is', 415),
    }
  }
  const types = headerValues(raw.rawHeaders, 'accept')
  if (accepts(types, 'application/json')) return undefined
  if (!accepts(types, 'text/event-stream')) {
    return {
      error: invalidRequest(
        'Not acceptable: the answer is application/json or text/event-stream',
        406,
      ),
    }
  }
  stateOf(request).takesJson = false
  return undefined
}
