// SPDX-License-Identifier: Apache-2.0
import { isUtf8 } from 'node:buffer'
import { isBase64 } from '../catalog/content.ts'

const OPENING = '=?base64?'
const CLOSING = '?='

/** A header's text as the body would spell it. */
export type HeaderText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: 'not base64' | 'not UTF-8' }

/**
 * Reads a header value that may be wrapped as `=?base64?…?=`. Both markers are needed and count by
 * case; without them the value is literal. A wrapped payload has to be canonical base64 of UTF-8.
 *
 * @see MCP 2026-07-28, Streamable HTTP, Value Encoding: HDR-06 to HDR-08
 */
export function decodeSentinel(value: string): HeaderText {
  const isWrapped =
    value.startsWith(OPENING) &&
    value.endsWith(CLOSING) &&
    value.length >= OPENING.length + CLOSING.length
  if (!isWrapped) return { ok: true, text: value }
  const payload = value.slice(OPENING.length, -CLOSING.length)
  const bytes = Buffer.from(payload, 'base64')
  // The last digit of a padded group has unused bits: only the spelling that encodes back counts.
  if (!isBase64(payload) || bytes.toString('base64') !== payload)
    return { ok: false, why: 'not base64' }
  return isUtf8(bytes)
    ? { ok: true, text: bytes.toString('utf8') }
    : { ok: false, why: 'not UTF-8' }
}

/** Wraps a text that a header can't carry as it is: the inverse of {@link decodeSentinel}. */
export function encodeSentinel(text: string): string {
  const isPlain = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(text)
  const looksWrapped = text.startsWith(OPENING) && text.endsWith(CLOSING)
  return isPlain && !looksWrapped ? text : OPENING + Buffer.from(text).toString('base64') + CLOSING
}
