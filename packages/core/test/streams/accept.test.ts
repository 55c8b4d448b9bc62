// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, see, valueResult } from '../support/answers.ts'
import { post } from '../support/app.ts'
import { asking, progressOf, readEvents } from '../support/event-streams.ts'
import { call } from '../support/messages.ts'
import { serveWork } from '../support/notifying.ts'
import { BOTH, bare, postOld } from '../support/older-client.ts'

const CALL = asking('work', { token: 't' })
const RESULT = valueResult({ done: true })

function serve() {
  return serveWork(
    async ({ progress }) => {
      await progress(1)
      await progress(2)
      return { done: true }
    },
    { revisions: BOTH },
  )
}

describe('the Accept header of a call that tells of its progress', () => {
  test.each([
    'application/json',
    'application/*',
    'application/json, text/html',
    'application/json, text/event-stream;q=0',
    '*/*, text/event-stream; q=0.0',
    'application/json, text/*;q=0',
  ])('[A-06] that takes JSON alone gets the plain object: %s', async (accept) => {
    const { app, complaints } = await serve()
    expect(see(await post(app, CALL, { accept }))).toEqual(kept(200, RESULT))
    expect(complaints()).toEqual([])
  })

  test.each([
    undefined,
    '',
    '*/*',
    'application/json, text/event-stream',
    'text/event-stream, application/json',
    'TEXT/EVENT-STREAM,application/json;q=0.1',
    'application/json, text/*',
    'text/event-stream',
    'text/*',
    'nonsense',
  ])('[A-06] that takes streams gets one: %s', async (accept) => {
    const { app } = await serve()
    const { headers, body } = await post(app, CALL, { accept })
    expect(headers['content-type']).toBe('text/event-stream')
    expect(readEvents(body).messages).toEqual([progressOf('t', 1), progressOf('t', 2), RESULT])
  })
})

describe('an Accept of event streams alone', () => {
  const ALONE = { accept: 'text/event-stream' }

  test.each([
    ['a result', call('work'), RESULT],
    ['an error of the method', call('none'), errorAnswer(-32602, 'Unknown tool: none', { id: 1 })],
  ])('[A-06] [HTTP-08] gets a stream of one event for %s', async (_, message, expected) => {
    const { app } = await serve()
    const response = await post(app, message, ALONE)
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      'text/event-stream',
    ])
    expect(readEvents(response.body)).toEqual({ messages: [expected], comments: [], others: [] })
  })

  test('[A-06] gets JSON for what is refused with a status', async () => {
    const { app } = await serve()
    const response = await post(app, call('work'), { ...ALONE, 'mcp-name': 'other' })
    expect([response.statusCode, response.json().error.code]).toEqual([400, -32020])
  })

  test('[A-06] gets 202 for a notification', async () => {
    const { app } = await serve()
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }
    const response = await post(app, message, { ...ALONE, 'mcp-method': undefined })
    expect([response.statusCode, response.body]).toEqual([202, ''])
  })

  test('[L-HTTP-09] [L-HTTP-18] gets the stream in the older revision too', async () => {
    const { app } = await serve()
    const response = await postOld(app, bare('tools/call', { name: 'work' }), ALONE)
    expect(readEvents(response.body).messages).toMatchObject([{ id: 1, result: {} }])
  })
})

describe('a call of the older revision', () => {
  test('[L-PROG-01] [L-HTTP-09] is told of its progress on its own stream', async () => {
    const { app } = await serve()
    const params = { name: 'work', _meta: { progressToken: 0 } }
    const response = await postOld(app, bare('tools/call', params))
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    })
    expect(readEvents(response.body)).toEqual({
      messages: [
        progressOf(0, 1),
        progressOf(0, 2),
        {
          jsonrpc: '2.0',
          id: 1,
          result: {
            content: [{ type: 'text', text: '{"done":true}' }],
            structuredContent: { done: true },
            isError: false,
          },
        },
      ],
      comments: [],
      others: [],
    })
  })
})
