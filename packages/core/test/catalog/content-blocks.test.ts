// SPDX-License-Identifier: Apache-2.0
import {
  audio,
  BEAM_ERR_CONTRACT,
  type ContentBlock,
  definePrompt,
  defineTool,
  embeddedResource,
  image,
  type MediaContent,
  resourceLink,
  text,
  toolResult,
} from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { INTERNAL, resultAnswer, serve } from '../support/server.ts'

/** A window into a larger buffer: its neighbours may not be sent. */
const BYTES = Uint8Array.of(9, 0, 255, 16, 9).subarray(1, 4)
const BASE64 = 'AP8Q'
const EXTRAS = {
  annotations: { audience: ['user'], priority: 0, lastModified: '2026-07-28T09:00:00Z' },
  _meta: { 'com.example/kept': [1] },
} as const

const BLOCKS: readonly (readonly [string, ContentBlock, unknown])[] = [
  ['text', text(''), { type: 'text', text: '' }],
  ['text with extras', text('x', EXTRAS), { type: 'text', text: 'x', ...EXTRAS }],
  ['image', image(BYTES, 'image/png'), { type: 'image', data: BASE64, mimeType: 'image/png' }],
  [
    'image with extras',
    image(new Uint8Array(), 'image/png', EXTRAS),
    { type: 'image', data: '', mimeType: 'image/png', ...EXTRAS },
  ],
  ['audio', audio(BYTES, 'audio/wav'), { type: 'audio', data: BASE64, mimeType: 'audio/wav' }],
  [
    'audio with extras',
    audio(Buffer.from('x'), 'audio/wav', EXTRAS),
    { type: 'audio', data: 'eA==', mimeType: 'audio/wav', ...EXTRAS },
  ],
  [
    'resourceLink',
    resourceLink({ uri: 'a:1', name: 'one' }),
    { type: 'resource_link', uri: 'a:1', name: 'one' },
  ],
  [
    'resourceLink with all it may have',
    resourceLink({
      uri: 'a:1',
      name: 'one',
      title: 'One',
      description: 'The first',
      mimeType: 'text/plain',
      size: 0,
      icons: [{ src: 'data:,', sizes: ['any'] }],
      ...EXTRAS,
    }),
    {
      type: 'resource_link',
      uri: 'a:1',
      name: 'one',
      title: 'One',
      description: 'The first',
      mimeType: 'text/plain',
      size: 0,
      icons: [{ src: 'data:,', sizes: ['any'] }],
      ...EXTRAS,
    },
  ],
  [
    'embeddedResource of text',
    embeddedResource({ uri: 'a:1', text: '' }),
    { type: 'resource', resource: { uri: 'a:1', text: '' } },
  ],
  [
    'embeddedResource of bytes, with extras on both levels',
    embeddedResource(
      { uri: 'a:1', mimeType: 'x/y', bytes: BYTES, _meta: { 'com.example/inner': 1 } },
      EXTRAS,
    ),
    {
      type: 'resource',
      resource: {
        uri: 'a:1',
        mimeType: 'x/y',
        blob: BASE64,
        _meta: { 'com.example/inner': 1 },
      },
      ...EXTRAS,
    },
  ],
]

describe('the content helpers', () => {
  test.each(BLOCKS)(
    '[CONT-01] [CONT-02] [CONT-03] [CONT-04] [CONT-07] make a block: %s',
    (_, block, expected) => {
      expect(block).toEqual(expected)
    },
  )

  test('[CONT-01] [CONT-02] [CONT-03] [CONT-04] fit tool results', async () => {
    const content = BLOCKS.map(([, block]) => block)
    const { ask } = serve({
      tools: [defineTool({ name: 't', handler: () => toolResult({ content }) })],
    })
    expect(await ask('tools/call', { name: 't' })).toEqual(
      resultAnswer({ content: BLOCKS.map(([, , expected]) => expected), isError: false }),
    )
  })

  test('[PROM-06] fit the messages of a prompt', async () => {
    const messages = BLOCKS.map(([, content]) => ({ role: 'user' as const, content }))
    const { ask } = serve({ prompts: [definePrompt({ name: 'p', render: () => ({ messages }) })] })
    expect(await ask('prompts/get', { name: 'p' })).toEqual(
      resultAnswer({
        messages: BLOCKS.map(([, , content]) => ({ role: 'user', content })),
      }),
    )
  })
})

