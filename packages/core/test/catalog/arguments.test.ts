// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { catalogOf, createTestServer } from '../support/server.ts'

const NOT_CALLED = Symbol('not called')

/** Calls a tool of this schema; what was handed over as JSON text, and the answer. */
async function call(inputSchema: object | undefined, args: unknown) {
  let handed: unknown = NOT_CALLED
  const { ask } = createTestServer({
    catalog: catalogOf({ tools: [{ name: 't', ...(inputSchema && { inputSchema }) }] }),
    dispatch: (_tool, given) => {
      handed = given
      return 'ran'
    },
  })
  const answer = await ask('tools/call', { name: 't', arguments: args })
  return { handed, answer }
}

async function handedOver(inputSchema: object | undefined, args: unknown): Promise<unknown> {
  const { handed } = await call(inputSchema, args)
  expect(handed).not.toBe(NOT_CALLED)
  return handed
}

const A = { a: { type: 'string' } }
const object = (members: object): object => ({ type: 'object', ...members })
/** Parsed, so that `__proto__` is a key. */
const sent = (json: string): unknown => JSON.parse(json)

describe('arguments', () => {
  test('[SCH-09] are handed over as they were sent: no coercion, no defaults', async () => {
    const schema = object({
      properties: {
        count: { type: ['string', 'integer'] },
        size: { type: 'integer', default: 5 },
        deep: object({ properties: { x: { type: 'number', default: 1 } } }),
        none: { type: ['null', 'string'], default: 'x' },
      },
    })
    const args = { count: '5', deep: {}, none: null }
    expect(await handedOver(schema, args)).toEqual(args)
  })

  test('[SCH-09] of another type are refused, never converted', async () => {
    for (const [type, value] of [
      ['integer', '5'],
      ['string', 5],
      ['boolean', 'true'],
      ['boolean', 0],
      ['array', 'x'],
      ['null', ''],
      ['integer', 1.5],
    ]) {
      const { handed, answer } = await call(object({ properties: { a: { type } } }), { a: value })
      expect(handed).toBe(NOT_CALLED)
      expect(answer).toMatchObject({
        result: { isError: true, structuredContent: { error: { path: 'a' } } },
      })
    }
  })

  test('[TOOL-14] name the path of a fault, and never its value', async () => {
    const schema = object({
      properties: { list: { type: 'array', items: object({ properties: A }) } },
    })
    const { answer } = await call(schema, { list: [{ a: 'x' }, { a: { secret: 'hunter2' } }] })
    expect(answer).toMatchObject({
      result: { isError: true, structuredContent: { error: { path: 'list[1].a' } } },
    })
    expect(JSON.stringify(answer)).not.toMatch(/hunter2|secret|stack|\.ts/)
  })

  test('of a tool without a schema are {} whatever was sent', async () => {
    expect(await handedOver(undefined, { a: 1, b: { c: 2 } })).toEqual({})
  })
})

describe('keys that a schema does not declare', () => {
  const EXTRA = { a: 'x', b: 1, nested: { c: 1 } }

  test.each<readonly [string, object, object]>([
    ['an open schema leaves them behind', object({ properties: A }), { a: 'x' }],
    ['a schema without properties leaves them behind', object({}), {}],
    ['true admits them', object({ properties: A, additionalProperties: true }), EXTRA],
    ['an empty schema admits them', object({ properties: A, additionalProperties: {} }), EXTRA],
    [
      'a schema for them admits them',
      object({ properties: A, additionalProperties: { type: ['integer', 'object'] } }),
      EXTRA,
    ],
    [
      'a pattern admits those that match',
      object({ properties: A, patternProperties: { '^b$': { type: 'integer' } } }),
      { a: 'x', b: 1 },
    ],
    [
      'a pattern that matches none admits none',
      object({ properties: A, patternProperties: { '^z': true } }),
      { a: 'x' },
    ],
    ['allOf admits them', object({ allOf: [{ properties: { b: { type: 'integer' } } }] }), EXTRA],
    ['anyOf admits them', object({ anyOf: [{ required: ['b'] }, { required: ['z'] }] }), EXTRA],
    ['oneOf admits them', object({ oneOf: [{ required: ['b'] }, { required: ['z'] }] }), EXTRA],
    ['not admits them', object({ not: { required: ['z'] } }), EXTRA],
    ['if admits them', object({ if: { required: ['b'] }, then: { required: ['a'] } }), EXTRA],
    [
      'dependentSchemas admit them',
      object({ dependentSchemas: { b: { required: ['a'] } } }),
      EXTRA,
    ],
    [
      'a reference admits them',
      object({ $ref: '#/$defs/x', $defs: { x: object({ properties: A }) } }),
      EXTRA,
    ],
    [
      'propertyNames admit none',
      object({ properties: A, propertyNames: { maxLength: 9 } }),
      { a: 'x' },
    ],
    ['minProperties admit none', object({ properties: A, minProperties: 1 }), { a: 'x' }],
    [
      'dependentRequired admits none',
      object({ properties: A, dependentRequired: { b: ['a'] } }),
      { a: 'x' },
    ],
    [
      'a nested object keeps its own',
      object({ properties: { nested: object({ properties: {} }) } }),
      { nested: { c: 1 } },
    ],
  ])('%s', async (_, schema, expected) => {
    expect(await handedOver(schema, EXTRA)).toEqual(expected)
  })

  test('are refused where the schema says so', async () => {
    const schema = object({ properties: A, additionalProperties: false })
    const { handed, answer } = await call(schema, EXTRA)
    expect(handed).toBe(NOT_CALLED)
    expect(answer).toMatchObject({ result: { isError: true } })
  })
})

