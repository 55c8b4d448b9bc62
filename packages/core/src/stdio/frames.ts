// SPDX-License-Identifier: Apache-2.0
import { invalidRequest, parseError, type WireError } from '../protocol/wire-errors.ts'
import { createByteStore } from './byte-store.ts'

/** What a reader of frames finds. */
export interface FrameEvents {
  /** One message, neither empty nor checked. The bytes hold until the call returns. */
  readonly onMessage: (bytes: Buffer) => void
  /** A line or frame that is no message; what belongs to it is dropped. */
  readonly onRefusal: (error: WireError) => void
  /** Everything pushed was read, and nothing more comes. Told once. */
  readonly onEnd: () => void
}

/** Splits a stream of bytes into messages. */
export interface FrameReader {
  /** Reads a chunk, or keeps it where reading is paused; it is not to be changed afterwards. */
  readonly push: (chunk: Buffer) => void
  /** Nothing more comes; what is left is read as the last message. */
  readonly end: () => void
  /** Stops behind the message at hand, inside a chunk too. */
  readonly pause: () => void
  readonly resume: () => void
  /** Bytes that were pushed and not read yet, and what their chunks take beside them. */
  readonly held: number
}

/** Bytes that a chunk takes beside its own. */
const CHUNK_COST = 100
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const OPENING_BRACE = 0x7b
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const LENGTH_FIELD = 'content-length:'
const EMPTY = Buffer.alloc(0)

/**
 * Reads messages of a line each, and the frames with a header that older clients send. It holds no
 * more than one message; bytes of a refused one are dropped as they come. The time is linear in the
 * bytes, however they are cut into chunks.
 *
 * @param limit  bytes of the longest line, before anything is trimmed and without its line feed, and
 * of the largest frame
 * @see docs/stdio.md, "Framing"; MCP 2026-07-28, stdio: IO-01, IO-11
 */
export function createFrameReader(limit: number, events: FrameEvents): FrameReader {
  return new Frames(limit, events)
}

/** Which bytes come next: a line, a line of a frame's header, or a frame's body. */
type Place = 'line' | 'header' | 'body'

class Frames implements FrameReader {
  readonly #limit: number
  readonly #events: FrameEvents
  readonly #store
  readonly #chunks: Buffer[] = []
  #held = 0
  /** Where the first chunk is read from. */
  #at = 0
  #place: Place = 'line'
  /** The rest of this line was refused with its beginning. */
  #isLineDropped = false
  /** The frame at hand was refused: its header and its body are dropped. */
  #isFrameDropped = false
  /** Bytes of the body still to come. */
  #missing = 0
  #isPaused = false
  #isReading = false
  #isEnding = false
  #isEnded = false

  constructor(limit: number, events: FrameEvents) {
    this.#limit = limit
    this.#events = events
    this.#store = createByteStore(limit)
  }

  get held(): number {
    return this.#held - this.#at
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0 || this.#isEnding) return
    this.#chunks.push(chunk)
    this.#held += chunk.length + CHUNK_COST
    this.#read()
  }

  end(): void {
    this.#isEnding = true
    this.#read()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#read()
  }

  /** Goes on as far as there are bytes and nobody pauses; a call from a callback changes nothing. */
  #read(): void {
    if (this.#isReading) return
    this.#isReading = true
    try {
      for (let chunk = this.#chunks[0]; chunk && !this.#isPaused; chunk = this.#chunks[0]) {
        this.#at = this.#place === 'body' ? this.#readBody(chunk) : this.#readLine(chunk)
        if (this.#at < chunk.length) continue
        this.#chunks.shift()
        this.#held -= chunk.length + CHUNK_COST
        this.#at = 0
      }
      if (this.#isEnding && this.#chunks.length === 0) this.#finish()
    } finally {
      this.#isReading = false
    }
  }

  /** @returns where the next byte to read is */
  #readLine(chunk: Buffer): number {
    const found = chunk.indexOf(LINE_FEED, this.#at)
    const part = chunk.subarray(this.#at, found === -1 ? chunk.length : found)
    if (!this.#isLineDropped && this.#store.length + part.length > this.#limit) this.#refuseLine()
    if (found === -1) {
      if (!this.#isLineDropped) this.#store.append(part)
      return chunk.length
    }
    if (this.#isLineDropped) this.#isLineDropped = false
    else this.#takeLine(this.#store.take(part))
    return found + 1
  }

  #refuseLine(): void {
    this.#isLineDropped = true
    this.#store.clear()
    if (this.#place === 'header') {
      // What such a header says of the body can't be gone by.
      if (this.#isFrameDropped) return
      this.#isFrameDropped = true
    }
    this.#events.onRefusal(invalidRequest(`Request line exceeds ${this.#limit} bytes`))
  }

  #takeLine(raw: Buffer): void {
    const line = trimLine(raw)
    if (this.#place === 'header') {
      if (line === undefined) this.#beginBody()
      return
    }
    if (line === undefined) return
    const value = lengthField(line)
    if (value === undefined) this.#events.onMessage(line)
    else this.#beginFrame(value)
  }

  #beginFrame(value: string): void {
    const length = /^[+-]?\d+$/.test(value) ? Number(value) : -1
    if (length < 0) return this.#events.onRefusal(parseError('invalid_content_length'))
    this.#place = 'header'
    this.#missing = length
    this.#isFrameDropped = length > this.#limit
    if (this.#isFrameDropped) {
      this.#events.onRefusal(invalidRequest(`Request frame exceeds ${this.#limit} bytes`))
    }
  }

  #beginBody(): void {
    this.#place = 'body'
    if (this.#missing === 0) this.#endBody(EMPTY)
  }

  /** @returns where the next byte to read is */
  #readBody(chunk: Buffer): number {
    const end = Math.min(chunk.length, this.#at + this.#missing)
    const part = chunk.subarray(this.#at, end)
    this.#missing -= part.length
    if (this.#missing === 0) this.#endBody(part)
    else if (!this.#isFrameDropped) this.#store.append(part)
    return end
  }

  #endBody(last: Buffer): void {
    this.#place = 'line'
    const body = this.#store.take(last)
    if (!this.#isFrameDropped) this.#events.onMessage(withoutMark(body))
    this.#isFrameDropped = false
  }

  /** The last line may lack its line feed; so may a body its end, which its own reader judges. */
  #finish(): void {
    if (this.#isPaused || this.#isEnded) return
    if (this.#store.length > 0) {
      if (this.#place === 'body') this.#endBody(EMPTY)
      else this.#takeLine(this.#store.take(EMPTY))
    }
    this.#isEnded = true
    this.#events.onEnd()
  }
}

/**
 * Takes the byte order mark and the carriage returns off a line: some shells put the one before
 * their text, and Windows the other behind it.
 *
 * @returns undefined for a line without a message
 */
function trimLine(raw: Buffer): Buffer | undefined {
  const line = withoutMark(raw)
  let end = line.length
  while (end > 0 && line[end - 1] === CARRIAGE_RETURN) end -= 1
  const trimmed = line.subarray(0, end)
  return trimmed.every(isBlank) ? undefined : trimmed
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes
}

/** A space, a tab or a carriage return. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN
}

/** The value of a line that opens a frame. */
function lengthField(line: Buffer): string | undefined {
  if (line[0] === OPENING_BRACE) return undefined
  const name = line.toString('latin1', 0, LENGTH_FIELD.length)
  return name.toLowerCase() === LENGTH_FIELD
    ? line.toString('latin1', LENGTH_FIELD.length).trim()
    : undefined
}