const given = (value: unknown): never => value as never
const META_KEY =
  "cannot make it: the block has a _meta that has the key 'io.modelcontextprotocol/x', whose prefix is reserved for MCP; use one of your own, as in 'com.example/name'"

describe('base64', () => {
  test.each(['image', 'text/plain'])(
    '[CONT-02] [CONT-06] is sent whole where it is long: %s',
    async (kind) => {
      const bytes = new Uint8Array(6 * 1024 * 1024 + 1).fill(7)
      const block =
        kind === 'image'
          ? image(bytes, 'image/png')
          : embeddedResource({ uri: 'a:1', mimeType: kind, bytes })
      const { ask } = serve({
        tools: [defineTool({ name: 't', handler: () => toolResult({ content: [block] }) })],
      })
      const answer = await ask('tools/call', { name: 't' })
      expect(answer?.error).toBeUndefined()
      const content = answer?.result?.['content'] as readonly ContentBlock[] | undefined
      const sent = content?.[0]
      const data = sent?.type === 'resource' ? sent.resource.blob : (sent as MediaContent)?.data
      expect(Buffer.from(String(data), 'base64').equals(bytes)).toBe(true)
    },
  )

  const ofImage = (data: string) =>
    serve({
      tools: [
        defineTool({
          name: 't',
          handler: () => toolResult({ content: [{ type: 'image', data, mimeType: 'image/png' }] }),
        }),
      ],
    }).ask('tools/call', { name: 't' })

  test.each(['', 'AA==', 'AAA=', 'AAAA', 'AAAAAA==', '+/+/'])(
    '[CONT-06] %j is padded and standard',
    async (data) => {
      expect((await ofImage(data))?.result).toMatchObject({ content: [{ data }] })
    },
  )

  test.each([
    'A',
    'AA',
    'AAA',
    'A===',
    '====',
    '==',
    'AA=A',
    'AA==AAAA',
    '-_-_',
    'AAA\n',
    'AA A',
    'ÄAAA',
  ])('[CONT-06] %j is not, and a host fault', async (data) => {
    expect(await ofImage(data)).toEqual(INTERNAL)
  })
})

describe('a wrong argument', () => {
  test.each([
    ['text takes a string, got a number', () => text(given(5))],
    ['text takes { annotations?, _meta? } last, got a string', () => text('x', given('y'))],
    [
      'text cannot make it: the block has annotations whose priority is not from 0 to 1',
      () => text('x', { annotations: { priority: 2 } }),
    ],
    [`text ${META_KEY}`, () => text('x', { _meta: { 'io.modelcontextprotocol/x': 1 } })],
    ['image takes bytes as a Uint8Array, got a string', () => image(given('AAAA'), 'image/png')],
    ['image takes a mimeType that is a string, got nothing', () => image(BYTES, given(undefined))],
    [
      'audio takes bytes as a Uint8Array, got an object',
      () => audio(given(new ArrayBuffer(1)), 'a/b'),
    ],
    ['resourceLink takes { uri, name, … }, got a string', () => resourceLink(given('a:1'))],
    [
      "resourceLink cannot make it: the block of type 'resource_link' needs a string uri and a string name",
      () => resourceLink(given({ uri: 'a:1' })),
    ],
    [
      'embeddedResource takes { uri, text | bytes, … }, got a string',
      () => embeddedResource(given('a:1')),
    ],
    [
      'embeddedResource takes exactly one of text and bytes',
      () => embeddedResource({ uri: 'a:1' }),
    ],
    [
      'embeddedResource takes exactly one of text and bytes',
      () => embeddedResource({ uri: 'a:1', text: '', bytes: BYTES }),
    ],
    [
      "embeddedResource cannot make it: the block of type 'resource' has no string uri",
      () => embeddedResource(given({ text: '' })),
    ],
    [
      'embeddedResource cannot make it: the block embeds a text that is no string',
      () => embeddedResource(given({ uri: 'a:1', text: 5 })),
    ],
    [
      'embeddedResource takes bytes as a Uint8Array, got a string',
      () => embeddedResource(given({ uri: 'a:1', bytes: 'AAAA' })),
    ],
  ])('of a helper names it: %s', (message, make) => {
    expect(make).toThrowError(expect.objectContaining({ code: 'BEAM_ERR_CONTRACT', message }))
    expect(make).toThrowError(BEAM_ERR_CONTRACT)
  })

  test('of a helper in a handler is a host fault, logged and never sent', async () => {
    const { ask, log } = serve({
      tools: [defineTool({ name: 't', handler: () => toolResult({ content: [text(given(5))] }) })],
    })
    expect(await ask('tools/call', { name: 't' })).toEqual(INTERNAL)
    expect(log.lines).toMatchObject([
      { level: 'error', bindings: { err: { code: 'BEAM_ERR_CONTRACT' }, tool: 't' } },
    ])
  })
})

