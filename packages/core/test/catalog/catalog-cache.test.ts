// SPDX-License-Identifier: Apache-2.0
import type { Capabilities } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { catalogOf, createTestServer, INTERNAL } from '../support/server.ts'

/** An object that counts how often its members are listed, which every compilation has to do. */
function counted<Value extends object>(value: Value): { value: Value; reads: () => number } {
  let reads = 0
  const proxy = new Proxy(value, {
    ownKeys: (target) => {
      reads += 1
      return Reflect.ownKeys(target)
    },
  })
  return { value: proxy, reads: () => reads }
}

const schemaOf = (member: string): object => ({
  type: 'object',
  properties: { [member]: { type: 'string' } },
  required: [member],
})

function serveAnswers(capabilities: () => unknown) {
  return createTestServer({
    catalog: {
      ...catalogOf({}),
      capabilities: () => capabilities() as Capabilities,
      readResource: (uri) => uri,
    },
    dispatch: (tool) => `ran ${tool}`,
  })
}

const EVERYTHING = [
  ['tools/list', {}],
  ['tools/call', { name: 't', arguments: { a: 'x' } }],
  ['resources/list', {}],
  ['resources/read', { uri: 'a:1' }],
  ['prompts/list', {}],
] as const

describe('a catalog that answers the same object', () => {
  test('is compiled once, however often it is asked', async () => {
    const schema = counted(schemaOf('a'))
    const lists = {
      tools: [{ name: 't', inputSchema: schema.value }],
      resources: [{ uri: 'a:1', name: 'one' }],
      prompts: [],
    }
    const { server, ask, log } = serveAnswers(() => lists)
    await server.ready()
    const atStart = schema.reads()
    expect(atStart).toBeGreaterThan(0)
    for (let round = 0; round < 50; round += 1) {
      for (const [method, params] of EVERYTHING) {
        expect(await ask(method, params)).toHaveProperty('result')
      }
    }
    expect(schema.reads()).toBe(atStart)
    expect(log.lines).toEqual([])
  })

  test('is asked on every request that needs it', async () => {
    let asked = 0
    const lists = { tools: [{ name: 't' }], resources: [], prompts: [] }
    const { ask } = serveAnswers(() => {
      asked += 1
      return lists
    })
    await ask('tools/list')
    await ask('tools/list')
    await ask('tools/call', { name: 't' })
    await ask('server/discover')
    expect(asked).toBe(4)
  })

  test('and pushes onto its lists is served with what it pushed', async () => {
    const lists = {
      tools: [{ name: 'old' }],
      resources: [{ uri: 'a:1', name: 'one' }],
      prompts: [{ name: 'p' }],
    }
    const { ask, log } = serveAnswers(() => lists)
    expect(await ask('tools/call', { name: 'new' })).toMatchObject({ error: { code: -32602 } })
    lists.tools.push({ name: 'new' })
    expect(await ask('tools/call', { name: 'new' })).toMatchObject({ result: { isError: false } })
    lists.resources.push({ uri: 'a:0', name: 'zero' })
    expect((await ask('resources/list'))?.result?.['resources']).toEqual([
      { uri: 'a:0', name: 'zero' },
      { uri: 'a:1', name: 'one' },
    ])
    lists.prompts.push({ name: 'b' })
    expect((await ask('prompts/list'))?.result?.['prompts']).toEqual([{ name: 'b' }, { name: 'p' }])
    lists.tools.shift()
    expect(await ask('tools/call', { name: 'old' })).toMatchObject({ error: { code: -32602 } })
    expect(log.lines).toEqual([])
  })

  test('and puts another list into it is served with that list', async () => {
    const lists = { tools: [{ name: 'old' }], resources: [], prompts: [] }
    const { ask } = serveAnswers(() => lists)
    await ask('tools/list')
    lists.tools = [{ name: 'new' }]
    expect((await ask('tools/list'))?.result?.['tools']).toEqual([
      expect.objectContaining({ name: 'new' }),
    ])
  })

  test('and pushes a fault is a host fault until it is taken out', async () => {
    const lists = { tools: [{ name: 't' }], resources: [], prompts: [] }
    const { ask } = serveAnswers(() => lists)
    await ask('tools/list')
    lists.tools.push({ name: 't' })
    expect(await ask('tools/list')).toEqual(INTERNAL)
    expect(await ask('tools/call', { name: 't' })).toEqual(INTERNAL)
    lists.tools.pop()
    expect(await ask('tools/call', { name: 't' })).toMatchObject({ result: { isError: false } })
  })
})

