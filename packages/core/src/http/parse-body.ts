// SPDX-License-Identifier: Apache-2.0
import type { FastifyRequest } from 'fastify'
import { readJson } from '../json/read-json.ts'
import { readingError } from '../protocol/create-server.ts'
import { kindOf } from '../protocol/echo.ts'
import { isJsonObject } from '../protocol/plain.ts'
import { invalidRequest, type WireError } from '../protocol/wire-errors.ts'
import { stateOf } from './request-state.ts'

/** Carries a refusal from the parser to the error handler. */
export class BodyRefusal extends Error {
  readonly error: WireError
  constructor(error: WireError) {
    super(error.message)
    this.error = error
  }
}

const EMPTY = Buffer.alloc(0)

/** Decodes the kept bytes: no stream is rebuilt. The value is `request.body` for the host's hooks. */
export function parseBody(
  request: FastifyRequest,
  done: (refused: Error | null, value?: unknown) => void,
): void {
  const state = stateOf(request)
  const reading = readJson(state.bytes ?? EMPTY)
  if (!reading.ok) return done(new BodyRefusal(readingError(reading.refusal)))
  if (!isJsonObject(reading.value)) {
    const why = `Expected a JSON object, got ${kindOf(reading.value)}`
    return done(new BodyRefusal(invalidRequest(why)))
  }
  state.reading = reading
  done(null, reading.value)
}
