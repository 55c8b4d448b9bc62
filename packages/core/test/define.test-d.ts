// SPDX-License-Identifier: Apache-2.0

import { jsonSchema } from '@beam-mcp/core/json-schema'
import {
  type ArgumentsOf,
  type CallContext,
  type Catalog,
  type CatalogContext,
  createCatalog,
  createServer,
  type Dispatch,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type JsonRpcId,
  type JsonRpcResponse,
  type ReadContext,
  type ServerOptions,
  type Tool,
  toolResult,
} from '@beam-mcp/core/server'
import { Type } from '@sinclair/typebox'
import { describe, expectTypeOf, test } from 'vitest'

type Plain = Readonly<Record<string, unknown>>

describe("a handler's arguments", () => {
  test('are those of a TypeBox schema', () => {
    const inputSchema = Type.Object({
      city: Type.String(),
      days: Type.Optional(Type.Integer()),
      unit: Type.Union([Type.Literal('C'), Type.Literal('F')]),
    })
    const tool = defineTool({
      name: 'weather',
      inputSchema,
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number; unit: 'C' | 'F' }>()
        // @ts-expect-error there is no such argument
        args.country
        // @ts-expect-error an optional argument may be missing
        args.days.toFixed()
        return args.city
      },
    })
    expectTypeOf(tool).toEqualTypeOf<Tool<unknown>>()
  })

  test('are those of a recursive TypeBox schema', () => {
    const Node = Type.Recursive((Self) =>
      Type.Object({ name: Type.String(), children: Type.Array(Self) }),
    )
    defineTool({
      name: 'tree',
      inputSchema: Node,
      handler: ({ children }) => {
        expectTypeOf(children[0]?.name).toEqualTypeOf<string | undefined>()
      },
    })
  })

  test('are those of a JSON Schema literal, with and without as const', () => {
    type Expected = { [x: string]: unknown; city: string; days?: number | undefined }
    defineTool({
      name: 'literal',
      inputSchema: jsonSchema({
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city'],
      }),
      handler: (args) => {
        expectTypeOf(args).toExtend<Expected>()
        expectTypeOf(args.city).toEqualTypeOf<string>()
        expectTypeOf(args.days).toEqualTypeOf<number | undefined>()
      },
    })
    const schema = {
      type: 'object',
      properties: {
        unit: { enum: ['C', 'F'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['unit'],
      additionalProperties: false,
    } as const
    defineTool({
      name: 'constant',
      inputSchema: jsonSchema(schema),
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ unit: 'C' | 'F'; tags?: string[] }>()
        // @ts-expect-error a closed schema has no other argument
        args.city
      },
    })
  })

  test('are a record of unknowns for a plain schema', () => {
    defineTool({
      name: 'plain',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<Plain>()
        // @ts-expect-error nothing is known of it
        args['city'].length
      },
    })
    const schema: object = { type: 'object' }
    defineTool({
      name: 'object',
      inputSchema: schema,
      handler: (args) => expectTypeOf(args).toEqualTypeOf<Plain>(),
    })
  })

  test('are none without a schema', () => {
    defineTool({
      name: 'none',
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, never>>>()
        expectTypeOf<keyof typeof args>().toEqualTypeOf<string>()
        // @ts-expect-error there is no argument
        const text: string = args['city']
        return text
      },
    })
  })

  test('follow from the schema alone', () => {
    expectTypeOf<ArgumentsOf<{ readonly static: { a: 1 } }>>().toEqualTypeOf<{ a: 1 }>()
    expectTypeOf<ArgumentsOf<{ type: 'object' }>>().toEqualTypeOf<Plain>()
    expectTypeOf<ArgumentsOf<undefined>>().toEqualTypeOf<Readonly<Record<string, never>>>()
  })
})

