// SPDX-License-Identifier: Apache-2.0
import {
  type ContentBlock,
  defineTool,
  type ToolResult,
  toolError,
  toolResult,
} from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import {
  catalogOf,
  createTestServer,
  errorAnswer,
  INTERNAL,
  resultAnswer,
  serve,
  textAnswer,
  valueAnswer,
} from '../support/server.ts'

function answerOf(outcome: unknown, spec: object = {}) {
  const { ask } = createTestServer({
    catalog: catalogOf({ tools: [{ name: 't', ...spec }] }),
    dispatch: () => outcome,
  })
  return ask('tools/call', { name: 't' })
}

describe('what a handler answers', () => {
  test.each(['', 'text', '{"isError":true}', 'null', 'ü😀\u0000\u2028', '__proto__'])(
    '[TOOL-16] the string %j is text alone',
    async (text) => {
      expect(await answerOf(text)).toEqual(textAnswer(text))
      expect(await answerOf(Promise.resolve(text))).toEqual(textAnswer(text))
    },
  )

  test.each([
    null,
    0,
    -0.5,
    1e21,
    true,
    false,
    [],
    [null, 0, '', [{}]],
    {},
    { a: { b: [1, 'x', null] } },
    JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":null}'),
    Object.assign(Object.create(null), { bare: 1 }),
  ])('[TOOL-17] [TOOL-19] the value %j is structured content and its text', async (value) => {
    const { result, ...envelope } = (await answerOf(value)) ?? {}
    const { content, structuredContent, ...rest } = result ?? {}
    expect({ ...envelope, result: rest }).toEqual(resultAnswer({ isError: false }))
    expect(JSON.stringify(structuredContent)).toBe(JSON.stringify(value))
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(value) }])
  })

  test('[TOOL-17] drops the members that are undefined, as JSON does', async () => {
    expect(await answerOf({ a: 1, b: undefined })).toEqual(valueAnswer({ a: 1 }))
  })

  test('[TOOL-17] writes what has a toJSON by it', async () => {
    const at = new Date(0)
    expect(await answerOf({ at })).toEqual(valueAnswer({ at: '1970-01-01T00:00:00.000Z' }))
  })

  test.each([
    { content: [{ type: 'text', text: 'x' }] },
    { content: [{ type: 'text', text: 'x' }], isError: true },
    { isError: true },
    { content: [], structuredContent: 1, isError: true, resultType: 'task' },
    { error: { code: -32000, message: 'x' } },
    { resultType: 'input_required', _meta: { a: 1 } },
    { '@beam-mcp/core.outcome': 'tool-result', content: [], isError: true },
    { 'Symbol(@beam-mcp/core.outcome)': 'tool-result', content: [], isError: true },
  ])('[TOOL-17] the plain value %j is never taken for an envelope', async (value) => {
    expect(await answerOf(value)).toEqual(valueAnswer(value))
    expect(await answerOf(JSON.parse(JSON.stringify(value)))).toEqual(valueAnswer(value))
  })

  test('[TOOL-17] a brand that is inherited is none', async () => {
    const heir = Object.create(toolError('inherited'), { a: { value: 1, enumerable: true } })
    expect(await answerOf(heir)).toEqual(valueAnswer({ a: 1 }))
  })

  test('[TOOL-17] a result that went through JSON is a value', async () => {
    const sent = JSON.parse(JSON.stringify(toolError('no')))
    expect(await answerOf(sent)).toEqual(valueAnswer(sent))
  })

  const BLOCKS: readonly ContentBlock[] = [
    { type: 'text', text: '', annotations: { audience: ['user'], priority: 1 } },
    { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    { type: 'audio', data: '', mimeType: 'audio/wav', _meta: { 'com.example/a': 1 } },
    { type: 'resource_link', uri: 'a:1', name: 'one', size: 3 },
    { type: 'resource', resource: { uri: 'a:1', text: '' } },
    { type: 'resource', resource: { uri: 'a:1', mimeType: 'x/y', blob: 'AAAA' } },
  ]
  test.each<readonly [string, ToolResult, Record<string, unknown>]>([
    ['nothing', toolResult({ content: [] }), { content: [], isError: false }],
    ['every kind of block', toolResult({ content: BLOCKS }), { content: BLOCKS, isError: false }],
    [
      'null as its structured content',
      toolResult({ content: [], structuredContent: null }),
      { content: [], structuredContent: null, isError: false },
    ],
    [
      'a failure with details',
      toolResult({ content: [], structuredContent: { code: 5 }, isError: true }),
      { content: [], structuredContent: { code: 5 }, isError: true },
    ],
    [
      'a toolError',
      toolError('The city is unknown.'),
      { content: [{ type: 'text', text: 'The city is unknown.' }], isError: true },
    ],
  ])('[TOOL-15] [CONT-01] [CONT-07] a result with %s is itself', async (_, outcome, members) => {
    expect(await answerOf(outcome)).toEqual(resultAnswer(members))
    expect(await answerOf(Promise.resolve(outcome))).toEqual(resultAnswer(members))
  })

  test('[META-05] [META-10] _meta of a result joins the identity and never replaces it', async () => {
    const forged = { 'io.modelcontextprotocol/serverInfo': { name: 'evil', version: '0' } }
    const outcome = toolResult({ content: [], _meta: { 'com.example/a': 1, ...forged } })
    expect(await answerOf(outcome)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [],
        isError: false,
        resultType: 'complete',
        _meta: {
          'com.example/a': 1,
          'io.modelcontextprotocol/serverInfo': { name: 'test', version: '9.8.7' },
        },
      },
    })
  })

  test('is awaited where it is a thenable of another library', async () => {
    const thenable = { then: (resolve: (value: unknown) => void) => resolve({ a: 1 }) }
    expect(await answerOf(thenable)).toEqual(valueAnswer({ a: 1 }))
  })
})

