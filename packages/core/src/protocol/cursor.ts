// SPDX-License-Identifier: Apache-2.0
import { readJson } from '../json/read-json.ts'
import { isJsonObject } from './plain.ts'

/** The lists that page, as a cursor names them. */
export type ListKind = 'resources' | 'resource_templates' | 'prompts'

/** A position in a list, or why a client's cursor is refused. Nothing of the client's is repeated. */
export type CursorReading =
  | { readonly ok: true; readonly after: string }
  | { readonly ok: false; readonly why: string }

const BASE64URL = /^[A-Za-z0-9_-]+$/
const MALFORMED: CursorReading = { ok: false, why: 'cursor is malformed' }

/** Writes the cursor that names an entry as the last one given. Opaque to clients, never signed. */
export function encodeCursor(kind: ListKind, lastKey: string): string {
  return Buffer.from(JSON.stringify({ a: lastKey, k: kind, v: 1 })).toString('base64url')
}

/**
 * Finds where the next page of a sorted list starts.
 *
 * @param cursor  what the client sent, of any type; base64url without padding
 * @param kind  the list that is asked for
 * @returns the key of the last entry already given, which need not exist any more
 * @see MCP 2026-07-28, Pagination: PAGE-03 to PAGE-05
 */
export function decodeCursor(cursor: unknown, kind: ListKind): CursorReading {
  if (typeof cursor !== 'string' || !BASE64URL.test(cursor)) return MALFORMED
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.toString('base64url') !== cursor) return MALFORMED
  const reading = readJson(bytes)
  if (!reading.ok || !isJsonObject(reading.value)) return MALFORMED
  const { a: after, k: list, v: version } = reading.value
  if (version !== 1 || typeof after !== 'string' || typeof list !== 'string') return MALFORMED
  if (list !== kind) return { ok: false, why: `cursor belongs to another list, not ${kind}` }
  return { ok: true, after }
}
