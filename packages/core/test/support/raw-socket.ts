// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** One complete HTTP/1.1 response as it came over the wire. */
export interface RawResponse {
  readonly status: number
  /** Every value of each header, by its name in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly body: string
}

/** A connection that sends exact bytes and reads whole responses, in the order they come. */
export interface RawSocket {
  readonly send: (bytes: string | Uint8Array) => void
  /** The next response; rejects when the connection ends before there is a whole one. */
  readonly read: () => Promise<RawResponse>
  /** Resolves with the responses nobody read, once the server has ended the connection. */
  readonly ended: () => Promise<readonly RawResponse[]>
  /** Cuts the connection, as a caller that vanishes does. */
  readonly vanish: () => void
  readonly socket: Socket
}

/** Opens a connection to 127.0.0.1 and waits until it is there; the test's end closes it. */
export async function openRawSocket(port: number): Promise<RawSocket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  const responses: RawResponse[] = []
  let received: Buffer = Buffer.alloc(0)
  let isOver = false
  let wake = (): void => undefined
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (let next = takeResponse(received); next !== undefined; next = takeResponse(received)) {
      responses.push(next.response)
      received = received.subarray(next.length)
    }
    wake()
  })
  // A server that closes without reading may reset; what came before it counts all the same.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isOver = true
    wake()
  })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const until = async (isReached: () => boolean): Promise<void> => {
    while (!isReached()) await new Promise<void>((resolve) => (wake = resolve))
  }
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    read: async () => {
      await until(() => responses.length > 0 || isOver)
      const response = responses.shift()
      if (response === undefined) throw new Error(`the connection ended after: ${received}`)
      return response
    },
    ended: async () => {
      await until(() => isOver)
      return responses.splice(0)
    },
    vanish: () => void socket.resetAndDestroy(),
  }
}

/** Takes one whole response off the front of what was received, or nothing yet. */
function takeResponse(
  received: Buffer,
): { readonly response: RawResponse; readonly length: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n')
  const headers: Record<string, string[]> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers[name] = [...(headers[name] ?? []), line.slice(colon + 1).trim()]
  }
  const start = headEnd + 4
  const body =
    headers['transfer-encoding']?.[0] === 'chunked'
      ? takeChunks(received, start)
      : takeLength(received, start, Number(headers['content-length']?.[0] ?? 0))
  if (body === undefined) return undefined
  const status = Number(statusLine.split(' ')[1])
  return { response: { status, headers, body: body.text }, length: body.end }
}

function takeLength(
  received: Buffer,
  start: number,
  length: number,
): { readonly text: string; readonly end: number } | undefined {
  const end = start + length
  return received.length < end ? undefined : { text: received.toString('utf8', start, end), end }
}

function takeChunks(
  received: Buffer,
  start: number,
): { readonly text: string; readonly end: number } | undefined {
  const parts: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (received.length < next) return undefined
    if (size === 0) return { text: Buffer.concat(parts).toString('utf8'), end: next }
    parts.push(received.subarray(lineEnd + 2, next - 2))
    at = next
  }
}
