// SPDX-License-Identifier: Apache-2.0
import { readJson } from '../json/read-json.ts'
import type { JsonAccepted } from '../json/reading.ts'
import { kindOf } from './echo.ts'
import { isJsonObject, type JsonObject } from './plain.ts'
import { readingError } from './reading-error.ts'
import { invalidRequest, type WireError } from './wire-errors.ts'

/** One object as a body or a line brought it, or the error that answers it. */
export type MessageReading =
  | { readonly ok: true; readonly message: JsonObject; readonly reading: JsonAccepted }
  | { readonly ok: false; readonly error: WireError }

/**
 * Decodes the bytes of one message.
 *
 * @see docs/http.md, rows 11 and 12; docs/stdio.md, "What a bad line gets"; IO-11
 */
export function readMessage(bytes: Buffer): MessageReading {
  const reading = readJson(bytes)
  if (!reading.ok) return { ok: false, error: readingError(reading.refusal) }
  const { value } = reading
  return isJsonObject(value)
    ? { ok: true, message: value, reading }
    : { ok: false, error: invalidRequest(`Expected a JSON object, got ${kindOf(value)}`) }
}
