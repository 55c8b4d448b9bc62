// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Line } from './raw-request.ts'

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const FRAME_HEAD_BYTES = 9
const DATA = 0
const HEADERS = 1
const RST_STREAM = 3
const SETTINGS = 4
const END_STREAM = 1
const END_HEADERS = 4

/** What one stream brought: the bytes of its body, and the code of its reset where there was one. */
export interface Http2Outcome {
  readonly body: string
  readonly reset?: number
}

/** A part of a request. */
interface Part {
  readonly fields?: readonly Line[]
  readonly body?: string
  /** Whether the request ends with it. @default true */
  readonly isLast?: boolean
}

/** A connection that sends exact frames: Node's own client refuses some, and adds others. */
export interface RawHttp2 {
  readonly send: (stream: number, part: Part) => void
  readonly reset: (stream: number, code: number) => void
  /** Cuts the connection, as a caller that vanishes does. */
  readonly vanish: () => void
  /** Resolves when the server has ended the stream; rejects when the connection ends before. */
  readonly outcome: (stream: number) => Promise<Http2Outcome>
}

/** Opens a connection to 127.0.0.1; the test's end closes it. */
export async function openRawHttp2(port: number): Promise<RawHttp2> {
  const socket = connect({ host: '127.0.0.1', port })
  onTestFinished(() => void socket.destroy())
  const bodies = new Map<number, string>()
  const outcomes = new Map<number, Http2Outcome>()
  let received: Buffer = Buffer.alloc(0)
  let isOver = false
  let wake = (): void => undefined
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isOver = true
    wake()
  })
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (let next = takeFrame(received); next !== undefined; next = takeFrame(received)) {
      received = received.subarray(FRAME_HEAD_BYTES + next.payload.length)
      const { type, flags, stream, payload } = next
      const body = (bodies.get(stream) ?? '') + (type === DATA ? payload : '')
      bodies.set(stream, body)
      const isLast = (type === DATA || type === HEADERS) && (flags & END_STREAM) !== 0
      if (type === RST_STREAM) outcomes.set(stream, { body, reset: payload.readUInt32BE() })
      else if (isLast && !outcomes.has(stream)) outcomes.set(stream, { body })
    }
    wake()
  })
  await once(socket, 'connect')
  socket.write(Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, Buffer.alloc(0))]))
  return {
    send: (stream, { fields, body, isLast = true }) => {
      const end = isLast ? END_STREAM : 0
      if (fields !== undefined) {
        const flags = END_HEADERS | (body === undefined ? end : 0)
        socket.write(frame(HEADERS, flags, stream, Buffer.concat(fields.map(literalField))))
      }
      if (body !== undefined) socket.write(frame(DATA, end, stream, Buffer.from(body)))
    },
    reset: (stream, code) => {
      const payload = Buffer.alloc(4)
      payload.writeUInt32BE(code)
      socket.write(frame(RST_STREAM, 0, stream, payload))
    },
    vanish: () => void socket.resetAndDestroy(),
    outcome: async (stream) => {
      while (!outcomes.has(stream) && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const outcome = outcomes.get(stream)
      if (outcome === undefined) throw new Error('the connection ended before the stream did')
      return outcome
    },
  }
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

function takeFrame(received: Buffer) {
  if (received.length < FRAME_HEAD_BYTES) return undefined
  const end = FRAME_HEAD_BYTES + received.readUIntBE(0, 3)
  if (received.length < end) return undefined
  return {
    type: received.readUInt8(3),
    flags: received.readUInt8(4),
    stream: received.readUInt32BE(5),
    payload: received.subarray(FRAME_HEAD_BYTES, end),
  }
}

/** A field that is neither indexed nor compressed. @see RFC 7541, 6.2.2 */
function literalField([name, value]: Line): Buffer {
  return Buffer.concat([Buffer.of(0), literalText(name), literalText(value)])
}

function literalText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  if (bytes.length >= 0x7f) throw new Error('a longer text needs a longer length')
  return Buffer.concat([Buffer.of(bytes.length), bytes])
}

/** The pseudo-headers of a call; undefined leaves the authority out. */
export function pseudoFields(authority?: string): Line[] {
  const fields: Line[] = [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', '/mcp'],
  ]
  return authority === undefined ? fields : [...fields, [':authority', authority]]
}
