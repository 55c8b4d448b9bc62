// SPDX-License-Identifier: Apache-2.0
import { readJson } from '../json/read-json.ts'
import type { JsonAccepted } from '../json/reading.ts'
import { kindOf } from '../protocol/echo.ts'
import { isJsonObject } from '../protocol/plain.ts'
import { readingError } from '../protocol/reading-error.ts'
import { invalidRequest, type WireError } from '../protocol/wire-errors.ts'

/** A body that holds one object, or the error that answers it. */
export type BodyObject =
  | { readonly ok: true; readonly reading: JsonAccepted }
  | { readonly ok: false; readonly error: WireError }

/**
 * Decodes the bytes of a body.
 *
 * @see docs/http.md, rows 11 and 12
 */
export function readBody(bytes: Buffer): BodyObject {
  const reading = readJson(bytes)
  if (!reading.ok) return { ok: false, error: readingError(reading.refusal) }
  if (isJsonObject(reading.value)) return { ok: true, reading }
  return {
    ok: false,
    error: invalidRequest(`Expected a JSON object, got ${kindOf(reading.value)}`),
  }
}
