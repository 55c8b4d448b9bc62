// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../src/schema/compile-schema.ts'

type Row = readonly [keyword: string, schema: object, good: unknown, bad: unknown]

function isAccepted(schema: object, value: unknown): boolean {
  const compiled = compileSchema(schema, { where: 'schema', maxValueBytes: 1_048_576 })
  return compiled.validate(value) === undefined
}

const SHARED: readonly Row[] = [
  ['type', { type: 'string' }, 'a', 1],
  ['type, several', { type: ['string', 'null'] }, null, 1],
  ['type integer', { type: 'integer' }, 1.0, 1.5],
  ['type integer, exact', { type: 'integer' }, Number.MAX_SAFE_INTEGER, 1e20],
  ['type integer, exact and negative', { type: 'integer' }, Number.MIN_SAFE_INTEGER, -1e20],
  ['type integer among others', { type: ['integer', 'string'] }, '1e20', 1e20],
  ['type number', { type: 'number' }, 1e20, '1'],
  ['type number beside integer', { type: ['integer', 'number'] }, 1e20, '1'],
  ['enum', { enum: ['a', 1, null, { x: [1] }] }, { x: [1.0] }, { x: [2] }],
  ['const', { const: { a: 1, b: [true] } }, { b: [true], a: 1 }, { a: 1, b: [1] }],
  ['const scalar', { const: 1 }, 1.0, '1'],
  ['const null', { const: null }, null, 0],
  ['multipleOf', { multipleOf: 3 }, 9, 10],
  ['multipleOf decimal', { multipleOf: 0.01 }, 19.99, 19.995],
  ['multipleOf large', { multipleOf: 1 }, 1e21, 0.5],
  ['multipleOf small', { multipleOf: 1e-300 }, 1e300, Number.MIN_VALUE],
  ['maximum', { maximum: 3 }, 3, 3.1],
  ['exclusiveMaximum', { exclusiveMaximum: 3 }, 2.9, 3],
  ['minimum', { minimum: 3 }, 3, 2.9],
  ['exclusiveMinimum', { exclusiveMinimum: 3 }, 3.1, 3],
  ['maxLength in code points', { maxLength: 2 }, '😀😀', 'abc'],
  ['maxLength past the UTF-16 bound', { maxLength: 2 }, '😀a', '😀😀😀'],
  ['minLength in code points', { minLength: 2 }, 'ab', '😀'],
  ['pattern', { pattern: '^a+$' }, 'aa', 'ab'],
  ['pattern, not anchored', { pattern: 'b' }, 'abc', 'ac'],
  ['items', { items: { type: 'string' } }, ['a'], ['a', 1]],
  ['maxItems', { maxItems: 1 }, [1], [1, 2]],
  ['minItems', { minItems: 1 }, [1], []],
  ['uniqueItems', { uniqueItems: true }, [1, '1', true, [1]], [1, 2, 1.0]],
  [
    'uniqueItems of objects',
    { uniqueItems: true },
    [{ a: 1 }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ],
  ['uniqueItems false', { uniqueItems: false, maxItems: 2 }, [1, 1], [1, 1, 1]],
  ['contains', { contains: { type: 'string' } }, [1, 'a'], [1]],
  ['contains of nothing', { contains: false, type: 'array' }, 'unreached', []],
  ['maxProperties', { maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
  ['minProperties', { minProperties: 2 }, { a: 1, b: 2 }, { a: 1 }],
  ['required', { required: ['a'] }, { a: null }, { b: 1 }],
  ['required, an inherited name', { required: ['toString'] }, { toString: 1 }, {}],
  ['required, the empty name', { type: 'object', required: [''] }, { '': null }, {}],
  ['required, the empty name last', { required: ['a', ''] }, { a: 1, '': 1 }, { a: 1 }],
  ['required, the empty name first', { required: ['', 'a'] }, { a: 1, '': 1 }, { a: 1 }],
  [
    'required, the empty name in alternatives',
    { anyOf: [{ required: [''] }, { required: ['a'] }] },
    { '': 1 },
    { b: 1 },
  ],
  [
    'required, the empty name among many',
    { required: ['', ...Array.from({ length: 300 }, (_, index) => `p${index}`)] },
    Object.fromEntries(['', ...Array.from({ length: 300 }, (_, i) => `p${i}`)].map((p) => [p, 1])),
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, 1])),
  ],
  ['properties, the empty name', { properties: { '': { type: 'string' } } }, {}, { '': 1 }],
  [
    'additionalProperties beside the empty name',
    { properties: { '': {} }, additionalProperties: false },
    { '': 1 },
    { a: 1 },
  ],
  [
    'additionalProperties without the empty name',
    { properties: { a: {} }, additionalProperties: false },
    { a: 1 },
    { '': 1 },
  ],
  ['patternProperties, the empty pattern', { patternProperties: { '': false } }, {}, { '': 1 }],
  [
    'patternProperties, the empty pattern and any name',
    { patternProperties: { '': { type: 'string' } }, additionalProperties: false },
    { a: 'a' },
    { a: 1 },
  ],
  ['pattern, empty', { pattern: '', maxLength: 1 }, '', 'ab'],
  ['$ref to the empty name', { $ref: '#/$defs/', $defs: { '': { type: 'string' } } }, 'a', 1],
  [
    'oneOf told apart by the empty name',
    {
      oneOf: ['a', 'b'].map((kind) => ({
        type: 'object',
        properties: { '': { const: kind }, [kind]: { type: 'string' } },
        required: ['', kind],
      })),
    },
    { '': 'a', a: 'a' },
    { '': 'b', a: 'a' },
  ],
  ['properties', { properties: { a: { type: 'string' } } }, { b: 1 }, { a: 1 }],
  [
    'properties, an inherited name',
    { properties: { constructor: { type: 'string' } } },
    {},
    { constructor: 1 },
  ],
  ['patternProperties', { patternProperties: { '^a': { type: 'string' } } }, { b: 1 }, { ab: 1 }],
  [
    'additionalProperties',
    { properties: { a: {} }, additionalProperties: false },
    { a: 1 },
    { a: 1, b: 2 },
  ],
  [
    'additionalProperties beside patterns',
    { patternProperties: { '^x': {} }, additionalProperties: { type: 'string' } },
    { x1: 1, b: 'b' },
    { b: 1 },
  ],
  ['propertyNames', { propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
  ['allOf', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, 1, 3],
  ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 1 }] }, 1, 0],
  ['anyOf of constants', { anyOf: [{ const: 'a' }, { const: 'b', type: 'string' }] }, 'b', 'c'],
  ['oneOf', { oneOf: [{ minimum: 1 }, { maximum: 2 }] }, 3, 1],
  ['not', { not: { type: 'string' } }, 1, 'a'],
  ['if and then', { if: { minimum: 1 }, then: { multipleOf: 2 } }, 2, 1],
  ['if and else', { if: { minimum: 1 }, else: { const: 0 } }, 0, -1],
  [
    '$ref and definitions',
    { $ref: '#/definitions/a', definitions: { a: { type: 'string' } } },
    'a',
    1,
  ],
  ['$ref and $defs', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'a', 1],
  [
    '$ref to the root',
    { properties: { a: { $ref: '#' } }, maxProperties: 1 },
    { a: { a: {} } },
    { a: { a: 1, b: 1 } },
  ],
  ['$ref to true', { $ref: '#/$defs/a', minimum: 0, $defs: { a: true } }, 1, 'unreached'],
  ['boolean subschemas', { properties: { a: true, b: false } }, { a: 1 }, { b: 1 }],
]

