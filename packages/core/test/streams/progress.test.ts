// SPDX-License-Identifier: Apache-2.0
import type { CallContext } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { kept, see, valueResult } from '../support/answers.ts'
import { createApp, post } from '../support/app.ts'
import { asking, progressOf, readEvents } from '../support/event-streams.ts'
import { headersFor, request } from '../support/messages.ts'
import { serveWork } from '../support/notifying.ts'

const DROPPED = {
  falling: 'A notification was dropped: progress that does not increase',
  shapeless:
    'A notification was dropped: progress takes finite numbers, and a message that is a string',
}

/** What a client that sent a token is told of these calls. */
async function tell(work: (context: CallContext) => unknown) {
  const { app, complaints } = await serveWork(async (context) => {
    await work(context)
    return { done: true }
  })
  const { body } = await post(app, asking('work', { token: 't' }))
  const messages = body.startsWith('data: ') ? readEvents(body).messages : [JSON.parse(body)]
  return { told: messages.slice(0, -1), last: messages.at(-1), complaints: complaints() }
}

describe('context.progress', () => {
  test.each([
    ['a string', '"abc"'],
    ['an empty string', '""'],
    ['zero', '0'],
    ['a negative number', '-7'],
    ['the number as a string', '"7"'],
    ['an integer that no JavaScript number carries', '9007199254740993'],
    ['one of many digits', '123456789012345678901234567890'],
  ])('[PROG-01] names the token that the request sent: %s', async (_, token) => {
    const { app } = await serveWork(async ({ progress }) => {
      await progress(1)
      return { done: true }
    })
    const message = asking('work', { token: 'TOKEN' })
    const { body } = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: headersFor(message),
      payload: JSON.stringify(message).replace('"TOKEN"', token),
    })
    const [first] = body.split('\n\n')
    expect(first).toBe(
      `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1}}`,
    )
  })

  test('[PROG-02] does nothing for a request without a token', async () => {
    const { app, complaints } = await serveWork(async ({ progress }) => {
      await progress(1)
      await progress(Number.NaN)
      return { done: true }
    })
    expect(see(await post(app, asking('work', {})))).toEqual(kept(200, valueResult({ done: true })))
    expect(complaints()).toEqual([])
  })

  test('[PROG-02] does nothing after the answer', async () => {
    const late = { context: undefined as CallContext | undefined }
    const { app, complaints } = await serveWork(async (context) => {
      late.context = context
      await context.progress(1)
      return { done: true }
    })
    const { body } = await post(app, asking('work', { token: 't' }))
    await late.context?.progress(2)
    expect(readEvents(body).messages).toEqual([progressOf('t', 1), valueResult({ done: true })])
    expect(complaints()).toEqual([])
  })

  test('[PROG-03] drops what does not increase, and logs it once', async () => {
    const { told, complaints } = await tell(async ({ progress }) => {
      for (const value of [-1.5, -1.5, -2, 0, -0, 0.25, 0.2, 1e21, 10, Number.MAX_VALUE]) {
        await progress(value)
      }
    })
    expect(told).toEqual(
      [-1.5, 0, 0.25, 1e21, Number.MAX_VALUE].map((value) => progressOf('t', value)),
    )
    expect(complaints).toEqual([DROPPED.falling])
  })

  test.each([
    ['NaN', [Number.NaN]],
    ['an infinity', [Number.POSITIVE_INFINITY]],
    ['a string', ['1']],
    ['a bigint', [1n]],
    ['nothing', []],
    ['a total that is NaN', [1, Number.NaN]],
    ['a total that is null', [1, null]],
    ['a message that is no string', [1, 2, { text: 'x' }]],
    ['a message that is a symbol', [1, 2, Symbol('x')]],
  ])('[PROG-03] drops %s, and goes on', async (_, args) => {
    const { told, last, complaints } = await tell(async ({ progress }) => {
      await (progress as (...given: readonly unknown[]) => Promise<void>)(...args)
      await progress(1, 2, 'one')
    })
    expect(told).toEqual([progressOf('t', 1, { total: 2, message: 'one' })])
    expect(last).toMatchObject(valueResult({ done: true }))
    expect(complaints).toEqual([DROPPED.shapeless])
  })

  test('carries any text', async () => {
    const text = 'line\r\nbreak\n\ndata: {}\u2028 \ud800 "☃" 😀\0'
    const { told } = await tell(({ progress }) => progress(1, undefined, text))
    expect(told).toEqual([progressOf('t', 1, { message: text })])
  })

  test('[PROG-04] counts for each request alone', async () => {
    const { app } = await serveWork(async ({ progress }) => {
      await progress(1)
      return { done: true }
    })
    for (const token of ['a', 'b']) {
      const { body } = await post(app, asking('work', { token }))
      expect(readEvents(body).messages[0]).toEqual(progressOf(token, 1))
    }
  })

  test.each([
    ['a reader', request('resources/read', { uri: 'work://it' })],
    ['a renderer', request('prompts/get', { name: 'work' })],
  ])('[PROG-01] is there for %s too', async (_, message) => {
    const { app } = await serveWork(async ({ progress }) => {
      await progress(1, 1)
      return 'text'
    })
    const params = message['params'] as { _meta: object }
    const asked = {
      ...message,
      params: { ...params, _meta: { ...params._meta, progressToken: 5 } },
    }
    const { messages, others } = readEvents((await post(app, asked)).body)
    expect([messages[0], others]).toEqual([progressOf(5, 1, { total: 1 }), []])
    expect(messages[1]).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  })

  test.each([[1.5], [true], [null], [{}], [[]]])(
    '[A-26] refuses a request whose token is %j',
    async (token) => {
      const { app } = await serveWork(() => 'never')
      const response = await post(app, asking('work', { token }))
      expect([response.statusCode, response.json().error.code]).toEqual([400, -32602])
    },
  )

  test('is there as well for a dispatch of the host’s own', async () => {
    const app = await createApp({
      catalog: { capabilities: () => ({ tools: [{ name: 'own' }], resources: [], prompts: [] }) },
      dispatch: async (_tool, _args, context) => {
        await context.progress(1)
        return 'own'
      },
    })
    const { body } = await post(app, asking('own', { token: 't' }))
    expect(readEvents(body).messages[0]).toEqual(progressOf('t', 1))
  })
})
