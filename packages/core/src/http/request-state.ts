// SPDX-License-Identifier: Apache-2.0
import type { FastifyRequest } from 'fastify'
import type { JsonAccepted } from '../json/reading.ts'
import type { EventStream } from './event-stream.ts'

/** What one request of an endpoint has come to. */
export interface RequestState {
  principal: unknown
  /** When the admission ends, in milliseconds since 1970. */
  expiresAt: number | undefined
  /** The exact bytes, once the body was collected: from then on the connection can be kept. */
  bytes: Buffer | undefined
  reading: JsonAccepted | undefined
  /** Whether the client takes an answer in JSON; otherwise it takes a stream alone. */
  takesJson: boolean
  /** The stream that a notification has turned the answer into. */
  stream: EventStream | undefined
  /** Whether the reply carries a status of ours, which says nothing of an error that comes later. */
  isAnswered: boolean
}

/** Where a request of an endpoint keeps its state; null on every other route. */
export const STATE = Symbol('beam-mcp request')

declare module 'fastify' {
  interface FastifyRequest {
    [STATE]: RequestState | null
  }
}

/** The state of a request, begun where there is none yet. */
export function stateOf(request: FastifyRequest): RequestState {
  request[STATE] ??= beginState(undefined)
  return request[STATE]
}

/** The state of a request of which only the caller is known. */
export function beginState(principal: unknown, expiresAt?: number): RequestState {
  return {
    principal,
    expiresAt,
    bytes: undefined,
    reading: undefined,
    takesJson: true,
    stream: undefined,
    isAnswered: false,
  }
}
