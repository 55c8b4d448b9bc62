// SPDX-License-Identifier: Apache-2.0
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodeError } from '../protocol/json-rpc.ts'
import { asError, logSafely } from '../protocol/logger.ts'
import { isJsonObject, ownMember } from '../protocol/plain.ts'
import { internalError, invalidRequest, type WireError } from '../protocol/wire-errors.ts'
import { stateOf } from './request-state.ts'
import { closeAfter, isHttp2, sendRefusal } from './send.ts'

/** Headers of an error that would describe a body or a connection that is not the error's own. */
const NOT_CARRIED = /^(?:content-|transfer-encoding$|connection$|keep-alive$)/i

/**
 * Answers what the host's hooks and the framework throw: their status and headers stay, the body is
 * a JSON-RPC error with a fixed text. Nothing of the host's own callbacks comes this way.
 */
export function answerHookError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { bytes, isAnswered } = stateOf(request)
  if (bytes === undefined) closeAfter(request, reply)
  const status = statusOf(error, isAnswered ? undefined : reply.statusCode)
  copyHeaders(error, reply)
  const level = status >= 500 ? 'error' : 'info'
  logSafely(
    request.log,
    level,
    { err: asError(error) },
    'A hook or the framework refused a request',
  )
  sendRefusal(reply, { error: hookError(status) })
}

function hookError(status: number): WireError {
  return status >= 500
    ? internalError(status)
    : invalidRequest(STATUS_CODES[status] ?? 'Request refused', status)
}

/** @param chosen  the status that a hook gave the reply */
function statusOf(error: unknown, chosen: number | undefined): number {
  const given = isJsonObject(error) ? [error['statusCode'], error['status']] : []
  return [...given, chosen].find(isErrorStatus) ?? 500
}

function isErrorStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
}

function copyHeaders(error: unknown, reply: FastifyReply): void {
  const headers = isJsonObject(error) ? error['headers'] : undefined
  if (!isJsonObject(headers)) return
  for (const name of Object.keys(headers)) {
    const value = ownMember(headers, name)
    const isSendable = typeof value === 'string' || typeof value === 'number'
    if (isSendable && !NOT_CARRIED.test(name) && isValidHeader(name, String(value))) {
      reply.header(name, value)
    }
  }
}

/** One header that can't be sent takes no other with it. */
function isValidHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

/**
 * Answers when the host's own `onSend` fails on the error answer too: past the reply pipeline,
 * since that is what fails, so that the answer keeps its shape and the request ends.
 */
export function answerLastError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  logSafely(
    request.log,
    'error',
    { err: asError(error) },
    'An onSend hook failed on an error answer',
  )
  const body = encodeError(undefined, internalError(500))
  reply.hijack()
  const { raw } = reply
  if (raw.headersSent) {
    raw.destroy()
    return
  }
  // A reason phrase that a hook has set belongs to another status; HTTP/2 has none.
  if (!isHttp2(request)) raw.statusMessage = STATUS_CODES[500] ?? ''
  raw.writeHead(500, {
    'content-type': 'application/json; charset=utf-8',
    ...(!isHttp2(request) && { connection: 'close' }),
  })
  raw.end(body)
}
