// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { type CompiledSchema, compileSchema } from '../../src/schema/compile-schema.ts'

function compile(schema: object): CompiledSchema {
  return compileSchema(schema, { where: 'schema', maxValueBytes: 1_048_576 })
}

describe('a keyword without effect', () => {
  const $schema = 'http://json-schema.org/draft-07/schema#'

  test.each<readonly [object, readonly unknown[]]>([
    [{ then: false }, [1, {}]],
    [{ else: false }, [1, {}]],
    [{ then: false, else: false }, [1]],
    [{ if: false }, [1]],
    [{ minContains: 2 }, [[], [1]]],
    [{ maxContains: 0 }, [[], [1]]],
    [{ $schema, then: false }, [1]],
    [{ $schema, additionalItems: false }, [[1]]],
    [{ $schema, items: true, additionalItems: false }, [[1]]],
    [{ anyOf: [{ then: false }], not: { not: { minContains: 1 } } }, [1, []]],
  ])('is taken and has none: %j', (schema, values) => {
    const compiled = compile(schema)
    for (const value of values) expect(compiled.validate(value)).toBeUndefined()
  })

  test('leaves those beside it in force', () => {
    const compiled = compile({ type: 'array', then: false, minContains: 3, maxItems: 1 })
    expect(compiled.validate([1])).toBeUndefined()
    expect(compiled.validate([1, 2])).toMatchObject({ keyword: 'maxItems' })
    expect(compiled.validate(1)).toMatchObject({ keyword: 'type' })
  })

  test('is a place that references lead to', () => {
    const compiled = compile({ then: { type: 'string' }, properties: { a: { $ref: '#/then' } } })
    expect(compiled.validate({ a: 'a' })).toBeUndefined()
    expect(compiled.validate({ a: 1 })).toMatchObject({ path: 'a', keyword: 'type' })
  })

  test('has one again where evaluated members are asked for', () => {
    const compiled = compile({ if: { properties: { a: {} } }, unevaluatedProperties: false })
    expect(compiled.validate({ a: 1 })).toBeUndefined()
    expect(compiled.validate({ b: 1 })).toMatchObject({ keyword: 'unevaluatedProperties' })
  })
})

describe('unevaluatedItems and contains', () => {
  const contains = { const: 1 }

  test.each<readonly [object, string]>([
    [{ contains, unevaluatedItems: false }, 'root'],
    [{ allOf: [{ anyOf: [true, { contains }] }], unevaluatedItems: false }, 'root'],
    [{ oneOf: [{ contains }], unevaluatedItems: false }, 'root'],
    [{ if: { contains }, unevaluatedItems: false }, 'root'],
    [{ if: true, else: { contains }, unevaluatedItems: false }, 'root'],
    [{ $ref: '#/$defs/a', unevaluatedItems: false, $defs: { a: { contains } } }, 'root'],
    [
      {
        properties: { a: { allOf: [{ $ref: '#x' }], unevaluatedItems: false } },
        $defs: { a: { $anchor: 'x', contains } },
      },
      '/properties/a,',
    ],
    [
      {
        $dynamicRef: '#n',
        unevaluatedItems: false,
        $defs: { a: { $dynamicAnchor: 'n' }, b: { contains } },
      },
      'root',
    ],
  ])('are refused where they meet: %j', (schema, where) => {
    expect(() => compile(schema)).toThrowError(new RegExp(`at .*${where}.*unevaluatedItems can't`))
  })

  test.each<readonly [object, unknown, unknown]>([
    [
      {
        properties: {
          a: { contains },
          b: { prefixItems: [true], unevaluatedItems: false },
        },
      },
      { a: [2, 1], b: [1] },
      { a: [1], b: [1, 2] },
    ],
    [{ items: { contains }, unevaluatedItems: false }, [[1, 2]], [[2]]],
    [{ prefixItems: [{ contains }], unevaluatedItems: false }, [[2, 1]], [[1], 2]],
    [{ unevaluatedItems: { contains } }, [[1]], [[2]]],
    [{ not: { contains }, prefixItems: [true], unevaluatedItems: false }, [2], [2, 3]],
    [{ allOf: [{ prefixItems: [true], unevaluatedItems: false }], contains }, [1], [1, 1]],
    [{ $defs: { a: { contains } }, prefixItems: [true], unevaluatedItems: false }, [2], [1, 1]],
  ])('are enforced where they do not: %j', (schema, good, bad) => {
    expect(compile(schema).validate(good)).toBeUndefined()
    expect(compile(schema).validate(bad)).toBeDefined()
  })
})
