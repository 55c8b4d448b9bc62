// SPDX-License-Identifier: Apache-2.0
import { normalForm, quote } from '../canonical/normal.ts'
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'

/** A place in a canonical text. */
export interface Cursor {
  readonly text: string
  /** In UTF-16 code units. */
  at: number
}

export const unverified = (...reason: Reason): ConnectomeError =>
  new ConnectomeError(CONNECTOME_CODES.VERIFY, reason)

export const notCanonical = (cursor: Cursor): ConnectomeError =>
  unverified('not_canonical', cursor.at)

/** Steps over a text that must stand here. */
export function expect(cursor: Cursor, text: string): void {
  if (!skip(cursor, text)) throw notCanonical(cursor)
}

/** Steps over a text if it stands here. */
export function skip(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.at)) return false
  cursor.at += text.length
  return true
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Steps over a quoted string and answers it with its quotes, unread. */
export function readToken(cursor: Cursor): string {
  const { text, at } = cursor
  if (text.charCodeAt(at) !== QUOTE) throw notCanonical(cursor)
  let end = at + 1
  for (; ; end++) {
    const unit = text.charCodeAt(end)
    if (Number.isNaN(unit)) throw notCanonical(cursor)
    if (unit === BACKSLASH) end++
    else if (unit === QUOTE) break
  }
  cursor.at = end + 1
  return text.slice(at, end + 1)
}

/** A string that is written the one canonical way: in normal form, with the canonical escapes. */
export function readString(cursor: Cursor): string {
  const start = cursor.at
  const token = readToken(cursor)
  const value = unquote(token)
  if (value === undefined || normalForm(value) !== value || quote(value) !== token) {
    throw unverified('not_canonical', start)
  }
  return value
}

function unquote(token: string): string | undefined {
  try {
    return String(JSON.parse(token))
  } catch {
    return undefined
  }
}