const ONLY_2020: readonly Row[] = [
  ['prefixItems', { prefixItems: [{ type: 'string' }, { type: 'integer' }] }, ['a'], ['a', 'b']],
  ['items after prefixItems', { prefixItems: [{}], items: { type: 'string' } }, [1, 'a'], [1, 1]],
  ['items false', { prefixItems: [{}], items: false }, [1], [1, 2]],
  ['minContains', { contains: { type: 'string' }, minContains: 2 }, ['a', 'b'], ['a', 1]],
  [
    'minContains 0',
    { contains: { type: 'string' }, minContains: 0, maxContains: 1 },
    [1],
    ['a', 'b'],
  ],
  ['maxContains', { contains: { type: 'string' }, maxContains: 1 }, ['a', 1], ['a', 'b']],
  [
    'contains after a short prefixItems',
    { prefixItems: [{}, { type: 'string' }], contains: {} },
    [1],
    [],
  ],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, { b: 1 }, { a: 1 }],
  ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, { b: 1 }, { a: 1 }],
  ['dependentRequired of the empty name', { dependentRequired: { a: [''] } }, { '': 1 }, { a: 1 }],
  ['dependentRequired by the empty name', { dependentRequired: { '': ['a'] } }, {}, { '': 1 }],
  [
    'dependentSchemas by the empty name',
    { dependentSchemas: { '': { required: ['a'] } } },
    { '': 1, a: 1 },
    { '': 1 },
  ],
  [
    'unevaluatedProperties beside the empty name',
    { allOf: [{ properties: { '': {} } }], unevaluatedProperties: false },
    { '': 1 },
    { a: 1 },
  ],
  [
    'unevaluatedProperties without the empty name',
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { a: 1 },
    { '': 1 },
  ],
  [
    'dependentSchemas on no object',
    { dependentSchemas: { a: false }, type: ['number', 'object'] },
    1,
    { a: 1 },
  ],
  [
    '$ref with siblings',
    { $ref: '#/$defs/a', maxLength: 1, $defs: { a: { type: 'string' } } },
    'a',
    'ab',
  ],
  ['$anchor', { $ref: '#x', $defs: { a: { $anchor: 'x', type: 'string' } } }, 'a', 1],
  [
    '$dynamicRef',
    { $dynamicRef: '#x', $defs: { a: { $dynamicAnchor: 'x', type: 'string' } } },
    'a',
    1,
  ],
  [
    'unevaluatedProperties',
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { a: 1 },
    { a: 1, b: 2 },
  ],
  [
    'unevaluatedProperties with an inherited name',
    { patternProperties: { '^a': {} }, unevaluatedProperties: false },
    { a: 1 },
    { toString: 1 },
  ],
  [
    'unevaluatedProperties after a failed branch, item by item',
    {
      items: {
        anyOf: [{ properties: { x: { type: 'number' } }, required: ['x'] }, {}],
        unevaluatedProperties: false,
      },
    },
    [{ x: 1 }, {}],
    [{ x: 1 }, { x: 'a' }],
  ],
  [
    'unevaluatedProperties after a failed if',
    {
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      else: { properties: { b: {} } },
      unevaluatedProperties: false,
    },
    { a: 1 },
    { a: 2, b: 1 },
  ],
  [
    'unevaluatedProperties through a reference',
    { $ref: '#/$defs/a', unevaluatedProperties: false, $defs: { a: { properties: { a: {} } } } },
    { a: 1 },
    { b: 1 },
  ],
  ['unevaluatedItems', { allOf: [{ prefixItems: [{}] }], unevaluatedItems: false }, [1], [1, 2]],
  [
    'unevaluatedItems through a reference',
    {
      $ref: '#/$defs/a',
      unevaluatedItems: { type: 'string' },
      $defs: { a: { prefixItems: [{}] } },
    },
    [1, 'a'],
    [1, 2],
  ],
]

