// SPDX-License-Identifier: Apache-2.0
import { defineTool, type JsonObject, toolResult } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import {
  catalogOf,
  createTestServer,
  failure,
  INTERNAL,
  RESULT_META,
  resultAnswer,
  serve,
  UNCACHED,
} from '../support/server.ts'

const SOUND = [
  'name',
  'n',
  'a1-b_c.d',
  '0',
  '',
  'com.example/name',
  'com.example/',
  'example/name',
  'com.example.mcp/name',
  'modelcontextprotocol.com/name',
  'mcp/name',
  'a.b-2.c/x',
  'traceparent',
  'openai/outputTemplate',
]
const ILL_WRITTEN = [
  '-name',
  'name-',
  '_name',
  'a b',
  'ü',
  '/name',
  'com.example//name',
  'com.example/a/b',
  'com..example/name',
  '.com/name',
  'com.1example/name',
  'com.-example/name',
  'com.example-/name',
  'com.exa_mple/name',
  'name\n',
]
const RESERVED = [
  'io.modelcontextprotocol/serverName',
  'dev.mcp/x',
  'com.mcp.tools/x',
  'com.modelcontextprotocol.x/',
]

const spell = (key: string): string =>
  `_meta has the key '${key}', which is not written as MCP wants it: a name of letters and digits with '-', '_' and '.' inside, and before it, if anything, dot-separated labels and a slash, as in 'com.example/name'`
const keep = (key: string): string =>
  `_meta has the key '${key}', whose prefix is reserved for MCP; use one of your own, as in 'com.example/name'`
const REFUSED = [
  ...ILL_WRITTEN.map((key) => [key, spell(key)] as const),
  ...RESERVED.map((key) => [key, keep(key)] as const),
]

/** One entry of each kind with this `_meta`, and how a refusal names it. */
const ENTRIES = (_meta: JsonObject) =>
  [
    ["tool 't'", { tools: [{ name: 't', _meta }] }],
    ["resource 'a:1'", { resources: [{ uri: 'a:1', name: 'n', _meta }] }],
    ["resource template 'a:{x}'", { resources: [{ uriTemplate: 'a:{x}', name: 'n', _meta }] }],
    ["prompt 'p'", { prompts: [{ name: 'p', _meta }] }],
  ] as const

describe('a key of _meta on an entry', () => {
  test.each(REFUSED)(
    '[META-08] [META-09] [L-ENV-05] %j is refused at start-up',
    async (key, why) => {
      for (const [entry, lists] of ENTRIES({ 'com.example/fine': 1, [key]: 1 })) {
        const { server } = createTestServer({ catalog: catalogOf(lists) })
        expect(await failure(() => server.ready())).toEqual({
          code: 'BEAM_ERR_CATALOG_ENTRY',
          message: `${entry}: ${why}`,
        })
      }
    },
  )

  test.each(SOUND)('[META-08] [META-10] %j is published', async (key) => {
    const _meta = { [key]: { 'nested is not judged': 1 } }
    const { ask } = createTestServer({ catalog: catalogOf({ prompts: [{ name: 'p', _meta }] }) })
    expect(await ask('prompts/list')).toEqual(
      resultAnswer({ prompts: [{ name: 'p', _meta }], ...UNCACHED }),
    )
  })

  test('[META-08] is repeated in the refusal no longer than anybody reads', async () => {
    const key = `-${'k'.repeat(100_000)}`
    const { server } = createTestServer({
      catalog: catalogOf({ prompts: [{ name: 'p', _meta: { [key]: 1 } }] }),
    })
    expect((await failure(() => server.ready())).message.length).toBeLessThan(600)
  })
})

describe('a key of _meta on a result', () => {
  const answer = (_meta: unknown) =>
    serve({
      tools: [
        defineTool({
          name: 't',
          handler: () => toolResult({ content: [], _meta: _meta as never }),
        }),
      ],
    })

  test.each(REFUSED)('[META-08] [META-09] %j is a host fault', async (key, why) => {
    const { ask, log } = answer({ [key]: 1 })
    expect(await ask('tools/call', { name: 't' })).toEqual(INTERNAL)
    expect(log.lines).toMatchObject([
      {
        bindings: {
          err: { message: `The handler of tool 't' answered a toolResult whose ${why}` },
        },
      },
    ])
  })

  test.each(SOUND)('[META-08] [META-10] %j is sent', async (key) => {
    const { ask } = answer({ [key]: 1 })
    expect((await ask('tools/call', { name: 't' }))?.result?.['_meta']).toEqual({
      [key]: 1,
      ...RESULT_META,
    })
  })

  test("[META-05] [META-09] that is the server's own comes from elsewhere and is put right", async () => {
    const { ask } = answer({ 'io.modelcontextprotocol/serverInfo': { name: 'upstream' } })
    expect((await ask('tools/call', { name: 't' }))?.result?.['_meta']).toEqual(RESULT_META)
  })
})

describe('a key of _meta on the contents of a resource', () => {
  const read = (_meta: unknown) =>
    createTestServer({
      catalog: {
        ...catalogOf({ resources: [{ uri: 'a:1', name: 'n' }] }),
        readResource: () => ({ text: 'x', _meta: _meta as JsonObject }),
      },
    })

  test.each([...REFUSED, ['no object', '_meta must be an object, or left out'] as const])(
    '[META-08] [META-09] %j is a host fault',
    async (key, why) => {
      const { ask, log } = read(key === 'no object' ? [] : { [key]: 1 })
      expect(await ask('resources/read', { uri: 'a:1' })).toEqual(INTERNAL)
      expect(log.lines).toMatchObject([
        { bindings: { err: { message: `readResource answered an item whose ${why}` } } },
      ])
    },
  )

  test('[META-10] of your own is sent', async () => {
    const _meta = { 'com.example/a': 1 }
    expect(await read(_meta).ask('resources/read', { uri: 'a:1' })).toEqual(
      resultAnswer({ contents: [{ uri: 'a:1', text: 'x', _meta }], ...UNCACHED }),
    )
  })
})
