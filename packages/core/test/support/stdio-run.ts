// SPDX-License-Identifier: Apache-2.0
import { PassThrough } from 'node:stream'
import { type CatalogParts, createCatalog } from '@beam-mcp/core/server'
import { runStdio, type StdioOptions } from '@beam-mcp/core/stdio'
import { onTestFinished } from 'vitest'
import { type Collected, collect, type Message } from './collect.ts'
import { pairAnswers } from './published-types.ts'
import { COMPLETE, type RecordedLog, recordLog, SERVER_INFO } from './server.ts'

/** A run over two streams in memory. */
export interface TestRun extends Pick<Collected, 'next' | 'take' | 'until' | 'text'> {
  readonly input: PassThrough
  readonly output: PassThrough
  readonly log: RecordedLog
  /** Writes messages, a line each; text as it is. */
  readonly send: (...messages: (string | Buffer | object)[]) => void
  readonly ended: Promise<void>
}

/** Starts a run of these tools, resources and prompts; it is over when its test is. */
export function startRun(
  parts: CatalogParts,
  options: Partial<StdioOptions> & { readonly isRead?: boolean } = {},
): TestRun {
  const { isRead = true, ...own } = options
  const input = new PassThrough()
  const output = new PassThrough()
  const log = recordLog()
  const ended = runStdio({
    ...createCatalog(parts),
    serverInfo: SERVER_INFO,
    logger: log.logger,
    input,
    output,
    ...own,
  })
  onTestFinished(async () => {
    const used = own.output ?? output
    used.destroy()
    await ended.catch(() => undefined)
  })
  const { next: read, until, text } = collect(isRead ? output : null)
  const pairs = pairAnswers()
  const next: TestRun['next'] = async () => {
    const message = await read()
    pairs.got(message)
    return message
  }
  const take: TestRun['take'] = async (count) => {
    const messages: Message[] = []
    while (messages.length < count) messages.push(await next())
    return messages
  }
  const send: TestRun['send'] = (...messages) => {
    for (const message of messages) {
      const isRaw = typeof message === 'string' || Buffer.isBuffer(message)
      if (!isRaw) pairs.sent(message)
      input.write(isRaw ? message : `${JSON.stringify(message)}\n`)
    }
  }
  return { input, output, log, send, ended, next, take, until, text }
}

/** A promise to be settled from without. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
  readonly reject: (thrown: unknown) => void
}

export function defer<Value = void>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => undefined
  let reject: (thrown: unknown) => void = () => undefined
  const promise = new Promise<Value>((onValue, onThrown) => {
    resolve = onValue
    reject = onThrown
  })
  return { promise, resolve, reject }
}

/** The answer of a test server's tool that answered text. */
export const toolAnswer = (id: unknown, text: string): Message => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }], isError: false, ...COMPLETE },
})
