// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, NO_JSON, see, valueResult } from '../support/answers.ts'
import { createApp, echoCatalog } from '../support/app.ts'
import { call, headersFor, request } from '../support/messages.ts'

const CALL = call('echo', { text: 'hi' })
const BODY = JSON.stringify(CALL)

async function send(payload: string | Buffer) {
  const { options, seen } = echoCatalog()
  const app = await createApp(options)
  const response = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: headersFor(CALL),
    payload,
  })
  return { answer: see(response), seen }
}

const invalid = (message: string, rest = {}) => kept(400, errorAnswer(-32600, message, rest))

describe('the bytes of a body', () => {
  test.each([
    ['text', 'hello'],
    ['a body cut short', BODY.slice(0, -1)],
    ['a body with more behind it', `${BODY}{}`],
    ['two messages', `${BODY}\n${BODY}`],
    ['a trailing comma', BODY.replace(/\}$/, ',}')],
    ['a comment', `${BODY}// x`],
    ['a single quote', BODY.replaceAll('"', "'")],
    ['NaN', BODY.replace('"hi"', 'NaN')],
    ['a leading zero', BODY.replace('"hi"', '01')],
    ['a byte order mark', `\ufeff${BODY}`],
    ['bad UTF-8', Buffer.from(BODY.replace('hi', '\xff'), 'latin1')],
    ['UTF-16', Buffer.from(BODY, 'utf16le')],
    ['an escaped lone surrogate', BODY.replace('hi', '\\ud800')],
    ['white space alone', ' \n'],
  ])('[HTTP-14] [ENV-04] refuse %s as no JSON, without an id', async (_, payload) => {
    const { answer, seen } = await send(payload)
    expect(answer).toEqual(kept(400, NO_JSON))
    expect(seen).toHaveLength(0)
  })

  test.each([
    ['an array of messages', `[${BODY}]`, 'Expected a JSON object, got an array'],
    ['an empty array', '[]', 'Expected a JSON object, got an array'],
    ['a text', '"hi"', 'Expected a JSON object, got a string'],
    ['a number', '7', 'Expected a JSON object, got a number'],
    ['null', 'null', 'Expected a JSON object, got null'],
    ['true', 'true', 'Expected a JSON object, got a scalar'],
  ])('[ENV-14] refuse %s', async (_, payload, message) => {
    const { answer, seen } = await send(payload)
    expect(answer).toEqual(invalid(message))
    expect(seen).toHaveLength(0)
  })

  test('admit 64 levels and refuse 65', async () => {
    const nested = (levels: number) =>
      BODY.replace('{', `{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},`)
    expect((await send(nested(64))).answer).toEqual(kept(200, valueResult({ text: 'hi' })))
    expect((await send(nested(65))).answer).toEqual(
      invalid('Request body nests deeper than 64 levels'),
    )
  })

  test.each([
    ['at the top', BODY.replace('{', '{"method":"x",'), 'method'],
    ['in the arguments', BODY.replace('"text":"hi"', '"text":"a","text":"b"'), 'text'],
    ['after unescaping', BODY.replace('"text":"hi"', '"text":"a","t\\u0065xt":"b"'), 'text'],
  ])('refuse a key that is repeated %s', async (_, payload, key) => {
    const { answer, seen } = await send(payload)
    expect(answer).toEqual(invalid(`Request body repeats a key: duplicate key "${key}"`))
    expect(seen).toHaveLength(0)
  })

  test.each([
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error response', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['a method that is no string', { ...CALL, method: 7 }],
    ['no JSON-RPC version', { id: 1, method: 'tools/list' }],
  ])('[HTTP-06] refuse %s, with the id', async (_, message) => {
    const { answer } = await send(JSON.stringify(message))
    expect(answer).toEqual(invalid('Invalid Request', { id: 1 }))
  })

  test('keep a key such as __proto__ as data', async () => {
    const { answer, seen } = await send(BODY.replace('"text":"hi"', '"__proto__":{"text":"x"}'))
    expect(answer).toMatchObject({ status: 200, body: { result: { isError: true } } })
    expect(seen).toHaveLength(0)
  })

  test('[ENV-03] keep every digit of an id', async () => {
    const app = await createApp(echoCatalog().options)
    const message = request('tools/list')
    for (const id of ['12345678901234567890', '-9007199254740993', '0']) {
      const response = await app.inject({
        method: 'POST',
        url: '/mcp',
        headers: headersFor(message),
        payload: JSON.stringify(message).replace('"id":1', `"id":${id}`),
      })
      expect(response.body).toContain(`"id":${id},`)
    }
  })
})
