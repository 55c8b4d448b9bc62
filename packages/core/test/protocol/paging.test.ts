// SPDX-License-Identifier: Apache-2.0
import type { Capabilities, Catalog } from '@beam-mcp/core/server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeCursor, type ListKind } from '../../src/protocol/cursor.ts'
import { catalogOf, createTestServer, errorAnswer, type TestServer } from '../support/server.ts'

/** A list that pages: its method, the member of its result, its kind in a cursor, one entry. */
type List = readonly [
  method: string,
  member: string,
  kind: ListKind,
  entry: (key: string) => object,
]

const LISTS: readonly List[] = [
  ['resources/list', 'resources', 'resources', (key) => ({ uri: key, name: 'n' })],
  [
    'resources/templates/list',
    'resourceTemplates',
    'resource_templates',
    (key) => ({ uriTemplate: key, name: 'n' }),
  ],
  ['prompts/list', 'prompts', 'prompts', (key) => ({ name: key })],
]

const keyOf = (entry: Record<string, string>): string =>
  entry['uri'] ?? entry['uriTemplate'] ?? entry['name'] ?? ''

function listed([method, , , entry]: List, keys: readonly string[]): Record<string, unknown> {
  return { [method === 'prompts/list' ? 'prompts' : 'resources']: keys.map(entry) }
}

function serveKeys(list: List, keys: readonly string[], pageSize: number): TestServer {
  return createTestServer({ catalog: catalogOf(listed(list, keys)), pageSize })
}

interface Page {
  readonly keys: readonly string[]
  readonly next: string | undefined
}

async function pageOf({ ask }: TestServer, [method, member]: List, cursor?: unknown) {
  const result = (await ask(method, cursor === undefined ? {} : { cursor }))?.result ?? {}
  const page: Page = {
    keys: (result[member] as Record<string, string>[]).map(keyOf),
    next: result['nextCursor'] as string | undefined,
  }
  expect(Object.hasOwn(result, 'nextCursor')).toBe(page.next !== undefined)
  return page
}

async function walk(server: TestServer, list: List): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await pageOf(server, list, cursor)
    pages.push([...page.keys])
    cursor = page.next
  } while (cursor !== undefined)
  return pages
}

