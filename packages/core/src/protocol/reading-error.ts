// SPDX-License-Identifier: Apache-2.0
import type { JsonReading } from '../json/reading.ts'
import { invalidRequest, parseError, type WireError } from './wire-errors.ts'

/** The error for a message that was not read: `-32700` for a syntax, `-32600` for a bound. */
export function readingError({
  kind,
  message,
}: Extract<JsonReading, { ok: false }>['refusal']): WireError {
  return kind === 'syntax' ? parseError('body is not valid JSON') : invalidRequest(message)
}
