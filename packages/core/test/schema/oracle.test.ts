// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../src/schema/compile-schema.ts'
import { isValidPlainly } from './plain-validator.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Schema = { [key: string]: Json }

const NAMES = ['a', 'b', 'c', '', 'toString', '__proto__']
const name = fc.constantFrom(...NAMES)
const scalar = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 'a', 'ab', '', '😀', 'b1'),
  fc.integer({ min: -2, max: 4 }),
)

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

const small = fc.integer({ min: 0, max: 3 })
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array')

/** Schemas over a few names and values, so that conditions meet often. */
function schemas(
  keywords: (inner: fc.Arbitrary<Json>) => fc.Arbitrary<Schema>,
): fc.Arbitrary<Schema> {
  const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.oneof(fc.boolean(), leaf()),
      keywords(tie('schema')),
    ),
  }))
  const inner = fc.record({ x: schema, y: schema }).map(({ x, y }) => ({ x, y }))
  return fc.tuple(keywords(schema), inner).map(([root, $defs]) => ({ ...root, $defs }) as Schema)
}

function leaf(): fc.Arbitrary<Schema> {
  return fc.oneof(
    fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) }),
    fc.record({ const: scalar }),
    fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record({ minimum: small, multipleOf: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: [] }),
    fc.record({ minLength: small, maxLength: small }, { requiredKeys: [] }),
    fc.record({ pattern: fc.constantFrom('^a', 'b$', '^[^a]*$', '\\d', '^.$') }),
    fc.record({ required: fc.uniqueArray(name, { maxLength: 2 }) }),
    fc.record({ $ref: fc.constantFrom('#/$defs/x', '#/$defs/y', '#') }),
  ) as fc.Arbitrary<Schema>
}

function applicators(
  inner: fc.Arbitrary<Json>,
  extra: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Schema> {
  const list = fc.array(inner, { minLength: 1, maxLength: 3 })
  const byName = fc.dictionary(name, inner, { maxKeys: 3, noNullPrototype: true })
  const all: Record<string, fc.Arbitrary<unknown>> = {
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: inner,
    properties: byName,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b|c', 'o', '', '^$'), inner, {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    additionalProperties: inner,
    propertyNames: inner,
    dependentSchemas: byName,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    minProperties: small,
    maxProperties: small,
    items: inner,
    prefixItems: list,
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    $ref: fc.constantFrom('#/$defs/x', '#/$defs/y', '#'),
    ...extra,
  }
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(all)), { minLength: 1, maxLength: 4 })
    .chain((keys) =>
      fc.record(Object.fromEntries(keys.map((key) => [key, all[key] ?? inner]))),
    ) as fc.Arbitrary<Schema>
}

const conditional = (inner: fc.Arbitrary<Json>): fc.Arbitrary<Schema> =>
  fc.record({ if: inner, then: inner, else: inner }) as fc.Arbitrary<Schema>

function agrees(schema: Schema, values: Json[]): { refused: boolean } {
  const compiled = compileOrSkip(schema)
  if (compiled === undefined) return { refused: true }
  for (const one of values) {
    const fault = compiled.validate(one)
    const expected = isValidPlainly(schema, one)
    expect({ valid: fault === undefined, value: one }).toEqual({ valid: expected, value: one })
  }
  return { refused: false }
}

function compileOrSkip(schema: Schema): ReturnType<typeof compileSchema> | undefined {
  try {
    return compileSchema(schema, { where: 'schema', maxValueBytes: 1_000 })
  } catch (error) {
    // A generated schema may refer to itself in place, which is refused.
    expect(error).toMatchObject({ code: 'BEAM_ERR_SCHEMA_UNSUPPORTED' })
    return undefined
  }
}

describe('compiled schemas', () => {
  test.each<readonly [string, { readonly contains: boolean; readonly unevaluatedItems?: boolean }]>(
    [
      ['with contains', { contains: true }],
      ['with unevaluated members and items', { contains: false }],
      ['with contains and unevaluated items', { contains: true, unevaluatedItems: true }],
    ],
  )(
    'agree with a plain reading of the specification, %s',
    (_, { contains, unevaluatedItems = false }) => {
      let judged = 0
      const keywords = (inner: fc.Arbitrary<Json>): fc.Arbitrary<Schema> =>
        fc.oneof(
          {
            weight: 4,
            arbitrary: applicators(
              inner,
              contains
                ? { contains: inner, ...(unevaluatedItems && { unevaluatedItems: inner }) }
                : { unevaluatedProperties: inner, unevaluatedItems: inner },
            ),
          },
          { weight: 1, arbitrary: conditional(inner) },
          {
            weight: 1,
            arbitrary: contains
              ? (fc.record({
                  contains: inner,
                  minContains: small,
                  maxContains: small,
                }) as fc.Arbitrary<Schema>)
              : (fc
                  .tuple(
                    conditional(inner),
                    fc.record({ unevaluatedProperties: fc.constant(false) }),
                  )
                  .map(([a, b]) => ({ ...a, ...b })) as fc.Arbitrary<Schema>),
          },
        )
      fc.assert(
        fc.property(
          schemas(keywords),
          fc.array(value, { minLength: 1, maxLength: 6 }),
          (schema, values) => {
            if (!agrees(schema, values).refused) judged++
          },
        ),
        { numRuns: Number(process.env['RUNS'] ?? 300) },
      )
      expect(judged).toBeGreaterThan(100)
    },
  )
})

describe('a reference that leads round to its own schema', () => {
  test.each<[string, Schema, Json[]]>([
    [
      'beside patternProperties',
      {
        contains: {
          anyOf: [
            {
              not: { $ref: '#', patternProperties: { '^a': { const: null } } },
              prefixItems: [{ unevaluatedItems: false, allOf: [false] }],
            },
          ],
        },
        minContains: 0,
        maxContains: 0,
      },
      [[[{ a: [] }], {}], [[{ a: [] }]], [{ a: [] }], [{}], { a: [] }, {}],
    ],
    [
      'beside properties, of which each schema keeps its own',
      {
        properties: {
          a: { $ref: '#/$defs/x', properties: { c: true }, unevaluatedProperties: false },
        },
        $defs: {
          x: { properties: { b: { $ref: '#/$defs/x' } }, unevaluatedProperties: { type: 'null' } },
        },
      },
      [{ a: { b: {}, c: 1 } }, { a: { b: { c: 1 } } }, { a: { c: 1 } }, { a: { d: 1 } }],
    ],
  ])('is judged %s, time after time', (_, schema, values) => {
    const { validate } = compileSchema(schema, { where: 'the schema', maxValueBytes: 1_048_576 })
    const judged = (value: Json): boolean => validate(value) === undefined
    const plain = values.map((value) => isValidPlainly(schema, value))
    expect(values.map(judged)).toEqual(plain)
    expect(values.map(judged)).toEqual(plain)
  })
})

describe('dependentSchemas', () => {
  test('evaluate no items, whatever they say of lists', () => {
    const schema: Schema = {
      if: { dependentSchemas: { a: { unevaluatedItems: true } } },
      unevaluatedItems: { type: 'string' },
    }
    const { validate } = compileSchema(schema, { where: 'the schema', maxValueBytes: 1_048_576 })
    for (const value of [[1], ['x'], [], { a: 1 }] as Json[]) {
      expect([value, validate(value) === undefined]).toEqual([value, isValidPlainly(schema, value)])
    }
    expect(validate([1])).toBeDefined()
  })
})
