// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileSchema, type SchemaFault } from '../../src/schema/compile-schema.ts'

function faultOf(schema: object, value: unknown): SchemaFault | undefined {
  return compileSchema(schema, { where: 'schema', maxValueBytes: 1_048_576 }).validate(value)
}

describe('a fault', () => {
  test.each<readonly [object, unknown, SchemaFault]>([
    [
      { type: 'object' },
      [],
      {
        path: 'arguments',
        keyword: 'type',
        message: 'arguments must be an object',
        expected: { type: 'object' },
      },
    ],
    [
      { properties: { opts: { properties: { mode: { enum: ['a', 'b', null] } } } } },
      { opts: { mode: 'c' } },
      {
        path: 'opts.mode',
        keyword: 'enum',
        message: 'opts.mode must be "a", "b" or null',
        expected: { enum: ['a', 'b', null] },
      },
    ],
    [
      { properties: { tags: { items: { type: ['string', 'null'] } } } },
      { tags: ['a', 1] },
      {
        path: 'tags[1]',
        keyword: 'type',
        message: 'tags[1] must be a string or null',
        expected: { type: ['string', 'null'] },
      },
    ],
    [
      { required: ['a', 'b', 'toString'] },
      { b: 1 },
      {
        path: 'arguments',
        keyword: 'required',
        message: 'arguments must have the members "a" and "toString"',
        expected: { required: ['a', 'toString'] },
      },
    ],
    [
      { properties: { '': { required: [''] } } },
      { '': {} },
      {
        path: '[""]',
        keyword: 'required',
        message: '[""] must have the member ""',
        expected: { required: [''] },
      },
    ],
    [
      { properties: { n: { type: 'integer' } } },
      { n: 1e20 },
      {
        path: 'n',
        keyword: 'type',
        message: 'n must be an integer within ±9007199254740991',
        expected: { type: 'integer' },
      },
    ],
    [
      { properties: { a: {}, b: {} }, additionalProperties: false },
      { c: 1 },
      {
        path: 'arguments',
        keyword: 'additionalProperties',
        message: 'arguments must not have the member "c"; it may have "a" and "b"',
        expected: { additionalProperties: false },
      },
    ],
    [
      { properties: { a: {} }, unevaluatedProperties: false },
      { c: 1 },
      {
        path: 'arguments',
        keyword: 'unevaluatedProperties',
        message: 'arguments must not have the member "c"; it may have "a"',
        expected: { unevaluatedProperties: false },
      },
    ],
    [
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      {
        path: 'arguments',
        keyword: 'maxLength',
        message: 'the member name "ab" in arguments must have at most 1 character',
        expected: { maxLength: 1 },
      },
    ],
    [
      { properties: { a: { minLength: 2 } } },
      { a: '' },
      {
        path: 'a',
        keyword: 'minLength',
        message: 'a must have at least 2 characters',
        expected: { minLength: 2 },
      },
    ],
    [
      { uniqueItems: true },
      [1, 'a', { b: 1 }, { b: 1 }],
      {
        path: 'arguments',
        keyword: 'uniqueItems',
        message: 'arguments must not have equal items: items 2 and 3 are equal',
        expected: { uniqueItems: true },
      },
    ],
    [
      { dependentRequired: { a: ['b', 'c'] } },
      { a: 1, c: 1 },
      {
        path: 'arguments',
        keyword: 'dependentRequired',
        message: 'arguments must have the member "b" because it has "a"',
        expected: { dependentRequired: ['b'] },
      },
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'object', required: ['a', 'b'] }] },
      1,
      {
        path: 'arguments',
        keyword: 'anyOf',
        message: 'arguments must fit at least one of: a string, null or an object with "a" and "b"',
      },
    ],
    [
      { oneOf: [{ type: 'string' }, { minLength: 1 }] },
      'a',
      {
        path: 'arguments',
        keyword: 'oneOf',
        message: 'arguments must fit exactly one of its alternatives, but fits several',
      },
    ],
    [
      { prefixItems: [{}], items: false },
      [1, 2],
      {
        path: 'arguments',
        keyword: 'items',
        message: 'arguments must have at most 1 item',
        expected: { items: false },
      },
    ],
    [
      { properties: { 'a b': { properties: { 'c.d': { properties: { é: { const: 1 } } } } } } },
      { 'a b': { 'c.d': { é: 2 } } },
      {
        path: '["a b"]["c.d"].é',
        keyword: 'const',
        message: '["a b"]["c.d"].é must be 1',
        expected: { const: 1 },
      },
    ],
    [
      { additionalProperties: { items: { type: 'null' } } },
      { 'a/b~c': [1] },
      {
        path: '["a/b~c"][0]',
        keyword: 'type',
        message: '["a/b~c"][0] must be null',
        expected: { type: 'null' },
      },
    ],
    [
      { properties: { 0: { items: { properties: { 1: false } } } } },
      { 0: [{ 1: 'a' }] },
      { path: '["0"][0]["1"]', keyword: 'false', message: '["0"][0]["1"] is not allowed there' },
    ],
  ])('of %j says what was expected where', (schema, value, fault) => {
    expect(faultOf(schema, value)).toEqual(fault)
  })

  const shape = (kind: string, size: object) => ({
    type: 'object',
    properties: { kind: { const: kind }, size },
    required: ['kind', 'size'],
  })
  const shapes = {
    $defs: { circle: shape('circle', { type: 'number' }), square: shape('square', { minimum: 1 }) },
  }

  test.each(['oneOf', 'anyOf'])(
    'of alternatives told apart by a member names the member: %s',
    (keyword) => {
      const schema = {
        ...shapes,
        [keyword]: [{ $ref: '#/$defs/circle' }, { $ref: '#/$defs/square' }],
      }
      expect(faultOf(schema, { kind: 'circle', size: 1 })).toBeUndefined()
      expect(faultOf(schema, { kind: 'circle', size: 'big' })).toMatchObject({
        path: 'size',
        keyword: 'type',
      })
      expect(faultOf(schema, { kind: 'square', size: 0 })).toMatchObject({ keyword: 'minimum' })
      expect(faultOf(schema, { kind: 'triangle', size: 1 })).toMatchObject({
        keyword,
        message: expect.stringContaining(
          'an object with kind: "circle" or an object with kind: "square"',
        ),
      })
      expect(faultOf(schema, 'circle')).toMatchObject({ keyword })
    },
  )

  test('cuts names, paths, patterns and lists', () => {
    const long = 'n'.repeat(5_000)
    const deep = {
      additionalProperties: { additionalProperties: { additionalProperties: { type: 'null' } } },
    }
    const unknown = faultOf({ additionalProperties: false }, { [long]: 1 })
    expect(unknown?.message).toBe(`arguments must not have the member "${'n'.repeat(256)}…"`)
    const path = faultOf({ properties: { a: deep } }, { a: { [long]: { [long]: { [long]: 1 } } } })
    expect(path?.path.length).toBeLessThanOrEqual(1_025)
    const values = Array.from({ length: 5_000 }, (_, index) => `value ${index}`)
    const listed = faultOf({ enum: values }, 'a')
    expect(listed?.message).toMatch(/"value 19" or 4980 more$/)
    expect(listed?.expected?.['enum']).toHaveLength(50)
    const branches = values.map((title) => ({ type: 'object', required: [title] }))
    expect(faultOf({ anyOf: branches.slice(0, 500) }, {})?.message.length).toBeLessThan(500)
    const source = `^(?:${'a|'.repeat(1_000)}a)$`
    expect(faultOf({ pattern: source }, 'b')?.message.length).toBeLessThan(300)
    expect(faultOf({ const: long }, 'b')).toEqual({
      path: 'arguments',
      keyword: 'const',
      message: expect.stringMatching(/^arguments must be "n{79}…$/),
    })
  })

  test('keeps a name whole when it is cut', () => {
    const name = `${'n'.repeat(255)}😀😀`
    const fault = faultOf({ additionalProperties: false }, { [name]: 1 })
    expect(fault?.message.isWellFormed()).toBe(true)
  })

  test('never repeats a value', () => {
    const marker = 'S3CR3T'
    const value = fc.oneof(
      fc.constant(marker),
      fc.constant([marker, marker]),
      fc.constant({ a: marker, b: [marker, { a: marker }] }),
      fc.constant({ a: { b: marker }, kind: marker }),
    )
    const inner = fc.constantFrom<object | boolean>(
      ...[
        false,
        { type: 'number' },
        { const: 1 },
        { enum: [1] },
        { maxLength: 1 },
        { minLength: 9 },
      ],
      ...[{ pattern: '^x$' }, { uniqueItems: true }, { maxItems: 0 }, { minItems: 9 }],
      ...[{ maxProperties: 0 }, { required: ['z'] }, { not: {} }, { contains: { const: 1 } }],
      ...[{ dependentRequired: { a: ['z'] } }, { propertyNames: { const: 'z' } }],
      ...[{ additionalProperties: false }, { unevaluatedProperties: false }, { items: false }],
    )
    const schema = fc.oneof(
      inner,
      inner.map((one) => ({ properties: { a: one, b: one } })),
      inner.map((one) => ({ items: one })),
      inner.map((one) => ({ additionalProperties: { additionalProperties: one } })),
      fc.tuple(inner, inner).map((anyOf) => ({ anyOf })),
      fc.tuple(inner, inner).map((oneOf) => ({ oneOf })),
      inner.map((one) => ({ if: true, then: one })),
    )
    let faults = 0
    fc.assert(
      fc.property(schema, value, (one, sent) => {
        const fault = faultOf({ allOf: [one] }, sent)
        if (fault === undefined) return
        faults++
        expect(JSON.stringify(fault)).not.toContain(marker)
        expect(fault.message.endsWith('undefined')).toBe(false)
      }),
      { numRuns: 300 },
    )
    expect(faults).toBeGreaterThan(50)
  })
})
