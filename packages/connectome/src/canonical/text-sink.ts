// SPDX-License-Identifier: Apache-2.0

/** Takes bytes in pieces. A piece is valid until the next one: keep a copy, not the piece. */
export type ByteSink = (bytes: Uint8Array) => void

/** Takes text in pieces and hands it on as UTF-8. */
export interface TextSink {
  write(text: string): void
  end(): void
}

const PIECE = 1 << 16
const BYTES_PER_UNIT = 3

/**
 * Gathers text and hands it on as UTF-8 in pieces, so that memory stays bounded however long the
 * whole is. The text is well formed, and no caller splits a surrogate pair.
 */
export function utf8Sink(sink: ByteSink): TextSink {
  const encoder = new TextEncoder()
  let buffer = new Uint8Array(2 * PIECE)
  let pending = ''
  const flush = (): void => {
    if (buffer.length < pending.length * BYTES_PER_UNIT) {
      buffer = new Uint8Array(pending.length * BYTES_PER_UNIT)
    }
    const { written } = encoder.encodeInto(pending, buffer)
    sink(buffer.subarray(0, written))
    pending = ''
  }
  const write = (text: string): void => {
    pending += text
    if (pending.length >= PIECE) flush()
  }
  return { write, end: flush }
}

/** A sink that keeps what it gets, and all of it in one array. */
export function collectBytes(): { sink: ByteSink; bytes: () => Uint8Array } {
  const pieces: Uint8Array[] = []
  let length = 0
  const sink = (piece: Uint8Array): void => {
    pieces.push(piece.slice())
    length += piece.length
  }
  const bytes = (): Uint8Array => {
    const whole = new Uint8Array(length)
    let start = 0
    for (const piece of pieces) {
      whole.set(piece, start)
      start += piece.length
    }
    return whole
  }
  return { sink, bytes }
}