describe('a catalog that answers new objects', () => {
  test('of the same specs compiles none of them again, and is not warned', async () => {
    const schema = counted(schemaOf('a'))
    const tool = { name: 't', inputSchema: schema.value }
    const { server, ask, log } = serveAnswers(() => ({ tools: [tool], resources: [], prompts: [] }))
    await server.ready()
    const atStart = schema.reads()
    for (let round = 0; round < 20; round += 1) await ask('tools/list')
    expect(schema.reads()).toBe(atStart)
    expect(log.lines).toEqual([])
  })

  test('of new specs around the same schema compiles that once', async () => {
    const schema = counted(schemaOf('a'))
    const { server, ask } = serveAnswers(() => ({
      tools: [{ name: 't', inputSchema: schema.value }],
      resources: [],
      prompts: [],
    }))
    await server.ready()
    const atStart = schema.reads()
    await ask('tools/list')
    const perSpec = schema.reads() - atStart
    expect(perSpec).toBeLessThan(atStart)
  })

  test('all the way down works, and is warned exactly once', async () => {
    const { ask, log } = serveAnswers(() => ({
      tools: [{ name: 't', inputSchema: schemaOf('a') }],
      resources: [{ uri: 'a:1', name: 'one' }],
      prompts: [{ name: 'p' }],
    }))
    for (let round = 0; round < 25; round += 1) {
      for (const [method, params] of EVERYTHING) {
        expect(await ask(method, params)).toHaveProperty('result')
      }
    }
    expect(await ask('tools/call', { name: 't' })).toMatchObject({ result: { isError: true } })
    expect(log.lines).toEqual([
      {
        level: 'warn',
        bindings: {},
        message:
          'capabilities() builds the same catalog from new objects on every call, so that nothing compiled can be kept; answer the same objects while nothing has changed',
      },
    ])
  })

  test('because something has changed is not warned', async () => {
    let version = 0
    const { ask, log } = serveAnswers(() => {
      version += 1
      return { tools: [{ name: `t${version}` }], resources: [], prompts: [] }
    })
    for (let round = 0; round < 10; round += 1) await ask('tools/list')
    expect(log.lines).toEqual([])
  })

  test('of nothing at all is not warned', async () => {
    const { ask, log } = serveAnswers(() => ({ tools: [], resources: [], prompts: [] }))
    for (let round = 0; round < 10; round += 1) await ask('tools/list')
    expect(log.lines).toEqual([])
  })

  test('[ENV-11] for each caller is served to each as answered', async () => {
    const { ask } = createTestServer({
      catalog: {
        capabilities: ({ principal }) => ({
          tools: [{ name: String(principal), inputSchema: schemaOf(String(principal)) }],
          resources: [],
          prompts: [],
        }),
      },
      dispatch: (tool) => `ran ${tool}`,
    })
    for (const caller of ['alice', 'bob', 'alice']) {
      expect(
        await ask('tools/call', { name: caller, arguments: { [caller]: 'x' } }, caller),
      ).toMatchObject({ result: { content: [{ type: 'text', text: `ran ${caller}` }] } })
      const other = caller === 'alice' ? 'bob' : 'alice'
      expect(await ask('tools/call', { name: other }, caller)).toMatchObject({
        error: { code: -32602 },
      })
      expect(await ask('tools/call', { name: caller, arguments: {} }, caller)).toMatchObject({
        result: { isError: true },
      })
    }
  })
})

describe('one schema object of two tools', () => {
  test('is enforced for both, as input and as output', async () => {
    const schema = schemaOf('a')
    const { ask } = createTestServer({
      catalog: catalogOf({
        tools: [
          { name: 'x', inputSchema: schema },
          { name: 'y', inputSchema: schema, outputSchema: schema },
        ],
      }),
      dispatch: (_tool, args) => args,
    })
    for (const name of ['x', 'y']) {
      expect(await ask('tools/call', { name })).toMatchObject({ result: { isError: true } })
      expect(await ask('tools/call', { name, arguments: { a: 'b' } })).toMatchObject({
        result: { structuredContent: { a: 'b' } },
      })
    }
  })

  test('may carry the $id of another', async () => {
    const named = (member: string) => ({ ...schemaOf(member), $id: 'https://x.example/schema' })
    const { ask } = createTestServer({
      catalog: catalogOf({
        tools: [
          { name: 'x', inputSchema: named('a') },
          { name: 'y', inputSchema: named('b') },
        ],
      }),
      dispatch: () => 'ran',
    })
    expect(await ask('tools/call', { name: 'x', arguments: { a: '' } })).toMatchObject({
      result: { isError: false },
    })
    expect(await ask('tools/call', { name: 'y', arguments: { a: '' } })).toMatchObject({
      result: { isError: true },
    })
  })

  test('of draft-07 is enforced by its dialect', async () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const properties = { list: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] } }
    const inputSchema = { $schema, type: 'object', properties, patternProperties: { '^x-': true } }
    let handed: unknown
    const { ask } = createTestServer({
      catalog: catalogOf({ tools: [{ name: 't', inputSchema }] }),
      dispatch: (_tool, args) => {
        handed = args
        return 'ran'
      },
    })
    const call = (args: object) => ask('tools/call', { name: 't', arguments: args })
    expect(await call({ list: ['a', 'b'] })).toMatchObject({ result: { isError: true } })
    expect(await call({ list: ['a', 1], 'x-b': 1, c: 2 })).toMatchObject({
      result: { isError: false },
    })
    expect(handed).toEqual({ list: ['a', 1], 'x-b': 1 })
  })

  test('may hold the names of its patterns to a definition of its own', async () => {
    const inputSchema = {
      type: 'object',
      patternProperties: { '^x-': { type: 'integer' } },
      propertyNames: { $ref: '#/$defs/name' },
      $defs: { name: { maxLength: 5 } },
    }
    let handed: unknown
    const { ask } = createTestServer({
      catalog: catalogOf({ tools: [{ name: 't', inputSchema }] }),
      dispatch: (_tool, args) => {
        handed = args
        return 'ran'
      },
    })
    await ask('tools/call', { name: 't', arguments: { 'x-a': 1, b: 2 } })
    expect(handed).toEqual({ 'x-a': 1 })
  })
})
