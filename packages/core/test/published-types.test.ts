// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { META, request } from './support/messages.ts'
import { bare } from './support/older-client.ts'
import { findFaults } from './support/published-types.ts'
import { COMPLETE, UNCACHED } from './support/server.ts'

const answer = (result: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, result })
const error = (code: unknown, rest: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message: 'x', ...rest },
})
const TOOL = { name: 't', inputSchema: { type: 'object' } }
const CALL = request('tools/call', { name: 't' })
const LIST = request('tools/list')

describe('the judge of answers finds', () => {
  test.each<readonly [string, unknown, unknown]>([
    ['a newer result', CALL, answer({ content: [], ...COMPLETE })],
    ["an extension's result", CALL, answer({ resultType: 'x/y', _meta: COMPLETE._meta })],
    ['a newer list', LIST, answer({ tools: [TOOL], ...UNCACHED, ...COMPLETE })],
    ['an older result', bare('tools/call'), answer({ content: [], structuredContent: {} })],
    ['an older list', bare('tools/list'), answer({ tools: [TOOL] })],
    ['an empty result', bare('ping'), answer({})],
    ['an error', CALL, error(-32602)],
    ['an error without an id', CALL, { jsonrpc: '2.0', error: { code: -32600, message: 'x' } }],
    ['a long id', { ...CALL, id: 2n ** 63n }, answer({ content: [], ...COMPLETE }, 2 ** 63)],
  ])('nothing wrong with %s', (_, asked, given) => {
    expect(findFaults(asked, given)).toEqual([])
  })

  test.each<readonly [string, unknown, unknown]>([
    ['text', CALL, 'x'],
    ['neither result nor error', CALL, { jsonrpc: '2.0', id: 1 }],
    ['another id', CALL, answer({ content: [], ...COMPLETE }, 2)],
    ['an id of another type', CALL, answer({ content: [], ...COMPLETE }, '1')],
    ['a null id', CALL, { ...error(-32600), id: null }],
    ['a code that is kept for others', CALL, error(-32050)],
    ['a code of the older revision', CALL, error(-32002)],
    ['a code that is no integer', CALL, error('x')],
    ['a version refused without words', CALL, error(-32022)],
    ['a capability refused without words', CALL, error(-32021)],
    ['no resultType', CALL, answer({ content: [], _meta: COMPLETE._meta })],
    ['no server', CALL, answer({ content: [], resultType: 'complete' })],
    ['no content', CALL, answer({ ...COMPLETE })],
    ['a block of no kind', CALL, answer({ content: [{ type: 'x' }], ...COMPLETE })],
    ['no cache hints', LIST, answer({ tools: [], ...COMPLETE })],
    ['cache hints of a call', CALL, answer({ content: [], ...UNCACHED, ...COMPLETE })],
    ['a tool without a schema', LIST, answer({ tools: [{ name: 't' }], ...UNCACHED, ...COMPLETE })],
    ['newer members in the older', bare('tools/list'), answer({ tools: [], ...UNCACHED })],
    ['the server in the older', bare('ping'), answer({ _meta: COMPLETE._meta })],
    ['older structured content of a list', bare('tools/call'), answer({ structuredContent: [] })],
    [
      'an older boolean property',
      bare('tools/list'),
      answer({ tools: [{ name: 't', inputSchema: { type: 'object', properties: { a: true } } }] }),
    ],
    ['a handshake without a server', bare('initialize'), answer({ protocolVersion: '2025-11-25' })],
    ['a notification of no kind', CALL, { jsonrpc: '2.0', method: 'notifications/nope' }],
  ])('%s', (_, asked, given) => {
    expect(findFaults(asked, given)).not.toEqual([])
  })

  test('the era of a request by its _meta', () => {
    const newer = answer({ content: [], ...COMPLETE })
    expect(findFaults(bare('tools/call', { _meta: META }), newer)).toEqual([])
    expect(findFaults(bare('tools/call'), newer)).not.toEqual([])
  })
})
