// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { startRun } from '../support/stdio-run.ts'

const NO_JSON = [-32700, 'Parse error: body is not valid JSON'] as const
const got = (what: string) => [-32600, `Expected a JSON object, got ${what}`] as const

describe('a bad line', () => {
  test.each<[string, string | Buffer, readonly [number, string]]>([
    ['text', 'hello', NO_JSON],
    ['half a message', '{"jsonrpc":"2.0","id":1', NO_JSON],
    ['two messages', '{} {}', NO_JSON],
    ['bad UTF-8', Buffer.from([0x22, 0xff, 0x22]), NO_JSON],
    ['half a surrogate pair', '"\\ud800"', NO_JSON],
    ['a second byte order mark', '\ufeff\ufeff{}', NO_JSON],
    ['an array', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', got('an array')],
    ['a string', '"ping"', got('a string')],
    ['a number', '1', got('a number')],
    ['null', 'null', got('null')],
    ['true', 'true', got('a scalar')],
    ['an empty object', '{}', [-32600, 'Invalid Request']],
    ['no jsonrpc', '{"method":"ping"}', [-32600, 'Invalid Request']],
    [
      'an id of no type',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      [-32600, 'Invalid Request: id must be a string or an integer'],
    ],
    [
      'a repeated key',
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
      [-32600, 'Request body repeats a key: duplicate key "id"'],
    ],
    [
      'too many levels',
      `${'['.repeat(65)}${']'.repeat(65)}`,
      [-32600, 'Request body nests deeper than 64 levels'],
    ],
    ['an empty frame', 'Content-Length: 0\r\n\r', NO_JSON],
    ['a bad frame', 'Content-Length: x', [-32700, 'Parse error: invalid_content_length']],
  ])(
    '[ENV-04, IO-11] gets one answer without an id, and the next is read: %s',
    async (_, line, error) => {
      const run = startRun({})
      run.send(line, '\n{"jsonrpc":"2.0","id":9,"method":"ping"}\n')
      const [code, message] = error
      expect(await run.take(2)).toEqual([
        { jsonrpc: '2.0', error: { code, message } },
        { jsonrpc: '2.0', id: 9, result: {} },
      ])
    },
  )

  test('[ENV-03] is answered with its id where it has one', async () => {
    const run = startRun({})
    run.send({ id: 'x', method: 'ping' }, { jsonrpc: '2.0', id: 2 })
    expect(await run.take(2)).toEqual(
      ['x', 2].map((id) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32600, message: 'Invalid Request' },
      })),
    )
  })
})
