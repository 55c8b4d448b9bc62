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
const GOAWAY = 7
const END_STREAM = 1
const END_HEADERS = 4

/** What one stream brought: the bytes of its body, and the code of its reset where there was one. */
export interface Http2Outcome {
  readonly body: string
  readonly reset?: number
}

/**
 * Sends one request over HTTP/2 with exactly these fields, pseudo-headers included: Node's own
 * client refuses repeats of many, and always names an authority.
 */
export async function exchangeHttp2(
  port: number,
  fields: readonly Line[],
  body: string,
): Promise<Http2Outcome> {
  const socket = connect({ host: '127.0.0.1', port })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    Buffer.concat([
      PREFACE,
      frame(SETTINGS, 0, 0, Buffer.alloc(0)),
      frame(HEADERS, END_HEADERS, 1, Buffer.concat(fields.map(literalField))),
      frame(DATA, END_STREAM, 1, Buffer.from(body)),
    ]),
  )
  const parts: Buffer[] = []
  let received: Buffer = Buffer.alloc(0)
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk as Buffer])
    for (let next = takeFrame(received); next !== undefined; next = takeFrame(received)) {
      received = received.subarray(FRAME_HEAD_BYTES + next.payload.length)
      if (next.type === GOAWAY) throw new Error('the server ended the session')
      if (next.stream !== 1) continue
      if (next.type === DATA) parts.push(next.payload)
      const text = Buffer.concat(parts).toString()
      if (next.type === RST_STREAM) return { body: text, reset: next.payload.readUInt32BE() }
      const isOver = (next.type === DATA || next.type === HEADERS) && next.flags & END_STREAM
      if (isOver) return { body: text }
    }
  }
  throw new Error('the connection ended before the stream did')
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
