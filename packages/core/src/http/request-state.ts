// SPDX-License-Identifier: Apache-2.0
import type { FastifyRequest } from 'fastify'
import type { JsonAccepted } from '../json/reading.ts'

/** What one request of an endpoint has come to. */
export interface RequestState {
  principal: unknown
  /** The exact bytes, once the body was collected: from then on the connection can be kept. */
  bytes: Buffer | undefined
  reading: JsonAccepted | undefined
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
  request[STATE] ??= { principal: undefined, bytes: undefined, reading: undefined }
  return request[STATE]
}
