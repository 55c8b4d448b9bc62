// SPDX-License-Identifier: Apache-2.0
import {
  audio,
  createCatalog,
  definePrompt,
  defineTool,
  embeddedResource,
  image,
  resourceLink,
  text,
  toolResult,
} from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { createApp } from '../support/app.ts'
import { connectClient } from '../support/official-client.ts'
import { BOTH, OLDER } from '../support/older-client.ts'

const BYTES = Uint8Array.of(0, 1, 254, 255)
const ICON = { src: 'https://x.example/i.png', mimeType: 'image/png', sizes: ['48x48'] } as const
const EXTRAS = {
  annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-07-28T09:00:00Z' },
  _meta: { 'com.example/origin': 'test' },
} as const

const CONTENT = [
  text('Words', EXTRAS),
  image(BYTES, 'image/png', EXTRAS),
  audio(BYTES, 'audio/wav', EXTRAS),
  resourceLink({ uri: 'a:1', name: 'one', title: 'One', size: 4, icons: [ICON], ...EXTRAS }),
  embeddedResource({ uri: 'a:1', mimeType: 'text/plain', text: 'Words' }, EXTRAS),
  embeddedResource({ uri: 'a:2', mimeType: 'image/png', bytes: BYTES, _meta: EXTRAS._meta }),
]
const NAMED = { title: 'Title', description: 'Text', icons: [ICON], _meta: EXTRAS._meta }
const SERVER_INFO = {
  name: 'all',
  version: '1.0.0',
  title: 'All',
  websiteUrl: 'https://x.example/',
  icons: [ICON],
}

const CATALOG = createCatalog({
  tools: [
    defineTool({
      name: 'all',
      ...NAMED,
      annotations: { title: 'Shown' },
      outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      handler: () =>
        toolResult({ content: CONTENT, structuredContent: { n: 1 }, _meta: EXTRAS._meta }),
    }),
  ],
  resources: [
    {
      uri: 'a:1',
      name: 'one',
      ...NAMED,
      size: 4,
      annotations: EXTRAS.annotations,
      read: () => 'x',
    },
  ],
  resourceTemplates: [
    {
      uriTemplate: 'a:{x}',
      name: 'any',
      ...NAMED,
      annotations: EXTRAS.annotations,
      read: () => 'x',
    },
  ],
  prompts: [
    definePrompt({
      name: 'all',
      ...NAMED,
      arguments: [{ name: 'who', title: 'Who', description: 'Somebody' }],
      render: () => ({ messages: CONTENT.map((content) => ({ role: 'assistant', content })) }),
    }),
  ],
})

describe.each([
  ['2026-07-28', { mode: { pin: '2026-07-28' } }],
  [OLDER, { mode: 'legacy' }],
] as const)('the official client of %s', (version, negotiation) => {
  const connect = async () => {
    const options = { ...CATALOG, serverInfo: SERVER_INFO, revisions: BOTH }
    return connectClient(await createApp(options), { negotiation })
  }

  test('[CONT-01] [CONT-02] [CONT-03] [CONT-04] [CONT-07] [PROM-06] takes every kind of content', async () => {
    const client = await connect()
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    await client.listTools()
    const called = await client.callTool({ name: 'all', arguments: {} })
    expect(called.content).toEqual(CONTENT)
    expect(called.structuredContent).toEqual({ n: 1 })
    expect(called._meta).toMatchObject(EXTRAS._meta)
    const { messages } = await client.getPrompt({ name: 'all' })
    expect(messages).toEqual(CONTENT.map((content) => ({ role: 'assistant', content })))
  })

  test('[CONT-10] [CONT-12] [META-10] [TOOL-10] sees titles, icons, annotations and _meta of every entry', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([{ name: 'all', ...NAMED, annotations: { title: 'Shown' } }])
    const { resources } = await client.listResources()
    const listed = { ...NAMED, annotations: EXTRAS.annotations }
    expect(resources).toEqual([{ uri: 'a:1', name: 'one', size: 4, ...listed }])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates).toEqual([{ uriTemplate: 'a:{x}', name: 'any', ...listed }])
    const { prompts } = await client.listPrompts()
    // The client drops an argument's title, which its types do not know.
    const args = [{ name: 'who', description: 'Somebody', required: false }]
    expect(prompts).toEqual([{ name: 'all', ...NAMED, arguments: args }])
  })

  test('[CONT-10] [META-11] sees who the server is, with its icons', async () => {
    expect((await connect()).getServerVersion()).toEqual(SERVER_INFO)
  })
})