describe('a definition', () => {
  test('is checked', () => {
    // @ts-expect-error a tool has a name
    defineTool({ handler: () => 'x' })
    // @ts-expect-error a tool has a handler
    defineTool({ name: 't' })
    // @ts-expect-error a mode is one of two
    defineTool({ name: 't', mode: 'write', handler: () => 'x' })
    // @ts-expect-error a hint is a boolean
    defineTool({ name: 't', annotations: { readOnlyHint: 'yes' }, handler: () => 'x' })
    // @ts-expect-error a boolean is no input schema
    defineTool({ name: 't', inputSchema: true, handler: () => 'x' })
    // @ts-expect-error a resource has a uri
    defineResource({ name: 'n', read: () => 'x' })
    // @ts-expect-error a reader answers contents
    defineResource({ uri: 'a:1', name: 'n', read: () => 5 })
    // @ts-expect-error a template has its own member for that
    defineResourceTemplate({ uri: 'a:1', name: 'n', read: () => 'x' })
    // @ts-expect-error a prompt answers messages
    definePrompt({ name: 'p', render: () => ({ text: 'x' }) })
    // @ts-expect-error a block has a type
    toolResult({ content: [{ text: 'x' }] })
    // @ts-expect-error an image has a type of its own
    toolResult({ content: [{ type: 'image', data: '' }] })
  })

  test('of a resource tells its reader what it is read by', () => {
    defineResource({
      uri: 'a:1',
      name: 'n',
      read: (context) => {
        expectTypeOf(context).toEqualTypeOf<ReadContext<unknown>>()
        expectTypeOf(context.matched).toEqualTypeOf<string>()
        return new Uint8Array()
      },
    })
    defineResourceTemplate({
      uriTemplate: 'a:{x}',
      name: 'n',
      read: (uri, context) => {
        expectTypeOf(uri).toEqualTypeOf<string>()
        expectTypeOf(context).toEqualTypeOf<ReadContext<unknown>>()
        return [{ text: 'x' }, { blob: new Uint8Array() }]
      },
    })
  })
})

describe("a prompt's arguments", () => {
  test('are strings, and those that are not required may be missing', () => {
    definePrompt({
      name: 'p',
      arguments: [
        { name: 'topic', required: true },
        { name: 'tone' },
        { name: 'length', required: false },
      ],
      render: (args) => {
        expectTypeOf(args.topic).toEqualTypeOf<string>()
        expectTypeOf(args.tone).toEqualTypeOf<string | undefined>()
        expectTypeOf(args.length).toEqualTypeOf<string | undefined>()
        expectTypeOf<keyof typeof args>().toEqualTypeOf<'topic' | 'tone' | 'length'>()
        // @ts-expect-error there is no such argument
        args.other
        return args.topic
      },
    })
  })

  test('are none where none are declared', () => {
    definePrompt({
      name: 'p',
      render: (args) => {
        expectTypeOf<keyof typeof args>().toEqualTypeOf<never>()
        return 'x'
      },
    })
  })
})

describe('the contract', () => {
  test('hands on what the call is', () => {
    expectTypeOf<CallContext['requestId']>().toEqualTypeOf<JsonRpcId>()
    expectTypeOf<JsonRpcId>().toEqualTypeOf<string | number | bigint>()
    expectTypeOf<CallContext['transport']>().toEqualTypeOf<'http' | 'stdio' | 'in-process'>()
    expectTypeOf<CallContext<'alice'>['principal']>().toEqualTypeOf<'alice'>()
    expectTypeOf<CatalogContext<'alice'>['principal']>().toEqualTypeOf<'alice' | undefined>()
    expectTypeOf<Parameters<Dispatch>>().toEqualTypeOf<
      [tool: string, args: Plain, context: CallContext<unknown>]
    >()
  })

  test('wants all three lists', () => {
    const catalog: Catalog = {
      // @ts-expect-error prompts are missing
      capabilities: () => ({ tools: [], resources: [] }),
    }
    const whole: Catalog = { capabilities: () => ({ tools: [], resources: [], prompts: [] }) }
    expectTypeOf(catalog).toEqualTypeOf(whole)
  })

  test('is what createServer takes and createCatalog makes', () => {
    const server = createServer(createCatalog({}))
    expectTypeOf(server.handle).returns.resolves.toEqualTypeOf<JsonRpcResponse | undefined>()
    expectTypeOf(server.ready).returns.resolves.toEqualTypeOf<void>()
    expectTypeOf<JsonRpcResponse['id']>().toEqualTypeOf<JsonRpcId | undefined>()
    // @ts-expect-error there is no such option
    createServer({ ...createCatalog({}), pagesize: 5 })
    // @ts-expect-error a scope is public or private
    createServer({ ...createCatalog({}), cache: { tools: { ttlMs: 0, cacheScope: 'shared' } } })
    // @ts-expect-error dispatch is required
    createServer({ catalog: createCatalog({}).catalog })
    expectTypeOf<ServerOptions['catalog']>().toEqualTypeOf<Catalog<unknown>>()
  })
})