describe.each(LISTS)('%s', (...list: List) => {
  const [method, , kind] = list

  test('[PAGE-01] is sorted by code points, which UTF-16 is not', async () => {
    const keys = ['a:😀', 'a:\ufb33', 'a:b', 'a:', 'a:B', 'a:é', 'a:\u{10ffff}', 'a:\uffff', 'a:bb']
    const pages = await walk(serveKeys(list, keys, 50), list)
    expect(pages).toEqual([
      ['a:', 'a:B', 'a:b', 'a:bb', 'a:é', 'a:\ufb33', 'a:\uffff', 'a:😀', 'a:\u{10ffff}'],
    ])
  })

  test('[PAGE-02] is given in pages, and nextCursor is there while entries remain', async () => {
    const keys = ['e', 'd', 'c', 'b', 'a']
    expect(await walk(serveKeys(list, keys, 2), list)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(await walk(serveKeys(list, keys, 5), list)).toEqual([['a', 'b', 'c', 'd', 'e']])
    expect(await walk(serveKeys(list, keys, 4), list)).toEqual([['a', 'b', 'c', 'd'], ['e']])
    expect(await walk(serveKeys(list, keys, 1), list)).toEqual([['a'], ['b'], ['c'], ['d'], ['e']])
    expect(await walk(serveKeys(list, [], 2), list)).toEqual([[]])
  })

  test('[PAGE-01] has pages of 50 unless told', async () => {
    const keys = Array.from({ length: 51 }, (_, index) => `k${100 + index}`)
    const server = createTestServer({ catalog: catalogOf(listed(list, keys)) })
    expect((await walk(server, list)).map(({ length }) => length)).toEqual([50, 1])
  })

  test('starts at the beginning for a cursor that is null', async () => {
    const server = serveKeys(list, ['a', 'b', 'c'], 2)
    expect(await pageOf(server, list, null)).toEqual(await pageOf(server, list))
  })

  test('[PAGE-04] [PAGE-05] goes on behind a key that no longer exists', async () => {
    const server = serveKeys(list, ['a', 'c', 'e', '😀'], 10)
    for (const [after, keys] of [
      ['', ['a', 'c', 'e', '😀']],
      ['b', ['c', 'e', '😀']],
      ['c', ['e', '😀']],
      ['e\u0000', ['😀']],
      ['\ufb33', ['😀']],
      ['😀', []],
      ['zzz', ['😀']],
      ['\u{10ffff}', []],
    ] as const) {
      expect(await pageOf(server, list, encodeCursor(kind, after))).toEqual({
        keys,
        next: undefined,
      })
    }
  })

  test('[PAGE-04] skips and repeats no survivor when entries come and go between pages', async () => {
    let keys = ['b', 'd', 'f', 'h']
    const catalog: Catalog = {
      ...catalogOf({}),
      capabilities: (context) => catalogOf(listed(list, keys)).capabilities(context),
    }
    const server = createTestServer({ catalog, pageSize: 2 })
    const first = await pageOf(server, list)
    expect(first.keys).toEqual(['b', 'd'])
    keys = ['a', 'c', 'e', 'f', 'g']
    const second = await pageOf(server, list, first.next)
    expect(second.keys).toEqual(['e', 'f'])
    keys = ['f', 'z']
    expect(await pageOf(server, list, second.next)).toEqual({ keys: ['z'], next: undefined })
  })

  test('[PAGE-05] gives every server the same page for a cursor', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e']
    const { next } = await pageOf(serveKeys(list, keys, 2), list)
    expect(await pageOf(serveKeys(list, keys, 3), list, next)).toEqual({
      keys: ['c', 'd', 'e'],
      next: undefined,
    })
  })

  test('[PAGE-02] is whole and in order whatever the keys and the page size', async () => {
    const key = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/[{}]/.test(text))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(key, { maxLength: 12 }),
        fc.integer({ min: 1, max: 13 }),
        async (keys, size) => {
          const pages = await walk(serveKeys(list, keys, size), list)
          const byBytes = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
          expect(pages.flat()).toEqual(byBytes)
          expect(pages.slice(0, -1).every(({ length }) => length === size)).toBe(true)
          expect(keys.length === 0 || (pages.at(-1)?.length ?? 0) > 0).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  const raw = (text: string): string => Buffer.from(text).toString('base64url')
  const sound = encodeCursor(kind, 'a')
  const padded = ['a', 'ab', 'abc']
    .map((after) => Buffer.from(JSON.stringify({ a: after, k: kind, v: 1 })).toString('base64'))
    .find((text) => text.endsWith('='))
  // One byte over a multiple of three leaves four bits of the last character unused: all zero.
  const strayBits = ['a', 'ab', 'abc']
    .map((after) => encodeCursor(kind, after))
    .find((text) => text.length % 4 === 2)
    ?.replace(/[AQgw]$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))
  const MALFORMED: readonly (readonly [string, unknown])[] = [
    ['a number', 5],
    ['false', false],
    ['an object', { a: 'a', k: kind, v: 1 }],
    ['a list', [sound]],
    ['no text at all', ''],
    ['a space before', ` ${sound}`],
    ['a line end behind', `${sound}\n`],
    ['padding', padded],
    ['padding that none needs', `${sound}=`],
    ['the other alphabet', raw(`{"a":"???>>>","k":"${kind}","v":1}`).replace('_', '/')],
    ['stray bits', strayBits],
    ['one character', 'A'],
    ['not base64', '!!!!'],
    ['not JSON', raw('nonsense')],
    ['half of JSON', raw('{"a":"a"')],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('base64url')],
    ['a byte order mark', raw(`\ufeff{"a":"a","k":"${kind}","v":1}`)],
    ['a list inside', raw('["a"]')],
    ['null inside', raw('null')],
    ['text inside', raw('"a"')],
    ['no key', raw(`{"k":"${kind}","v":1}`)],
    ['no list', raw('{"a":"a","v":1}')],
    ['no version', raw(`{"a":"a","k":"${kind}"}`)],
    ['another version', raw(`{"a":"a","k":"${kind}","v":2}`)],
    ['a version in text', raw(`{"a":"a","k":"${kind}","v":"1"}`)],
    ['a key that is a number', raw(`{"a":5,"k":"${kind}","v":1}`)],
    ['a key that is null', raw(`{"a":null,"k":"${kind}","v":1}`)],
    ['a list that is a number', raw('{"a":"a","k":5,"v":1}')],
    ['members that are inherited', raw(`{"__proto__":{"a":"a","k":"${kind}","v":1}}`)],
    ['a repeated key', raw(`{"a":"a","a":"b","k":"${kind}","v":1}`)],
    ['a half of a pair', raw(`{"a":"\\ud800","k":"${kind}","v":1}`)],
    ['deep JSON', raw(`{"a":"a","k":"${kind}","v":1,"x":${'['.repeat(64)}${']'.repeat(64)}}`)],
    ['a great deal of it', 'A'.repeat(1_000_000)],
  ]

  test.each(MALFORMED)('[PAGE-03] [PAGE-04] refuses a cursor with %s', async (_, cursor) => {
    const { ask } = serveKeys(list, ['a', 'b'], 1)
    expect(await ask(method, { cursor })).toEqual(
      errorAnswer(-32602, 'Invalid params: cursor is malformed'),
    )
  })

  test('[PAGE-05] refuses the cursor of another list, and does not name that one', async () => {
    const { ask } = serveKeys(list, ['a', 'b'], 1)
    const others = ['resources', 'resource_templates', 'prompts', 'tools', 'x', '']
    for (const other of others.filter((one) => one !== kind)) {
      const cursor = raw(JSON.stringify({ a: 'a', k: other, v: 1 }))
      expect(await ask(method, { cursor })).toEqual(
        errorAnswer(-32602, `Invalid params: cursor belongs to another list, not ${kind}`),
      )
    }
  })

  test('[PAGE-05] takes the members of a cursor in any order', async () => {
    const server = serveKeys(list, ['a', 'b'], 1)
    const cursor = raw(` { "v" : 1 , "k" : "${kind}" , "a" : "a" } `)
    expect(await pageOf(server, list, cursor)).toEqual({ keys: ['b'], next: undefined })
  })
})