const ONLY_07: readonly Row[] = [
  [
    'items as an array',
    { items: [{ type: 'string' }, { type: 'integer' }] },
    ['a', 1, null],
    ['a', 'b'],
  ],
  ['additionalItems', { items: [{}], additionalItems: { type: 'string' } }, [1, 'a'], [1, 1]],
  ['additionalItems false', { items: [{}], additionalItems: false }, [1], [1, 1]],
  ['dependencies as a list', { dependencies: { a: ['b'] } }, { b: 1 }, { a: 1 }],
  ['dependencies as a schema', { dependencies: { a: { required: ['b'] } } }, { b: 1 }, { a: 1 }],
  ['dependencies of the empty name', { dependencies: { '': [''], a: [''] } }, { '': 1 }, { a: 1 }],
  ['dependencies as false', { dependencies: { a: false } }, { b: 1 }, { a: 1 }],
  ['$id as a name', { $ref: '#x', definitions: { a: { $id: '#x', type: 'string' } } }, 'a', 1],
  [
    '$ref without its siblings',
    {
      properties: { a: { $ref: '#/definitions/a', maxLength: 1 } },
      definitions: { a: { type: 'string' } },
    },
    { a: 'long' },
    { a: 1 },
  ],
]

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

describe('every keyword is enforced', () => {
  test.each([...SHARED, ...ONLY_2020])('2020-12: %s', (_, schema, good, bad) => {
    expect(isAccepted(schema, good) || good === 'unreached').toBe(true)
    expect(isAccepted(schema, bad) && bad !== 'unreached').toBe(false)
  })

  test.each([...SHARED, ...ONLY_07])('draft-07: %s', (_, schema, good, bad) => {
    const labelled = { ...schema, $schema: DRAFT_07 }
    expect(isAccepted(labelled, good) || good === 'unreached').toBe(true)
    expect(isAccepted(labelled, bad) && bad !== 'unreached').toBe(false)
  })

  test('a keyword of one type says nothing about values of another', () => {
    const schema = {
      ...{ maximum: 0, maxLength: 0, pattern: 'x', maxItems: 0, uniqueItems: true },
      ...{ contains: false, required: ['x'], minProperties: 1, propertyNames: false },
    }
    expect(isAccepted(schema, true)).toBe(true)
    expect(isAccepted(schema, null)).toBe(true)
    expect(isAccepted(schema, 1)).toBe(false)
  })

  test('format and the content keywords are notes', () => {
    const schema = { format: 'uuid', contentMediaType: 'application/json', contentSchema: false }
    expect(isAccepted(schema, 'no uuid')).toBe(true)
  })

  test('properties beyond the first few dozen are enforced all the same', () => {
    const names = Array.from({ length: 500 }, (_, index) => `p${index}`)
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    const schema = { type: 'object', properties, additionalProperties: false }
    const compiled = compileSchema(schema, { where: 'schema', maxValueBytes: 1_048_576 })
    for (const name of names) {
      expect(compiled.validate({ [name]: 'a' })).toBeUndefined()
      expect(compiled.validate({ [name]: 1 })).toMatchObject({ path: name, keyword: 'type' })
    }
    expect(compiled.validate(Object.fromEntries(names.map((name) => [name, name])))).toBeUndefined()
    expect(compiled.validate({ q: 1 })).toMatchObject({ keyword: 'additionalProperties' })
  })

  test('a member called __proto__ is a member like any other', () => {
    const json = (text: string): unknown => JSON.parse(text)
    const properties = json('{"__proto__":{"type":"string"}}')
    expect(isAccepted({ properties }, json('{"__proto__":1}'))).toBe(false)
    expect(isAccepted({ properties, additionalProperties: false }, json('{"__proto__":"a"}'))).toBe(
      true,
    )
    expect(
      isAccepted({ properties, unevaluatedProperties: false }, json('{"__proto__":"a"}')),
    ).toBe(true)
    expect(isAccepted({ additionalProperties: false }, json('{"__proto__":1}'))).toBe(false)
    expect(isAccepted({ required: ['__proto__'] }, {})).toBe(false)
    expect(isAccepted({ required: ['__proto__'] }, json('{"__proto__":1}'))).toBe(true)
    expect(
      isAccepted({ patternProperties: { '^__proto__$': false } }, json('{"__proto__":1}')),
    ).toBe(false)
    expect(isAccepted({ const: json('{"__proto__":1}') }, json('{"__proto__":2}'))).toBe(false)
    expect(isAccepted({ uniqueItems: true }, json('[{"__proto__":1},{"__proto__":2}]'))).toBe(true)
    const patternProperties = json('{"__proto__":{"type":"string"}}')
    expect(isAccepted({ patternProperties }, json('{"a__proto__b":1}'))).toBe(false)
  })
})

