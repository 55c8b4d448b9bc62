// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { readJson } from '../../src/json/read-json.ts'
import { encodeId, readEnvelope } from '../../src/protocol/json-rpc.ts'
import { META, request } from '../support/messages.ts'
import { serve } from '../support/server.ts'

const { server } = serve({})
const LIST = { jsonrpc: '2.0', method: 'tools/list', params: { _meta: META } }

const invalid = (message: string): unknown => ({ jsonrpc: '2.0', error: { code: -32600, message } })
const BAD_ID = invalid('Invalid Request: id must be a string or an integer')

describe('request ids', () => {
  test.each([
    0,
    -1,
    7,
    '',
    '0',
    '7',
    'ü☃',
    '😀"\\\u0000',
    '__proto__',
    2 ** 53,
    -(2 ** 53),
    Number.MAX_SAFE_INTEGER,
  ])('[ENV-02] [ENV-03] the id %j comes back with its type', async (id) => {
    const answer = await server.handle({ ...LIST, id })
    expect(answer).toMatchObject({ jsonrpc: '2.0', result: { tools: [] } })
    expect(answer?.id).toBe(id)
    const refused = await server.handle(request('nothing', {}, id))
    expect(refused).toMatchObject({ error: { code: -32601 } })
    expect(refused?.id).toBe(id)
  })

  test.each([12_345_678_901_234_567_890n, -9_007_199_254_740_993n, 10n ** 400n])(
    '[ENV-03] the id %s comes back with all its digits',
    async (id) => {
      expect((await server.handle({ ...LIST, id }))?.id).toBe(id)
      expect((await server.handle(request('nothing', {}, id)))?.id).toBe(id)
    },
  )

  test('[ENV-03] a bigint that a number holds comes back as that number', async () => {
    expect((await server.handle({ ...LIST, id: 5n }))?.id).toBe(5)
  })

  test.each([
    '1',
    '-0',
    '12345678901234567890',
    '-12345678901234567890',
    '9007199254740993',
    '"1"',
    '""',
  ])('[ENV-03] the text %s of an id is written as it was read', (text) => {
    const reading = readJson(Buffer.from(`{"jsonrpc":"2.0","id":${text},"method":"m"}`))
    if (!reading.ok) throw new Error('unreadable')
    const envelope = readEnvelope(reading.value, reading.isIntegerLexeme)
    if (envelope.kind !== 'request') throw new Error(envelope.kind)
    expect(encodeId(envelope.id)).toBe(text === '-0' ? '0' : text)
  })

  test.each(['1.0', '1e0', '1.5', '-1.0', '1E2', '1e400', 'null', 'true', '{}', '[]', '[1]'])(
    '[ENV-02] [ENV-04] the text %s is no id',
    (text) => {
      const reading = readJson(Buffer.from(`{"jsonrpc":"2.0","id":${text},"method":"m"}`))
      if (!reading.ok) throw new Error('unreadable')
      expect(readEnvelope(reading.value, reading.isIntegerLexeme)).toMatchObject({
        kind: 'refused',
        id: undefined,
        error: { code: -32600, status: 400 },
      })
    },
  )

  test.each([null, 1.5, true, false, {}, [], [1], 1e21])(
    '[ENV-02] [ENV-04] the id %j is refused, and left out of the answer',
    async (id) => {
      expect(await server.handle({ ...LIST, id })).toEqual(BAD_ID)
    },
  )

  test('[ENV-08] an id of undefined is none: a notification', async () => {
    expect(await server.handle({ ...LIST, id: undefined })).toBeUndefined()
  })
})

describe('messages', () => {
  const BATCH = invalid('Batch requests are not supported at any supported protocol version')
  test.each([
    [[], BATCH],
    [[request('tools/list')], BATCH],
    ['tools/list', invalid('Expected a JSON object, got a string')],
    [5, invalid('Expected a JSON object, got a number')],
    [10n ** 20n, invalid('Expected a JSON object, got a number')],
    [null, invalid('Expected a JSON object, got null')],
    [true, invalid('Expected a JSON object, got a scalar')],
    [false, invalid('Expected a JSON object, got a scalar')],
  ])('[ENV-01] [ENV-14] %s is no message', async (message, answer) => {
    expect(await server.handle(message)).toEqual(answer)
  })

  test.each([
    { id: 1 },
    { id: 1, method: 'tools/list' },
    { id: 1, jsonrpc: '1.0', method: 'tools/list' },
    { id: 1, jsonrpc: 2, method: 'tools/list' },
    { id: 1, jsonrpc: '2.0' },
    { id: 1, jsonrpc: '2.0', method: 5 },
    { id: 1, jsonrpc: '2.0', method: null },
    { id: 1, jsonrpc: '2.0', method: ['tools/list'] },
    { id: 1, jsonrpc: '2.0', result: {} },
    { id: 1, jsonrpc: '2.0', error: { code: 1, message: 'x' } },
  ])('[ENV-01] [ERR-01] %j is an invalid request, answered with its id', async (message) => {
    expect(await server.handle(message)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32600, message: 'Invalid Request' },
    })
  })

  test.each([{}, { method: 'x' }, { jsonrpc: '2.0' }, { jsonrpc: '2.0', method: 5 }])(
    '[ENV-04] %j is an invalid request, answered without an id',
    async (message) => {
      expect(await server.handle(message)).toEqual(invalid('Invalid Request'))
    },
  )

  test.each([
    () => 1,
    undefined,
    Symbol('x'),
    new Map(),
    { ...LIST, id: 1, params: { x: Number.NaN } },
    { ...LIST, id: 1, params: { x: new Date() } },
    { ...LIST, id: 1, params: { x: '\ud800' } },
  ])('a value that JSON has no form for is a parse error', async (message) => {
    expect(await server.handle(message)).toEqual({
      jsonrpc: '2.0',
      error: { code: -32700, message: 'Parse error: body is not valid JSON' },
    })
  })

  test('a message that nests too deep, or into itself, is an invalid request', async () => {
    const loop: Record<string, unknown> = { ...LIST, id: 1 }
    loop['self'] = loop
    expect(await server.handle(loop)).toEqual(invalid('Request body nests deeper than 64 levels'))
  })

  test('members that an envelope inherits are not its own', async () => {
    const inherited = Object.setPrototypeOf({ id: 1, jsonrpc: '2.0' }, null)
    expect(await server.handle(inherited)).toMatchObject({ error: { code: -32600 } })
  })
})

describe('notifications', () => {
  test.each([
    'notifications/initialized',
    'notifications/cancelled',
    'tools/call',
    'tools/list',
    'initialize',
    'nothing',
    '',
  ])('[ENV-08] %j without an id is accepted and not answered', async (method) => {
    let ran = 0
    const { server: counting } = serve({
      tools: [{ name: 'echo', handler: () => (ran += 1) }],
    })
    const notification = { jsonrpc: '2.0', method, params: { name: 'echo', _meta: META } }
    expect(await counting.handle(notification)).toBeUndefined()
    expect(ran).toBe(0)
  })

  test.each([undefined, null, 5, [], {}, { _meta: 5 }, { _meta: {} }])(
    '[ENV-08] the params %j of a notification are not judged',
    async (params) => {
      expect(await server.handle({ jsonrpc: '2.0', method: 'x', params })).toBeUndefined()
    },
  )

  test('[ENV-08] a notification with a top-level _meta is not answered', async () => {
    expect(await server.handle({ jsonrpc: '2.0', method: 'x', _meta: META })).toBeUndefined()
  })
})
