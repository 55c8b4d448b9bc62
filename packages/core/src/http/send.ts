// SPDX-License-Identifier: Apache-2.0
import type { Http2ServerRequest } from 'node:http2'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer, Refusal } from '../protocol/exchange.ts'
import { encodeError } from '../protocol/json-rpc.ts'
import { asError } from '../protocol/logger.ts'
import type { EventStream } from './event-stream.ts'
import { stateOf } from './request-state.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** A body is JSON text already: a serializer that a hook of the host chose is not for it. */
const asItIs = (body: string): string => body

/**
 * Sends an answer of the protocol through the host's reply pipeline, unless the host has answered
 * by itself meanwhile.
 */
export function sendAnswer(reply: FastifyReply, { status, body, challenge }: Answer): void {
  if (reply.sent) return
  stateOf(reply.request).isAnswered = true
  reply.code(status)
  if (challenge !== undefined) reply.header('www-authenticate', challenge)
  if (body === undefined) reply.send()
  else reply.serializer(asItIs).header('content-type', JSON_TYPE).send(body)
}

/**
 * Sends the answer to a request that was served: the last event of its stream, where there is one.
 *
 * @param open  turns the reply into a stream
 */
export function sendReply(reply: FastifyReply, answer: Answer, open: () => EventStream): void {
  const state = stateOf(reply.request)
  const isAlone = !state.takesJson && answer.status === 200 && !reply.sent
  const isStream = state.stream !== undefined || isAlone
  if (isStream && answer.body !== undefined) {
    state.isAnswered = true
    open().end(answer.body)
    if (answer.epilogue !== undefined) cutSoon(reply.raw)
  } else sendAnswer(reply, answer)
}

/** Milliseconds that a client has to read the end of its subscription. */
const LAST_READ_MS = 500

/** A client that does not read may not hold a server that closes, nor memory after its admission. */
function cutSoon(response: FastifyReply['raw']): void {
  const timer = setTimeout(() => response.destroy(), LAST_READ_MS)
  timer.unref()
  response.once('close', () => clearTimeout(timer))
}

/** Sends a refusal that was decided without looking at a message: it has no id. */
export function sendRefusal(reply: FastifyReply, { error, challenge }: Refusal): void {
  sendAnswer(reply, { status: error.status, body: encodeError(undefined, error), challenge })
}

/**
 * Hands a fault of this package's own to the error handler: no request is left hanging, and nothing
 * of what was thrown chooses the status.
 */
export function fail(reply: FastifyReply, thrown: unknown): void {
  if (!reply.sent) reply.send(new Error('The endpoint failed', { cause: asError(thrown) }))
}

/** Connections that end with an answer already given. */
const ENDING = new WeakSet<object>()

/** Says whether a request came over HTTP/2, where a connection is no header's matter. */
export function isHttp2({ raw }: FastifyRequest): boolean {
  return raw.httpVersionMajor >= 2
}

/** Milliseconds that an HTTP/2 client has to end a body by itself, once its answer is out. */
const GRACE_MS = 1_000

/**
 * Says that the connection ends with this answer: its body, or the rest of it, is left unread. On
 * HTTP/2 it is the stream alone that ends, without a fault, once the whole answer is out.
 *
 * @see RFC 9112, 9.6; RFC 9113, 8.1
 */
export function closeAfter(request: FastifyRequest, reply: FastifyReply): void {
  if (isHttp2(request)) return endStream(request.raw as unknown as Http2ServerRequest)
  // A hook that broke off reading destroyed the request, which lets go of its connection.
  const socket: object | null = request.raw.socket
  if (socket !== null) ENDING.add(socket)
  reply.header('connection', 'close')
}

/** Resets a stream whose body goes on after its answer; a reset before the answer's end would lose it. */
function endStream({ complete, stream }: Http2ServerRequest): void {
  if (complete) return
  // A stream that nobody has begun to read is reset by Node as soon as its answer is written.
  stream.pause()
  stream.once('finish', () => {
    const timer = setTimeout(() => stream.destroy(), GRACE_MS)
    timer.unref()
    stream.once('close', () => clearTimeout(timer))
  })
}

/**
 * Says whether a request was pipelined behind an answer that ends its connection. Its own answer
 * can't be sent, so it may not be served.
 *
 * @see RFC 9112, 9.6
 */
export function isBehindTheEnd({ raw }: FastifyRequest): boolean {
  return ENDING.has(raw.socket)
}