describe('the schema of the public conformance suite', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      name: { type: 'string' },
      home: { $ref: '#/$defs/address' },
      work: { $ref: '#place' },
      kind: { enum: ['person', 'company'] },
      vat: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['home'] }, { required: ['work'] }] }],
    if: { properties: { kind: { const: 'company' } }, required: ['kind'] },
    then: { required: ['vat'] },
    else: { required: ['name'] },
    additionalProperties: false,
    $defs: {
      address: {
        $anchor: 'place',
        type: 'object',
        properties: { street: { type: 'string' }, zip: { type: 'string', pattern: '^\\d{5}$' } },
        required: ['street'],
      },
    },
  }

  test.each([
    ['a person at home', { name: 'A', home: { street: 'B' } }, undefined],
    ['a company at work', { kind: 'company', vat: 'X', work: { street: 'B' } }, undefined],
    ['no address', { name: 'A' }, 'anyOf'],
    ['a company without vat', { kind: 'company', work: { street: 'B' } }, 'required'],
    ['a person without a name', { home: { street: 'B' } }, 'required'],
    ['a bad zip by $ref', { name: 'A', home: { street: 'B', zip: 'x' } }, 'pattern'],
    ['a bad street by $anchor', { name: 'A', work: { street: 1 } }, 'type'],
    ['a member too many', { name: 'A', home: { street: 'B' }, x: 1 }, 'additionalProperties'],
  ])('judges %s', (_, value, keyword) => {
    const compiled = compileSchema(schema, { where: 'schema', maxValueBytes: 1_048_576 })
    expect(compiled.validate(value)?.keyword).toBe(keyword)
  })
})