describe('a block that a handler built by hand', () => {
  const link = { type: 'resource_link', uri: 'a:1', name: 'one' }
  test.each([
    [{ ...link, title: 5 }, "of type 'resource_link' has a title that is no string"],
    [{ ...link, description: null }, "of type 'resource_link' has a description that is no string"],
    [{ ...link, mimeType: [] }, "of type 'resource_link' has a mimeType that is no string"],
    [{ ...link, size: -1 }, "of type 'resource_link' has a size that is no whole number of bytes"],
    [{ ...link, size: 0.5 }, "of type 'resource_link' has a size that is no whole number of bytes"],
    [
      { ...link, icons: [{ src: 'http://x.example/i.png' }] },
      "of type 'resource_link' has icons that must each have a src that begins with https: or data:; clients refuse others",
    ],
    [
      { type: 'resource', resource: { uri: 'a:1', text: '', mimeType: 5 } },
      'embeds a mimeType that is no string',
    ],
    [
      { type: 'resource', resource: { uri: 'a:1', text: '', _meta: { 'a b': 1 } } },
      "embeds a _meta that has the key 'a b', which is not written as MCP wants it",
    ],
    [{ type: 'text', text: 'x', _meta: [] }, 'has a _meta that must be an object, or left out'],
    [
      { type: 'text', text: 'x', _meta: { 'dev.mcp/x': 1 } },
      "has a _meta that has the key 'dev.mcp/x', whose prefix is reserved for MCP",
    ],
    [
      { type: 'text', text: 'x', annotations: { lastModified: 'yesterday' } },
      'has annotations whose lastModified is not a time of ISO 8601',
    ],
  ])('[CONT-03] [CONT-04] [CONT-07] [CONT-08] is looked at: %j', async (block, why) => {
    const { ask, log } = serve({
      tools: [defineTool({ name: 't', handler: () => toolResult({ content: [given(block)] }) })],
      prompts: [
        definePrompt({
          name: 'p',
          render: () => ({ messages: [{ role: 'user', content: given(block) }] }),
        }),
      ],
    })
    expect(await ask('tools/call', { name: 't' })).toEqual(INTERNAL)
    expect(await ask('prompts/get', { name: 'p' })).toEqual(INTERNAL)
    const faults = log.lines.map(({ bindings }) => (bindings['err'] as Error).message)
    expect(faults).toEqual([expect.stringContaining(why), expect.stringContaining(why)])
  })

  test.each(['2026-07-28T09:00:00Z', '2026-07-28T09:00:00.123+02:00'])(
    '[CONT-08] may have been modified at %s',
    async (lastModified) => {
      const block = text('x', { annotations: { lastModified } })
      const { ask } = serve({
        tools: [defineTool({ name: 't', handler: () => toolResult({ content: [block] }) })],
      })
      expect(await ask('tools/call', { name: 't' })).toEqual(
        resultAnswer({ content: [block], isError: false }),
      )
    },
  )

  test.each([
    '',
    '28.07.2026',
    '2026-13-01',
    '2026-07-28',
    '2026-07-28T09:00Z',
    '2026-07-28T09:00:00',
    '2026-07-28 09:00:00Z',
    '2026-07-28T25:00:00Z',
    5,
  ])('[CONT-08] was not modified at %j', (lastModified) => {
    expect(() => text('x', { annotations: { lastModified: given(lastModified) } })).toThrowError(
      'lastModified is not a time of ISO 8601',
    )
  })
})
