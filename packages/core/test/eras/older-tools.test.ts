// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool, toolError, toolResult } from '@beam-mcp/core'
import type { JsonObject } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { request } from '../support/messages.ts'
import { BOTH, bare } from '../support/older-client.ts'
import { serve, type TestServer } from '../support/server.ts'

const INPUT = {
  type: 'object',
  properties: {
    any: true,
    none: false,
    plain: { type: 'string' },
    deep: { type: 'object', properties: { inner: true } },
  },
  required: ['plain'],
  additionalProperties: false,
} as const

const LIST = { type: 'array', items: { type: 'integer' } } as const
const RECORD = { type: 'object', properties: { any: true, n: { type: 'integer' } } } as const

/** A server of one tool that answers a value. */
function answering(value: unknown, outputSchema?: JsonObject): TestServer {
  const tool = defineTool({
    name: 'it',
    ...(outputSchema !== undefined && { outputSchema }),
    handler: () => value,
  })
  return serve({ tools: [tool] }, { revisions: BOTH })
}

async function callBoth({ server }: TestServer) {
  const older = await server.handle(bare('tools/call', { name: 'it' }))
  const newer = await server.handle(request('tools/call', { name: 'it' }))
  return { older: older?.result, newer: newer?.result, error: older?.error }
}

async function listBoth({ server }: TestServer) {
  const older = (await server.handle(bare('tools/list')))?.result?.['tools']
  const newer = (await server.handle(request('tools/list')))?.result?.['tools']
  return { older: (older as JsonObject[])[0], newer: (newer as JsonObject[])[0] }
}

describe('a tool as 2025-11-25 knows it', () => {
  test('[L-TOOL-02] has an object for each boolean property schema, which means the same', async () => {
    const tool = defineTool({ name: 'it', title: 'It', inputSchema: INPUT, handler: () => 'ok' })
    const { older, newer } = await listBoth(serve({ tools: [tool] }, { revisions: BOTH }))
    expect(newer?.['inputSchema']).toEqual(INPUT)
    expect(older).toEqual({
      ...newer,
      inputSchema: { ...INPUT, properties: { ...INPUT.properties, any: {}, none: { not: {} } } },
    })
  })

  test('[L-TOOL-02] keeps a property that is named like a member of every object', async () => {
    const properties = JSON.parse('{"__proto__": true, "constructor": false}') as JsonObject
    const inputSchema = { type: 'object', properties } as const
    const tool = defineTool({ name: 'it', inputSchema, handler: () => 'ok' })
    const { older } = await listBoth(serve({ tools: [tool] }, { revisions: BOTH }))
    expect(JSON.stringify(older?.['inputSchema'])).toBe(
      '{"type":"object","properties":{"__proto__":{},"constructor":{"not":{}}}}',
    )
  })

  test('[L-TOOL-02] is validated by the schema as it was given', async () => {
    const tool = defineTool({ name: 'it', inputSchema: INPUT, handler: (args) => args })
    const { server } = serve({ tools: [tool] }, { revisions: BOTH })
    const call = (args: JsonObject) =>
      server.handle(bare('tools/call', { name: 'it', arguments: args }))
    expect((await call({ plain: 'x', any: [1] }))?.result?.['isError']).toBe(false)
    expect((await call({ plain: 'x', none: 1 }))?.result?.['isError']).toBe(true)
  })

  test.each<readonly [string, JsonObject, boolean]>([
    ['an object', RECORD, true],
    ['a list', LIST, false],
    ['one of two objects', { oneOf: [RECORD, RECORD] }, false],
    ['a type in a list', { type: ['object'] }, false],
    ['anything', {}, false],
  ])('[L-TOOL-02] lists an output schema of %s where it says so', async (_, schema, isListed) => {
    const { older, newer } = await listBoth(answering({ n: 1 }, schema))
    expect(newer?.['outputSchema']).toEqual(schema)
    expect(Object.hasOwn(older ?? {}, 'outputSchema')).toBe(isListed)
  })

  test('[L-TOOL-02] lists boolean properties of an output schema as objects', async () => {
    const { older } = await listBoth(answering({ n: 1 }, RECORD))
    expect(older?.['outputSchema']).toEqual({
      type: 'object',
      properties: { any: {}, n: { type: 'integer' } },
    })
  })

  test('[L-TOOL-02] lists a tool without a schema as it is', async () => {
    const { older, newer } = await listBoth(answering('x'))
    expect(older).toEqual(newer)
  })
})

