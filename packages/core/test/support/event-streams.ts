// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
} from 'node:http'
import { onTestFinished } from 'vitest'
import { headersFor, META } from './messages.ts'
import { checkAnswer, checkBody } from './published-types.ts'

/** An event stream as it is read: the messages in order, and whatever else stands in it. */
export interface ReadEvents {
  readonly messages: readonly Message[]
  /** Comments without their colon. */
  readonly comments: readonly string[]
  /** Lines that are neither data nor a comment: there should be none. */
  readonly others: readonly string[]
}

/** One JSON-RPC message of a stream. */
export interface Message {
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly id?: unknown
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: Readonly<Record<string, unknown>>
}

/** Reads a whole stream; an event is one line of data, and ends with a blank line. */
export function readEvents(text: string): ReadEvents {
  if (!text.endsWith('\n\n')) throw new Error(`the stream ends within an event: ${text}`)
  const lines = text.slice(0, -2).split('\n\n')
  const isData = (line: string): boolean => /^data: \{[^\r\n]*\}$/.test(line)
  const isComment = (line: string): boolean => /^:[^\r\n]*$/.test(line)
  return {
    messages: lines.filter(isData).map((line) => JSON.parse(line.slice(6)) as Message),
    comments: lines.filter(isComment).map((line) => line.slice(1).trim()),
    others: lines.filter((line) => !isData(line) && !isComment(line)),
  }
}

/** A call whose request asks for notifications; undefined leaves a wish out. */
export function asking(
  name: string,
  wishes: { readonly token?: unknown; readonly level?: string },
  args: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { token, level } = wishes
  const _meta = {
    ...META,
    ...(token !== undefined && { progressToken: token }),
    ...(level !== undefined && { 'io.modelcontextprotocol/logLevel': level }),
  }
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args, _meta },
  }
}

/** The progress notification that a handler's call becomes. */
export function progressOf(
  progressToken: unknown,
  progress: number,
  rest: { readonly total?: number; readonly message?: string } = {},
): Record<string, unknown> {
  return {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken, progress, ...rest },
  }
}

/** The log notification that a handler's call becomes. */
export function logOf(level: string, data: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', method: 'notifications/message', params: { level, data } }
}

/** One request over HTTP whose answer is read as it comes. */
export interface OpenCall {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The next message of the stream; undefined at its end. Comments are passed over. */
  readonly next: () => Promise<Message | undefined>
  /** The text of the rest. */
  readonly rest: () => Promise<string>
  readonly response: IncomingMessage
  /** Cuts the connection, as a caller that vanishes does. */
  readonly vanish: () => void
}

/** A request that was sent and is not answered yet. */
export interface SentCall {
  readonly answer: Promise<OpenCall>
  readonly vanish: () => void
}

/** Sends a message on a connection of its own. */
export function sendCall(
  port: number,
  message: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string | undefined>> = {},
  /** Where false, the message is what it is and no header repeats it. */
  own: Readonly<Record<string, string>> = headersFor(message),
  /** Keeps the connection afterwards. */
  agent: Agent | false = false,
  path = '/mcp',
): SentCall {
  const all = Object.entries({ ...own, ...headers })
  const request = openRequest({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    agent,
    headers: Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >,
  })
  request.on('error', () => undefined)
  request.end(JSON.stringify(message))
  const vanish = (): void => void request.destroy()
  onTestFinished(vanish)
  const answer = once(request, 'response').then(([response]) =>
    openCall(response as IncomingMessage, message, vanish),
  )
  // A test that cuts the connection before the answer never asks for it.
  answer.catch(() => undefined)
  return { answer, vanish }
}

function openCall(
  response: IncomingMessage,
  request: Readonly<Record<string, unknown>>,
  vanish: () => void,
): OpenCall {
  response.on('error', () => undefined)
  response.setEncoding('utf8')
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<string>
  let text = ''
  const next = async (): Promise<Message | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const [message] = readEvents(text.slice(0, end + 2)).messages
        text = text.slice(end + 2)
        if (message === undefined) continue
        checkAnswer(request, message)
        return message
      }
      const { value, done } = await chunks.next()
      if (done === true) return undefined
      text += value
    }
  }
  const rest = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await chunks.next()
      if (done === true) {
        checkBody(request, text, String(response.headers['content-type']))
        return text
      }
      text += value
    }
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next,
    rest,
    response,
    vanish,
  }
}

/** A promise and what settles it. */
export interface Gate<Value = void> {
  readonly opened: Promise<Value>
  readonly open: (value: Value) => void
}

/** Something a handler waits for until the test lets it go on. */
export function createGate<Value = void>(): Gate<Value> {
  let open: (value: Value) => void = () => undefined
  const opened = new Promise<Value>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Settles when a signal is aborted, with its reason. */
export async function aborted(signal: AbortSignal): Promise<unknown> {
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason
}