describe('tools/list', () => {
  test('[TOOL-03] keeps the catalog order, and is never paged', async () => {
    const names = ['zeta', 'Alpha', '10', '9', '😀', '\ufb33']
    const { ask } = createTestServer({
      catalog: catalogOf({ tools: names.map((name) => ({ name })) }),
      pageSize: 2,
    })
    for (const cursor of [undefined, null, '', 'nonsense', 5]) {
      const result = (await ask('tools/list', { cursor }))?.result ?? {}
      expect((result['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(names)
      expect(result).not.toHaveProperty('nextCursor')
    }
  })

  test('[SCH-08] publishes a schema exactly as it was written', async () => {
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { tag: { $anchor: 'tag', type: 'string' } },
      type: 'object',
      properties: { tags: { type: 'array', items: { $ref: '#tag' }, 'x-note': { a: [1] } } },
      allOf: [{ if: { required: ['tags'] }, then: {}, else: false }],
      additionalProperties: false,
      'x-own': null,
    }
    const outputSchema = { type: 'array', prefixItems: [{ const: 1 }] }
    const capabilities = { tools: [{ name: 't', inputSchema, outputSchema }] }
    const before = JSON.stringify(capabilities)
    const { ask } = createTestServer({ catalog: catalogOf(capabilities) })
    const answer = await ask('tools/list')
    expect(JSON.stringify(answer?.result?.['tools'])).toBe(JSON.stringify(capabilities.tools))
    expect(JSON.stringify(capabilities)).toBe(before)
  })

  test('[SCH-08] takes frozen specs', async () => {
    const schema = Object.freeze({ type: 'object', properties: Object.freeze({}) })
    const tools = Object.freeze([Object.freeze({ name: 't', inputSchema: schema })])
    const frozen: Capabilities = Object.freeze({ tools, resources: [], prompts: [] })
    const { ask } = createTestServer({
      catalog: { capabilities: () => frozen },
      dispatch: () => 'ran',
    })
    expect(await ask('tools/call', { name: 't' })).toMatchObject({ result: { isError: false } })
  })
})
