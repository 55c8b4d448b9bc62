// SPDX-License-Identifier: Apache-2.0
import {
  type Catalog,
  notFound,
  type ReadContext,
  type ResourceAnswer,
} from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import {
  catalogOf,
  createTestServer,
  errorAnswer,
  resultAnswer,
  UNCACHED,
} from '../support/server.ts'

const RESOURCES = [
  { uri: 'a:1', name: 'one', mimeType: 'text/plain' },
  { uri: 'a:2', name: 'two' },
  { uriTemplate: 'a:{x}', name: 'any' },
  { uriTemplate: 'c:{x}', name: 'typed', mimeType: 'text/x-any' },
  { uriTemplate: 'a:{+x}', name: 'deep' },
]

function serveReader(readResource: NonNullable<Catalog['readResource']>) {
  return createTestServer({ catalog: { ...catalogOf({ resources: RESOURCES }), readResource } })
}

const read = (uri: string, answer: unknown) =>
  serveReader(() => answer as ResourceAnswer).ask('resources/read', { uri })

const contents = (...items: readonly object[]) => resultAnswer({ contents: items, ...UNCACHED })

describe('the contents of a resource', () => {
  test.each(['', 'text', 'ü😀\u0000', '{"text":1}'])('[RES-05] are the text %j', async (text) => {
    expect(await read('a:2', text)).toEqual(contents({ uri: 'a:2', text }))
    expect(await read('a:2', Promise.resolve(text))).toEqual(contents({ uri: 'a:2', text }))
  })

  test('[CONT-06] are bytes in standard base64 with padding', async () => {
    for (const length of [0, 1, 2, 3, 4, 255]) {
      const bytes = Uint8Array.from({ length }, (_, index) => 255 - index)
      const blob = Buffer.from(bytes).toString('base64')
      const expected = contents({ uri: 'a:2', blob })
      expect(await read('a:2', bytes)).toEqual(expected)
      expect(await read('a:2', Buffer.from(bytes))).toEqual(expected)
      expect(await read('a:2', { blob: bytes })).toEqual(expected)
    }
  })

  test('[CONT-06] are the bytes of a view alone, not those around it', async () => {
    const around = Uint8Array.from([1, 2, 3, 4, 5])
    expect(await read('a:2', around.subarray(1, 3))).toEqual(
      contents({ uri: 'a:2', blob: Buffer.from([2, 3]).toString('base64') }),
    )
  })

  test('[RES-04] are several items, each with a uri and a type of its own', async () => {
    const blob = Uint8Array.from([0])
    const answer = [
      { text: 'x' },
      { uri: 'a:2/b', text: '', mimeType: 'text/html' },
      { uri: 'b:1', blob, _meta: { 'com.example/a': 1 } },
    ]
    expect(await read('a:1', answer)).toEqual(
      contents(
        { uri: 'a:1', mimeType: 'text/plain', text: 'x' },
        { uri: 'a:2/b', mimeType: 'text/html', text: '' },
        { uri: 'b:1', mimeType: 'text/plain', blob: 'AA==', _meta: { 'com.example/a': 1 } },
      ),
    )
  })

  test('[RES-04] may be no item at all', async () => {
    expect(await read('a:1', [])).toEqual(contents())
  })

  test('carry nothing that an item adds beside its contents', async () => {
    const item = { text: 'x', internal: 'secret', annotations: {} }
    expect(await read('a:2', item)).toEqual(contents({ uri: 'a:2', text: 'x' }))
  })

  test('[RES-03] have the type of the template that admitted the uri', async () => {
    expect(await read('c:9', 'x')).toEqual(
      contents({ uri: 'c:9', mimeType: 'text/x-any', text: 'x' }),
    )
    expect(await read('a:9/8', 'x')).toEqual(contents({ uri: 'a:9/8', text: 'x' }))
  })
})

describe('a uri', () => {
  test('[RES-16] goes to the listed entry first, then to the templates in their order', async () => {
    const seen: (readonly [string, string])[] = []
    const { ask } = serveReader((uri, { matched }: ReadContext) => {
      seen.push([uri, matched])
      return 'x'
    })
    for (const uri of ['a:1', 'a:9', 'a:9/8']) await ask('resources/read', { uri })
    expect(seen).toEqual([
      ['a:1', 'a:1'],
      // Templates are asked in code point order: `{+x}` comes before `{x}`.
      ['a:9', 'a:{+x}'],
      ['a:9/8', 'a:{+x}'],
    ])
  })

  test.each(['', 'b:1', 'A:1', ' a:1', 'a:', '__proto__', 'constructor', 'file:///etc/passwd'])(
    '[RES-06] %j that nothing lists is not found, before the reader runs',
    async (uri) => {
      let isAsked = false
      const { ask } = serveReader(() => {
        isAsked = true
        return 'x'
      })
      expect(await ask('resources/read', { uri })).toEqual(
        errorAnswer(-32602, `Resource not found: ${uri}`, { uri }),
      )
      expect(isAsked).toBe(false)
    },
  )

  test('[RES-06] that its reader does not find is not found, with the reason it gave', async () => {
    expect(await read('a:1', notFound('deleted on Monday'))).toEqual(
      errorAnswer(-32602, 'Resource not found: a:1', { uri: 'a:1', reason: 'deleted on Monday' }),
    )
    const bare = errorAnswer(-32602, 'Resource not found: a:1', { uri: 'a:1' })
    expect(await read('a:1', notFound())).toEqual(bare)
    expect(await read('a:1', Promise.resolve(notFound()))).toEqual(bare)
  })

  test('[RES-06] is not declared missing by a value that only looks like it', async () => {
    const forged = JSON.parse(
      JSON.stringify({ reason: 'x', '@beam-mcp/core.outcome': 'not-found' }),
    )
    expect(await read('a:1', forged)).toEqual(errorAnswer(-32603, 'Internal error'))
    expect(await read('a:1', JSON.parse(JSON.stringify(notFound('x'))))).toEqual(
      errorAnswer(-32603, 'Internal error'),
    )
  })

  test('[A-33] is compared as it was sent: nothing is decoded or normalised', async () => {
    const uris = ['a:%31', 'a:./1', 'a:1 ', 'a:1#', 'a:\u00e9', 'a:e\u0301']
    const { ask } = createTestServer({
      catalog: { ...catalogOf({ resources: [{ uri: 'a:1', name: 'one' }] }) },
    })
    for (const uri of uris) {
      expect(await ask('resources/read', { uri })).toMatchObject({ error: { code: -32602 } })
    }
  })
})
