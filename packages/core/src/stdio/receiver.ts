// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import type { JsonAccepted } from '../json/reading.ts'
import type { Cancellation } from '../protocol/cancellation.ts'
import { echo } from '../protocol/echo.ts'
import type { Engine } from '../protocol/engine.ts'
import type { Answer, NotificationSink } from '../protocol/exchange.ts'
import {
  encodeError,
  idForLog,
  type JsonRpcId,
  type Notification,
  type Request,
  readEnvelope,
} from '../protocol/json-rpc.ts'
import { asError, type Logger, logSafely } from '../protocol/logger.ts'
import { isJsonObject, isThenable, type JsonObject, ownMember } from '../protocol/plain.ts'
import { readMessage } from '../protocol/read-message.ts'
import { createSession } from '../protocol/session.ts'
import { settle } from '../protocol/settle.ts'
import { internalError, invalidRequest, type WireError } from '../protocol/wire-errors.ts'
import type { Job, Requests } from './requests.ts'

/** What messages are for. */
export interface ReceiverParts {
  readonly engine: Engine
  readonly log: Logger
  readonly principal: unknown
  readonly requests: Requests
  /** Carries the notifications of every request. */
  readonly notifications: NotificationSink
  /** The client wants the end: nothing more is to be read. */
  readonly onExit: () => void
  /** Nothing is to be read until `unhold`: the answer that is being made may be the last one. */
  readonly hold: () => void
  readonly unhold: () => void
}

/** Takes what the input brings. */
export interface Receiver {
  readonly takeMessage: (bytes: Buffer) => void
  readonly takeRefusal: (error: WireError) => void
}

/** Answered beside slow requests: clients look for a server, after it and for its end with these. */
const URGENT = new Set(['ping', 'server/discover', 'shutdown'])

/** Answered at the end of the run, or never. */
const LASTING = new Set(['subscriptions/listen'])

/**
 * Tells messages apart and makes jobs of those that are answered.
 *
 * @see docs/stdio.md; MCP 2026-07-28, stdio: IO-05 to IO-11, ENV-08, ENV-10
 */
export function createReceiver(parts: ReceiverParts): Receiver {
  const { log, requests } = parts
  const serve = createServe(parts)
  const takeRefusal = (error: WireError): void => {
    const text = encodeError(undefined, error)
    requests.add({ size: text.length, isUrgent: true, run: () => text })
  }
  const takeRequest = (request: Request, reading: JsonAccepted, size: number): void => {
    if (requests.has(request.id)) {
      logSafely(log, 'warn', { requestId: idForLog(request.id) }, REPEATED_ID)
      return takeRefusal(invalidRequest('Invalid Request: the id of a request in flight'))
    }
    requests.add(jobOf(request, size, parts, (cancellation) => serve(reading, cancellation)))
  }
  const takeMessage = (bytes: Buffer): void => {
    const read = readMessage(bytes)
    if (!read.ok) return takeRefusal(read.error)
    const { message, reading } = read
    if (isResponse(message)) return logSafely(log, 'debug', {}, UNASKED_RESPONSE)
    const envelope = readEnvelope(message, reading.isIntegerLexeme)
    if (envelope.kind === 'refused') {
      requests.add({ size: bytes.length, isUrgent: true, run: () => serve(reading) })
    } else if (envelope.method === 'exit') parts.onExit()
    else if (envelope.kind === 'request') takeRequest(envelope, reading, bytes.length)
    else if (envelope.method === 'notifications/cancelled')
      takeCancellation(envelope, reading, parts)
    else void serve(reading)
  }
  return { takeMessage, takeRefusal }
}

/** Answers a message by lines, or by none. */
type Serve = (reading: JsonAccepted, cancellation?: Cancellation) => Awaitable<string | undefined>

/** Binds the engine to one client for its whole life. */
function createServe({ engine, log, principal, notifications }: ReceiverParts): Serve {
  const transportContext = { transport: 'stdio' } as const
  const session = createSession()
  return (reading, cancellation) => {
    const openNotifications = (): NotificationSink => ({
      // Nothing goes out for a cancelled request, whatever its handler still says (CANC-04).
      send: (message) => cancellation?.isCancelled === true || notifications.send(message),
      drained: notifications.drained,
    })
    const exchange = { transportContext, principal, log, session, cancellation, openNotifications }
    const answer = engine.serve(reading, exchange)
    return isThenable(answer) ? answer.then(linesOf) : linesOf(answer)
  }
}

/** An answer and what follows it, a line each and nothing between them. @see A-11 */
function linesOf({ body, epilogue }: Answer): string | undefined {
  return body === undefined || epilogue === undefined ? body : `${body}\n${epilogue}`
}

/** An answer to a question that this server never asks. @see L-IO-03 */
function isResponse(message: JsonObject): boolean {
  const has = (key: string): boolean => Object.hasOwn(message, key)
  return !has('method') && (has('result') || has('error'))
}

function jobOf(
  { id, method }: Request,
  size: number,
  { log, hold, unhold }: ReceiverParts,
  serve: (cancellation: Cancellation) => Awaitable<string | undefined>,
): Job {
  const isLast = method === 'shutdown'
  if (isLast) hold()
  const finish = (text: string | undefined): string | undefined => {
    if (isLast) unhold()
    return text
  }
  const run = (cancellation: Cancellation) =>
    settle<string | undefined, string | undefined>(
      () => serve(cancellation),
      finish,
      (thrown) => {
        // A fault of this package's own: the run goes on, and the client is not left waiting.
        const bindings = { err: asError(thrown), requestId: idForLog(id) }
        logSafely(log, 'error', bindings, 'A request failed')
        return finish(encodeError(id, internalError()))
      },
    )
  // The handshake is not to be cancelled, by the revision that has one.
  const isCancellable = method !== 'initialize' && !isLast
  return {
    id,
    size,
    isUrgent: URGENT.has(method),
    isLasting: LASTING.has(method),
    isCancellable,
    run,
  }
}

/** @see MCP 2026-07-28, Cancellation: CANC-02, CANC-05, CANC-09; L-CANC-01 */
function takeCancellation(
  { params }: Notification,
  reading: JsonAccepted,
  { log, requests }: ReceiverParts,
): void {
  const id = readRequestId(params, reading)
  const isCancelled = id !== undefined && requests.cancel(id)
  const reason = isJsonObject(params) ? ownMember(params, 'reason') : undefined
  const bindings = {
    ...(id !== undefined && { requestId: idForLog(id) }),
    ...(reason !== undefined && { reason: echo(reason) }),
  }
  logSafely(log, 'debug', bindings, isCancelled ? 'A request was cancelled' : NOTHING_TO_CANCEL)
}

function readRequestId(params: unknown, { isIntegerLexeme }: JsonAccepted): JsonRpcId | undefined {
  const id = isJsonObject(params) ? ownMember(params, 'requestId') : undefined
  if (typeof id === 'string' || typeof id === 'bigint') return id
  const isInteger = Number.isInteger(id) && isIntegerLexeme(['params', 'requestId'])
  return isInteger ? (id as number) : undefined
}

const REPEATED_ID =
  'A request has the id of another that is not answered yet; it was refused without an id'

const UNASKED_RESPONSE = 'A response was dropped: this server sends no requests'

const NOTHING_TO_CANCEL = 'A cancellation names no request in flight, and was ignored'
