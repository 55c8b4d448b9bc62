// SPDX-License-Identifier: Apache-2.0
import { headersFor } from './messages.ts'

/** A header line as it goes out. */
export type Line = readonly [name: string, value: string]

/** The header lines of a conforming client's message. */
export function linesFor(message: Readonly<Record<string, unknown>>): Line[] {
  return Object.entries(headersFor(message))
}

/** Leaves out every line of one name. */
export function without(lines: readonly Line[], name: string): Line[] {
  return lines.filter(([candidate]) => candidate.toLowerCase() !== name.toLowerCase())
}

/** The bytes of one request; `Content-Length` fits the body unless the lines name one. */
export function rawRequest(
  lines: readonly Line[],
  body: string | Uint8Array = '',
  requestLine = 'POST /mcp HTTP/1.1',
): Buffer {
  const bytes = Buffer.from(body)
  const isFramed = lines.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name))
  const framing: Line[] = isFramed ? [] : [['content-length', String(bytes.length)]]
  const all: Line[] = [['host', '127.0.0.1'], ...lines, ...framing]
  const head = [requestLine, ...all.map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  )
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

/** The bytes of a conforming client's message, with further header lines. */
export function rawPost(
  message: Readonly<Record<string, unknown>>,
  further: readonly Line[] = [],
): Buffer {
  return rawRequest([...linesFor(message), ...further], JSON.stringify(message))
}
