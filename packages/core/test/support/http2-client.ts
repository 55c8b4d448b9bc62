// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { createConnection } from 'node:net'
import { onTestFinished } from 'vitest'
import { headersFor } from './messages.ts'

/** What of an answer over HTTP/2 a caller goes by; there is never a `Connection` header. */
export interface Http2Seen {
  readonly status: number
  readonly type: string | undefined
  readonly body: unknown
}

/** One answer over HTTP/2. */
export interface Http2Answer extends Http2Seen {
  readonly headers: IncomingHttpHeaders
}

/** Fields of a request; undefined takes one away, a list sends one line for each value. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>

/** Opens a session to 127.0.0.1; the test's end cuts it. */
export async function openSession(port: number): Promise<ClientHttp2Session> {
  const socket = createConnection({ host: '127.0.0.1', port })
  const session = connect(`http://127.0.0.1:${port}`, { createConnection: () => socket })
  // Not session.destroy(): with open streams Node 20's client then runs without an end.
  onTestFinished(() => void socket.destroy())
  // The end of a server's session may come as an error; what matters is what its streams saw.
  session.on('error', () => undefined)
  await once(session, 'connect')
  return session
}

/** Begins a request that repeats a message in its headers; the body is the caller's to send. */
export function beginRequest(
  session: ClientHttp2Session,
  message: Readonly<Record<string, unknown>>,
  fields: Fields = {},
): ClientHttp2Stream {
  const all = { ':method': 'POST', ':path': '/mcp', ...headersFor(message), ...fields }
  const given = Object.entries(all).filter(([, value]) => value !== undefined)
  const options = { endStream: false }
  const stream = session.request(Object.fromEntries(given) as OutgoingHttpHeaders, options)
  stream.on('error', () => undefined)
  return stream
}

/** Waits for the whole answer to a request, even one that is given before the request has ended. */
export async function readAnswer(stream: ClientHttp2Stream): Promise<Http2Answer> {
  const isOver = new Promise<void>((resolve) => stream.once('end', resolve).once('close', resolve))
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text += chunk
  })
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  await isOver
  return {
    status: Number(headers[':status']),
    type: headers['content-type'],
    body: text === '' ? undefined : JSON.parse(text),
    headers,
  }
}

/** Sends one message and waits for its answer. */
export function ask(
  session: ClientHttp2Session,
  message: Readonly<Record<string, unknown>>,
  fields: Fields = {},
  body: string | Buffer = JSON.stringify(message),
): Promise<Http2Answer> {
  const stream = beginRequest(session, message, fields)
  stream.end(body)
  return readAnswer(stream)
}

/** Leaves out the headers that no caller goes by. */
export function seeHttp2({ status, type, body }: Http2Answer): Http2Seen {
  return { status, type, body }
}

/** An answer in JSON over HTTP/2. */
export function answered(status: number, body: unknown): Http2Seen {
  return { status, type: 'application/json; charset=utf-8', body }
}