describe('an output schema', () => {
  const outputSchema = {
    type: 'object',
    properties: { count: { type: 'integer' } },
    required: ['count'],
  }

  test('[TOOL-18] admits what fits it', async () => {
    expect(await answerOf({ count: 1 }, { outputSchema })).toEqual(valueAnswer({ count: 1 }))
    const result = toolResult({ content: [], structuredContent: { count: 1 } })
    expect(await answerOf(result, { outputSchema })).toEqual(
      resultAnswer({ content: [], structuredContent: { count: 1 }, isError: false }),
    )
  })

  test('[TOOL-08] may describe a list or a scalar', async () => {
    expect(await answerOf([1], { outputSchema: { type: 'array' } })).toEqual(valueAnswer([1]))
    expect(await answerOf(null, { outputSchema: { type: 'null' } })).toEqual(valueAnswer(null))
    expect(await answerOf(5, { outputSchema: { type: 'string' } })).toEqual(INTERNAL)
  })

  test('[TOOL-18] judges what JSON carries, not what the handler held', async () => {
    const at = { type: 'object', properties: { at: { type: 'string' } } }
    expect(await answerOf({ at: new Date(0) }, { outputSchema: at })).toMatchObject({
      result: { structuredContent: { at: '1970-01-01T00:00:00.000Z' } },
    })
  })

  test.each([
    ['the wrong value', { count: 'x' }],
    ['less than it promises', {}],
    ['text alone', '{"count":1}'],
    ['a result without structured content', toolResult({ content: [] })],
    ['a result with the wrong one', toolResult({ content: [], structuredContent: { count: 1.5 } })],
  ])('[TOOL-18] [A-42] makes %s a fault of the host', async (_, outcome) => {
    expect(await answerOf(outcome, { outputSchema })).toEqual(INTERNAL)
  })

  test('[TOOL-18] asks nothing of a failure', async () => {
    expect(await answerOf(toolError('no'), { outputSchema })).toEqual(
      resultAnswer({ content: [{ type: 'text', text: 'no' }], isError: true }),
    )
  })
})

describe('S08: calls without arguments', () => {
  const handed: unknown[] = []
  const handler = (args: unknown) => {
    handed.push(args)
    return 'ran'
  }
  const { ask } = serve({
    tools: [
      defineTool({
        name: 'echo',
        inputSchema: {
          type: 'object',
          properties: { text: { type: 'string' } },
          additionalProperties: false,
        },
        handler,
      }),
      defineTool({ name: 'now', handler }),
      defineTool({
        name: 'need',
        inputSchema: {
          type: 'object',
          properties: { text: { type: 'string' } },
          required: ['text'],
        },
        handler,
      }),
    ],
  })
  const call = (name: string, args: unknown) => ask('tools/call', { name, arguments: args })

  test.each(['echo', 'now'])('[TOOL-11] %s runs with {} for none and for {}', async (name) => {
    for (const args of [undefined, {}]) {
      handed.length = 0
      expect(await call(name, args)).toEqual(textAnswer('ran'))
      expect(handed).toEqual([{}])
    }
  })

  test('[TOOL-14] need is refused as an argument fault that names what is missing', async () => {
    for (const args of [undefined, {}]) {
      handed.length = 0
      const answer = await call('need', args)
      expect(answer).toMatchObject({ result: { isError: true, resultType: 'complete' } })
      const { content, structuredContent } = answer?.result ?? {}
      expect(content).toEqual([{ type: 'text', text: expect.stringContaining('text') }])
      expect(structuredContent).toEqual({
        error: expect.objectContaining({
          tool: 'need',
          reason: 'invalid_arguments',
          keyword: 'required',
          message: expect.stringContaining('text'),
        }),
      })
      expect(handed).toEqual([])
    }
  })

  test.each(['echo', 'now', 'need'])(
    '[TOOL-13] [A-34] %s refuses null, lists and scalars as params',
    async (name) => {
      handed.length = 0
      for (const [args, kind] of [
        [null, 'null'],
        [[], 'an array'],
        ['x', 'a string'],
        [0, 'a number'],
        [true, 'a scalar'],
      ]) {
        expect(await call(name, args)).toEqual(
          errorAnswer(-32602, `Invalid params: arguments must be an object, got ${kind}`),
        )
      }
      expect(handed).toEqual([])
    },
  )

  test('[TOOL-07] now is listed with an object schema', async () => {
    const answer = await ask('tools/list')
    expect(answer?.result?.['tools']).toContainEqual({
      name: 'now',
      inputSchema: { type: 'object', properties: {}, additionalProperties: true },
    })
  })
})

// Here V8 may take an escaped key for one of an object made before: test/json/parse-json.test.ts.
describe('an answer with a key that JSON escapes', () => {
  const answer = { fine: 1, '"': 2 }
  const prime = () => JSON.parse('{"fine":0,"\\\\":0}')

  test('is held to the output schema with the key it has', async () => {
    prime()
    const outputSchema = {
      type: 'object',
      properties: { fine: {}, '"': {} },
      additionalProperties: false,
    }
    expect(await answerOf(answer, { outputSchema })).toEqual(valueAnswer(answer))
  })

  test('keeps the key, in its _meta too', async () => {
    prime()
    const given = toolResult({ content: [], structuredContent: answer, _meta: { kept: answer } })
    expect(await answerOf(given)).toMatchObject({
      result: { structuredContent: answer, _meta: { kept: answer } },
    })
  })
})