describe('keys that every object inherits', () => {
  const INHERITED = sent(
    '{"__proto__":{"isAdmin":true},"constructor":1,"toString":"x","hasOwnProperty":null}',
  )
  const keysOf = (value: unknown): string[] => Object.keys(value as object)

  test('are handed over where they are declared, and are plain members', async () => {
    const schema = sent(
      '{"type":"object","properties":{"__proto__":{"type":"object"},"constructor":{"type":"integer"},"toString":{"type":"string"},"hasOwnProperty":{"type":"null"}}}',
    ) as object
    const handed = await handedOver(schema, INHERITED)
    expect(JSON.stringify(handed)).toBe(JSON.stringify(INHERITED))
    expect((handed as { isAdmin?: unknown }).isAdmin).toBeUndefined()
    expect(Object.getPrototypeOf(handed)).toBe(Object.prototype)
  })

  test('are declared each for itself', async () => {
    const schema = sent('{"type":"object","properties":{"__proto__":true,"a":true}}') as object
    const handed = await handedOver(schema, INHERITED)
    expect(keysOf(handed)).toEqual(['__proto__'])
    expect((handed as { isAdmin?: unknown }).isAdmin).toBeUndefined()
  })

  test('are left behind where they are not declared', async () => {
    expect(keysOf(await handedOver(object({ properties: A }), INHERITED))).toEqual([])
    expect(keysOf(await handedOver(object({}), INHERITED))).toEqual([])
    expect(keysOf(await handedOver(undefined, INHERITED))).toEqual([])
  })

  test('go through a pattern that matches them, and through none that does not', async () => {
    const schema = object({ patternProperties: { '^(__proto__|toString)$': true } })
    const handed = await handedOver(schema, INHERITED)
    expect(keysOf(handed)).toEqual(['__proto__', 'toString'])
    expect((handed as { isAdmin?: unknown }).isAdmin).toBeUndefined()
  })

  test('are missing unless they were sent', async () => {
    for (const key of ['toString', 'constructor', '__proto__']) {
      const { handed, answer } = await call(object({ required: [key] }), {})
      expect(handed).toBe(NOT_CALLED)
      expect(answer).toMatchObject({ result: { isError: true } })
      expect(JSON.stringify(answer)).toContain(key)
    }
  })

  test('are unknown to a closed schema', async () => {
    for (const json of ['{"__proto__":1}', '{"constructor":1}', '{"toString":1}']) {
      const schema = object({ properties: A, additionalProperties: false })
      const { handed, answer } = await call(schema, sent(json))
      expect(handed).toBe(NOT_CALLED)
      expect(answer).toMatchObject({ result: { isError: true } })
    }
  })
})

describe('numbers that would be rounded', () => {
  const open = object({ additionalProperties: true })
  const INTEGER = 'must be an integer within ±9007199254740991'

  test.each<readonly [string, object | undefined, object, string]>([
    ['an argument', open, { n: 2n ** 53n }, 'n'],
    ['a negative one', open, { n: -(2n ** 53n) }, 'n'],
    ['one deep inside', open, { a: { b: [0, { c: 10n ** 30n }] } }, 'a.b[1].c'],
    ['one that is not declared', object({ properties: A }), { z: 2n ** 60n }, 'z'],
    ['one of a tool without a schema', undefined, { z: 2n ** 60n }, 'z'],
    ['the first of two', open, { a: 1, b: 2n ** 60n, c: 2n ** 60n }, 'b'],
  ])('%s is an argument fault that names its path', async (_, schema, args, path) => {
    const { handed, answer } = await call(schema, args)
    expect(handed).toBe(NOT_CALLED)
    expect(answer?.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: `Invalid arguments for t: ${path} ${INTEGER}` }],
      structuredContent: {
        error: { tool: 't', reason: 'invalid_arguments', path, message: `${path} ${INTEGER}` },
      },
    })
  })

  test('the largest that are exact are handed over', async () => {
    const args = { a: Number.MAX_SAFE_INTEGER, b: -Number.MAX_SAFE_INTEGER }
    expect(await handedOver(open, { a: 2n ** 53n - 1n, b: 1n - 2n ** 53n })).toEqual(args)
  })
})