describe('the answer of a tool as 2025-11-25 knows it', () => {
  test.each<readonly [unknown]>([[[1, 2]], [5], [true], [null]])(
    '[L-TOOL-02] has the text of %j alone',
    async (value) => {
      const { older, newer } = await callBoth(answering(value))
      expect(newer?.['structuredContent']).toEqual(value)
      expect(older).toEqual({
        content: [{ type: 'text', text: JSON.stringify(value) }],
        isError: false,
      })
    },
  )

  test('[L-TOOL-02] has an object as the newer has it', async () => {
    const { older, newer } = await callBoth(answering({ n: 1 }))
    expect(older?.['structuredContent']).toEqual({ n: 1 })
    expect(older?.['content']).toEqual(newer?.['content'])
  })

  test('[L-TOOL-02] is checked by an output schema that is not listed', async () => {
    expect((await callBoth(answering([1, 2], LIST))).older?.['isError']).toBe(false)
    expect((await callBoth(answering(['x'], LIST))).error?.code).toBe(-32603)
  })

  test('[L-TOOL-02] says in text what a handler said in structured content alone', async () => {
    const { older, newer } = await callBoth(
      answering(toolResult({ content: [], structuredContent: [1, 2] })),
    )
    expect(newer).toMatchObject({ content: [], structuredContent: [1, 2] })
    expect(older).toEqual({ content: [{ type: 'text', text: '[1,2]' }], isError: false })
  })

  test('[L-TOOL-02] keeps the other blocks before that text', async () => {
    const content = [{ type: 'text', text: 'two numbers' } as const]
    const { older } = await callBoth(answering(toolResult({ content, structuredContent: [1, 2] })))
    expect(older?.['content']).toEqual([...content, { type: 'text', text: '[1,2]' }])
  })

  test('[L-TOOL-02] says nothing twice', async () => {
    for (const text of ['[1,2]', '[\n  1,\n  2\n]']) {
      const content = [{ type: 'text', text } as const]
      const { older } = await callBoth(
        answering(toolResult({ content, structuredContent: [1, 2] })),
      )
      expect(older).toEqual({ content, isError: false })
    }
  })

  test('is left as it is where it has an object, or nothing, beside its blocks', async () => {
    const content = [{ type: 'text', text: 'x' } as const]
    const structured = toolResult({ content, structuredContent: { n: 1 } })
    expect((await callBoth(answering(structured))).older).toEqual({
      content,
      structuredContent: { n: 1 },
      isError: false,
    })
    expect((await callBoth(answering(toolResult({ content })))).older).toEqual({
      content,
      isError: false,
    })
  })

  test('has no object in a failed result that breaks the output schema, and says it in text', async () => {
    const content = [{ type: 'text', text: 'no' } as const]
    const failed = (structuredContent: JsonObject) =>
      answering(toolResult({ content, structuredContent, isError: true }), {
        type: 'object',
        properties: { n: { type: 'integer' } },
        required: ['n'],
      })
    const broken = await callBoth(failed({ why: 'x' }))
    expect(broken.newer?.['structuredContent']).toEqual({ why: 'x' })
    expect(broken.older).toEqual({
      content: [...content, { type: 'text', text: '{"why":"x"}' }],
      isError: true,
    })
    const fitting = await callBoth(failed({ n: 1 }))
    expect(fitting.older).toEqual({ content, structuredContent: { n: 1 }, isError: true })
  })

  test('names an argument that is refused, in text alone where there is an output schema', async () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } } as const
    const outputSchema = { type: 'object', properties: {}, required: ['n'] } as const
    const named = (name: string, rest: object) =>
      defineTool({ name, inputSchema, handler: (args) => args, ...rest })
    const tools = [named('plain', {}), named('typed', { outputSchema })]
    const { server } = serve({ tools }, { revisions: BOTH })
    const call = async (name: string) =>
      (await server.handle(bare('tools/call', { name, arguments: { n: 'x' } })))?.result
    const text = (name: string) => ({
      content: [{ type: 'text', text: `Invalid arguments for ${name}: n must be an integer` }],
      isError: true,
    })
    expect(await call('plain')).toEqual({
      ...text('plain'),
      structuredContent: { error: expect.objectContaining({ path: 'n', keyword: 'type' }) },
    })
    expect(await call('typed')).toEqual(text('typed'))
  })

  test('[L-TOOL-03] is a failed result where the tool says so', async () => {
    expect((await callBoth(answering(toolError('no')))).older).toEqual({
      content: [{ type: 'text', text: 'no' }],
      isError: true,
    })
  })
})

test('a catalog for callers that differ has both forms too', async () => {
  const tools = createCatalog({
    tools: [
      defineTool({ name: 'it', inputSchema: INPUT, outputSchema: LIST, handler: () => [1] }),
      defineTool({ name: 'hidden', handler: () => 'x' }),
    ],
  })
  const catalog = {
    ...tools.catalog,
    allows: ({ spec }: { readonly spec: { readonly name?: unknown } }) => spec.name === 'it',
  }
  const { server } = serve({}, { ...tools, catalog, revisions: BOTH })
  const older = (await server.handle(bare('tools/list')))?.result?.['tools'] as JsonObject[]
  expect(older.map(({ name }) => name)).toEqual(['it'])
  expect(older[0]).not.toHaveProperty('outputSchema')
  expect(older[0]).toMatchObject({ inputSchema: { properties: { any: {} } } })
  expect((await server.handle(bare('tools/call', { name: 'hidden' })))?.error).toEqual({
    code: -32602,
    message: 'Unknown tool: hidden',
  })
})
