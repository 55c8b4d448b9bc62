// SPDX-License-Identifier: Apache-2.0
import type { TokenTable } from './token-table.ts'

/** Takes bytes in pieces. A piece is valid until the next one: keep a copy, not the piece. */
export type ByteSink = (bytes: Uint8Array) => void

/** Gathers bytes and hands them on in pieces, so that memory stays bounded however long the whole is. */
export interface ByteWriter {
  readonly sink: ByteSink
  readonly encoder: InstanceType<typeof TextEncoder>
  buffer: Uint8Array
  filled: number
}

/** Bytes whose parts are at hand: their length is known before they are written. */
export interface ByteDocument {
  /** In bytes. */
  readonly length: number
  write(sink: ByteSink): void
}

const PIECE = 1 << 16
const BYTES_PER_UNIT = 3

export function createByteWriter(sink: ByteSink): ByteWriter {
  return { sink, encoder: new TextEncoder(), buffer: new Uint8Array(PIECE), filled: 0 }
}

/** Writes a well-formed text as UTF-8. */
export function writeText(writer: ByteWriter, text: string): void {
  reserve(writer, text.length * BYTES_PER_UNIT)
  const free = writer.buffer.subarray(writer.filled)
  writer.filled += writer.encoder.encodeInto(text, free).written
}

/** Writes one text of a table, but for its first bytes if told to leave some out. */
export function writeToken(writer: ByteWriter, table: TokenTable, place: number, skip = 0): void {
  const start = (table.starts[place] ?? 0) + skip
  const end = table.starts[place + 1] ?? 0
  reserve(writer, end - start)
  writer.filled = copyBytes(table.bytes, start, end, writer.buffer, writer.filled)
}

/** Tokens are short: a loop is quicker than a call that copies. */
function copyBytes(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  filled: number,
): number {
  let next = filled
  for (let i = start; i < end; i++) target[next++] = source[i] ?? 0
  return next
}

function reserve(writer: ByteWriter, length: number): void {
  if (writer.filled + length <= writer.buffer.length) return
  flush(writer)
  if (length > writer.buffer.length) writer.buffer = new Uint8Array(length)
}

/** Hands on what was gathered; the last call of a writer. */
export function flush(writer: ByteWriter): void {
  writer.sink(writer.buffer.subarray(0, writer.filled))
  writer.filled = 0
}

/** All bytes of a document in one array, which is made once. */
export function collectBytes(document: ByteDocument): Uint8Array {
  const whole = new Uint8Array(document.length)
  let length = 0
  document.write((piece) => {
    whole.set(piece, length)
    length += piece.length
  })
  return whole
}
