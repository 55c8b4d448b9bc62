// SPDX-License-Identifier: Apache-2.0
import {
  createBeam,
  createCatalog,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  notFound,
  promptError,
  type ReadContext,
  toolError,
} from '@beam-mcp/core/server'
import { Type } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import { jsonSchema } from '../../src/json-schema.ts'
import {
  errorAnswer,
  INTERNAL,
  resultAnswer,
  serve,
  textAnswer,
  UNCACHED,
  valueAnswer,
} from '../support/server.ts'

describe('define', () => {
  test('answers the very object that it was given', () => {
    const tool = { name: 't', handler: () => 'x' }
    const resource = { uri: 'a:1', name: 'n', read: () => 'x' }
    const template = { uriTemplate: 'a:{x}', name: 'n', read: () => 'x' }
    const prompt = { name: 'p', render: () => 'x' }
    const schema = { type: 'object' } as const
    expect(defineTool(tool)).toBe(tool)
    expect(defineResource(resource)).toBe(resource)
    expect(defineResourceTemplate(template)).toBe(template)
    expect(definePrompt(prompt)).toBe(prompt)
    expect(jsonSchema(schema)).toBe(schema)
  })

  test('is the same by createBeam', () => {
    expect(createBeam()).toEqual({
      defineTool,
      defineResource,
      defineResourceTemplate,
      definePrompt,
      createCatalog,
    })
  })
})

describe('createCatalog', () => {
  test('of nothing offers nothing', async () => {
    const { ask } = serve({})
    expect(await ask('tools/list')).toEqual(resultAnswer({ tools: [], ...UNCACHED }))
    expect(await ask('resources/list')).toEqual(resultAnswer({ resources: [], ...UNCACHED }))
    expect(await ask('prompts/list')).toEqual(resultAnswer({ prompts: [], ...UNCACHED }))
  })

  test('runs the handler of the tool that is called, with this its tool', async () => {
    const counter = {
      name: 'count',
      step: 2,
      total: 0,
      handler() {
        this.total += this.step
        return this.total
      },
    }
    const { ask } = serve({
      tools: [
        counter,
        defineTool({
          name: 'weather',
          inputSchema: Type.Object({ city: Type.String() }),
          handler: async ({ city }) =>
            city === 'Atlantis' ? toolError('Atlantis is under water.') : { city, celsius: 21 },
        }),
      ],
    })
    expect(await ask('tools/call', { name: 'count' })).toEqual(valueAnswer(2))
    expect(await ask('tools/call', { name: 'count' })).toEqual(valueAnswer(4))
    expect(await ask('tools/call', { name: 'weather', arguments: { city: 'Rome' } })).toEqual(
      valueAnswer({ city: 'Rome', celsius: 21 }),
    )
    expect(await ask('tools/call', { name: 'weather', arguments: { city: 'Atlantis' } })).toEqual(
      resultAnswer({
        content: [{ type: 'text', text: 'Atlantis is under water.' }],
        isError: true,
      }),
    )
  })

  test('reads a listed uri by its own reader, and any other by the template that admitted it', async () => {
    const seen: string[] = []
    const by =
      (name: string) =>
      (uri: string, { matched }: ReadContext): string => {
        seen.push(`${name}: ${uri} by ${matched}`)
        return name
      }
    const { ask } = serve({
      resources: [
        defineResource({
          uri: 'a:1',
          name: 'one',
          read: ({ matched }) => {
            seen.push(`one by ${matched}`)
            return 'one'
          },
        }),
      ],
      resourceTemplates: [
        defineResourceTemplate({ uriTemplate: 'a:{x}', name: 'flat', read: by('flat') }),
        defineResourceTemplate({ uriTemplate: 'a:b/{+x}', name: 'deep', read: by('deep') }),
        defineResourceTemplate({ uriTemplate: 'gone:{x}', name: 'gone', read: () => notFound() }),
      ],
    })
    for (const uri of ['a:1', 'a:2', 'a:b/c/d']) {
      expect(await ask('resources/read', { uri })).toMatchObject({
        result: { contents: [{ uri }] },
      })
    }
    expect(seen).toEqual(['one by a:1', 'flat: a:2 by a:{x}', 'deep: a:b/c/d by a:b/{+x}'])
    expect(await ask('resources/read', { uri: 'gone:1' })).toEqual(
      errorAnswer(-32602, 'Resource not found: gone:1', { uri: 'gone:1' }),
    )
  })

  test('never asks the reader of a template that the caller may not see', async () => {
    const { ask } = serve({
      resourceTemplates: [
        defineResourceTemplate({
          uriTemplate: 'a:{+any}',
          name: 'admin',
          read: () => 'the secret',
        }),
        defineResourceTemplate({ uriTemplate: 'a:{x}', name: 'open', read: () => 'the notice' }),
      ],
      allows: ({ spec }, { principal }) => spec.name !== 'admin' || principal === 'admin',
    })
    const read = async (principal: unknown) =>
      (await ask('resources/read', { uri: 'a:1' }, principal))?.result?.['contents']
    expect(await read('guest')).toEqual([{ uri: 'a:1', text: 'the notice' }])
    expect(await read('admin')).toEqual([{ uri: 'a:1', text: 'the secret' }])
  })

  test('renders a prompt from a string, from messages or not at all', async () => {
    const { ask } = serve({
      prompts: [
        definePrompt({ name: 'text', render: () => 'Hello' }),
        definePrompt({
          name: 'whole',
          render: async () => ({ messages: [{ role: 'assistant', content: 'Hi' }] }),
        }),
        definePrompt({ name: 'none', render: () => promptError('not today') }),
      ],
    })
    const message = (role: string, text: string) =>
      resultAnswer({ messages: [{ role, content: { type: 'text', text } }] })
    expect(await ask('prompts/get', { name: 'text' })).toEqual(message('user', 'Hello'))
    expect(await ask('prompts/get', { name: 'whole' })).toEqual(message('assistant', 'Hi'))
    expect(await ask('prompts/get', { name: 'none' })).toEqual(
      errorAnswer(-32602, 'Invalid params: prompt none cannot be rendered', {
        name: 'none',
        reason: 'not today',
      }),
    )
  })

  test('runs nothing for a tool that another catalog lists', async () => {
    const { dispatch } = createCatalog({})
    const { ask } = serve({ tools: [{ name: 'lost', handler: () => 'ran' }] }, { dispatch })
    expect(await ask('tools/call', { name: 'lost' })).toEqual(INTERNAL)
  })

  test('reads its lists once: what is added later is not served', async () => {
    const tools = [defineTool({ name: 'early', handler: () => 'ran' })]
    const { ask } = serve({ tools })
    tools.push(defineTool({ name: 'late', handler: () => 'ran' }))
    expect(await ask('tools/call', { name: 'early' })).toEqual(textAnswer('ran'))
    expect(await ask('tools/call', { name: 'late' })).toEqual(
      errorAnswer(-32602, 'Unknown tool: late'),
    )
  })
})
