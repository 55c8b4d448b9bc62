// SPDX-License-Identifier: Apache-2.0
import { Type } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import {
  type CompiledSchema,
  type CompileOptions,
  compileSchema,
} from '../../src/schema/compile-schema.ts'
import { SCHEMA_LIMITS } from '../../src/schema/limits.ts'

const WHERE = "tool 'echo' inputSchema"

function compile(schema: unknown, options: Partial<CompileOptions> = {}): CompiledSchema {
  return compileSchema(schema, { where: WHERE, maxValueBytes: 1_048_576, ...options })
}

function refusal(why: string): object {
  return expect.objectContaining({
    code: 'BEAM_ERR_SCHEMA_UNSUPPORTED',
    message: expect.stringMatching(new RegExp(`^tool 'echo' inputSchema: .*${why}`, 's')),
  })
}

function escaped(text: string): string {
  return text.replaceAll(/[$^*+?.()|[\]{}\\/]/g, '\\$&')
}

describe('dialects', () => {
  const tuple = { items: [{ type: 'string' }, { type: 'integer' }] }

  test.each([
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft-07/schema',
  ])('%s is enforced as draft-07', ($schema) => {
    const compiled = compile({ $schema, ...tuple })
    expect(compiled.validate(['a', 1])).toBeUndefined()
    expect(compiled.validate(['a', 'b'])).toMatchObject({ path: '[1]', keyword: 'type' })
  })

  test.each([
    undefined,
    'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2020-12/schema#',
    'http://json-schema.org/draft/2020-12/schema',
  ])('%s is enforced as 2020-12', ($schema) => {
    const compiled = compile({
      ...($schema !== undefined && { $schema }),
      prefixItems: [{ $ref: '#/$defs/a' }],
      dependentRequired: { a: ['b'] },
      $defs: { a: { type: 'string' } },
    })
    expect(compiled.validate([1])).toMatchObject({ path: '[0]', keyword: 'type' })
    expect(compiled.validate({ a: 1 })).toMatchObject({ keyword: 'dependentRequired' })
  })

  test.each([
    'https://example.test/dialect',
    'http://json-schema.org/draft-04/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'http://json-schema.org/schema#',
    '',
  ])('%j is refused by name', ($schema) => {
    expect(() => compile({ $schema })).toThrowError(refusal(escaped(JSON.stringify($schema))))
  })

  test('an array of items is not read as 2020-12', () => {
    expect(() => compile(tuple)).toThrowError(refusal('at \\/items, .*prefixItems'))
  })

  test('a second dialect inside a document is refused', () => {
    const inner = { $id: 'x', $schema: 'http://json-schema.org/draft-07/schema#' }
    expect(() => compile({ $defs: { x: inner } })).toThrowError(refusal('at \\/\\$defs\\/x'))
  })

  test.each([
    [{ properties: { a: { foo: 1 } } }, 'at /properties/a, keyword "foo"'],
    [{ allOf: [true, { nullable: true }] }, 'at /allOf/1, keyword "nullable"'],
    [{ dependencies: {} }, 'write dependentRequired or dependentSchemas'],
    [{ additionalItems: true }, 'write items beside prefixItems'],
    [{ $defs: { a: { 'a/b~c': 1 } } }, 'at /$defs/a, keyword "a/b~c"'],
    [{ $recursiveRef: '#' }, 'write $dynamicRef'],
    [{ id: 'x' }, 'write $id'],
    [{ foo: 1 }, 'remove it; annotations of your own begin with x-'],
    [
      { properties: { a: { example: 1 } } },
      'keyword "example" is not one of 2020-12; write examples',
    ],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', example: 1 }, 'write examples'],
    [{ externalDocs: { url: 'x' } }, 'remove it, or write x-externalDocs'],
    [{ xml: {} }, 'remove it, or write x-xml'],
    [{ oneOf: [true], discriminator: { propertyName: 'a' } }, 'write x-discriminator'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', discriminator: {} }, 'x-discriminator'],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', prefixItems: [{}] },
      'items as an array',
    ],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', unevaluatedItems: true },
      '"unevaluatedItems"',
    ],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', contains: true, minContains: 1 },
      '"minContains"',
    ],
  ])('an unknown keyword is refused: %j', (schema, why) => {
    expect(() => compile(schema)).toThrowError(refusal(escaped(why)))
  })

  test('names that begin with x- are notes, whatever they hold', () => {
    const schema = { type: 'string', 'x-a': { type: 'nonsense' }, 'x-B': [1] }
    expect(compile(schema).validate('a')).toBeUndefined()
  })

  test('the annotations of later dialects are notes in draft-07 too', () => {
    const notes = { deprecated: true, readOnly: true, writeOnly: true, examples: [1], $comment: '' }
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'string', ...notes }
    expect(compile(schema).validate('a')).toBeUndefined()
    expect(compile(schema).validate(1)).toMatchObject({ keyword: 'type' })
  })

  test.each([
    [{ required: true }, 'at \\/required'],
    [{ type: 'text' }, 'at \\/type, must be one of array, boolean, integer'],
    [{ properties: { a: { minLength: -1 } } }, 'at \\/properties\\/a\\/minLength'],
    [{ properties: [] }, 'at \\/properties'],
    [{ multipleOf: 0 }, 'at \\/multipleOf'],
  ])('what the meta-schema refuses is refused: %j', (schema, why) => {
    expect(() => compile(schema)).toThrowError(refusal(why))
  })

  test.each([true, false, null, 'string', 1, [], undefined])('the root may not be %j', (schema) => {
    expect(() => compile(schema)).toThrowError(refusal('at the root'))
  })
})

describe('references', () => {
  test.each([
    'https://example.com/schema',
    'file:///etc/passwd',
    'other.json#/a',
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema#',
    'urn:example:a',
    '//host/a',
  ])('%s leaves the document and is refused', (reference) => {
    const why = escaped(`at /properties/a/$ref, reference ${JSON.stringify(reference)} leaves`)
    expect(() => compile({ properties: { a: { $ref: reference } } })).toThrowError(refusal(why))
    expect(() => compile({ properties: { a: { $dynamicRef: reference } } })).toThrowError(
      refusal('leaves the document'),
    )
  })

  test.each(['#/$defs/b', '#nowhere', '#/$defs', '#/properties/a/type', '#/title'])(
    '%s leads to no schema and is refused',
    (reference) => {
      const schema = {
        title: 'T',
        properties: { a: { type: 'object' } },
        $defs: { a: {} },
        $ref: reference,
      }
      expect(() => compile(schema)).toThrowError(refusal('leads to no schema'))
    },
  )

  test.each([
    [{ $ref: '#' }],
    [{ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
    [{ anyOf: [{ type: 'string' }, { not: { $ref: '#' } }] }],
    [{ if: true, else: { $ref: '#' } }],
    [{ dependentSchemas: { a: { $ref: '#' } } }],
    [{ $dynamicAnchor: 'a', $dynamicRef: '#a' }],
  ])('a circle on one value is refused: %j', (schema) => {
    expect(() => compile(schema)).toThrowError(refusal('refers to itself'))
  })

  test('a circle through the value is a recursive schema', () => {
    const compiled = compile({
      $ref: '#/$defs/tree',
      $defs: { tree: { type: 'object', additionalProperties: { $ref: '#/$defs/tree' } } },
    })
    expect(compiled.validate({ a: { b: {} } })).toBeUndefined()
    expect(compiled.validate({ a: { b: 1 } })).toMatchObject({ path: 'a.b', keyword: 'type' })
  })

  test('$id sets the base of references below it', () => {
    const compiled = compile({
      $id: 'https://example.com/root.json',
      properties: {
        a: { $ref: 'parts/text.json' },
        b: { $ref: 'https://example.com/parts/text.json#/$defs/short' },
        c: { $ref: 'parts/text.json#long' },
        d: { $ref: '/root.json#/properties/a' },
      },
      $defs: {
        text: {
          $id: 'parts/text.json',
          type: 'string',
          $defs: {
            short: { $anchor: 'long', maxLength: 1 },
            same: { $ref: '#/$defs/short' },
          },
        },
      },
    })
    expect(compiled.validate({ a: 1 })).toMatchObject({ path: 'a', keyword: 'type' })
    expect(compiled.validate({ b: 'ab' })).toMatchObject({ path: 'b', keyword: 'maxLength' })
    expect(compiled.validate({ c: 'ab' })).toMatchObject({ path: 'c', keyword: 'maxLength' })
    expect(compiled.validate({ d: 1 })).toMatchObject({ path: 'd', keyword: 'type' })
  })

  test('a pointer may be escaped and percent-encoded', () => {
    const compiled = compile({
      properties: { a: { $ref: '#/$defs/a~1b%25c~0d' } },
      $defs: { 'a/b%c~d': { type: 'string' } },
    })
    expect(compiled.validate({ a: 1 })).toMatchObject({ path: 'a', keyword: 'type' })
  })

  test('two schemas may have the same $id, and one may be compiled twice', () => {
    const first = { $id: 'same', type: 'string' }
    const second = { $id: 'same', type: 'number' }
    expect(compile(first).validate('a')).toBeUndefined()
    expect(compile(second).validate('a')).toBeDefined()
    expect(compile(first).validate('a')).toBeUndefined()
  })

  test.each([
    [
      { $defs: { a: { $id: 'x' }, b: { $id: 'x', type: 'string' } } },
      'b, \\$id .*x" is given twice',
    ],
    [{ $defs: { a: { $id: 'x', items: { $id: 'x' } } } }, 'given twice'],
    [
      { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x', type: 'null' } } },
      'b, anchor "x" is given',
    ],
    [{ $defs: { a: { $anchor: 'x' }, b: { $dynamicAnchor: 'x' } } }, 'given twice'],
    [{ $id: 'http://[' }, 'is not a URI'],
  ])('a name that means two things is refused: %j', (schema, why) => {
    expect(() => compile(schema)).toThrowError(refusal(why))
  })

  test('one name in two resources is two names', () => {
    const part = (type: string) => ({ $defs: { n: { $anchor: 'n', type } }, items: { $ref: '#n' } })
    const compiled = compile({
      properties: { a: { $ref: 'a' }, b: { $ref: 'b' } },
      $defs: { a: { $id: 'a', ...part('string') }, b: { $id: 'b', ...part('number') } },
    })
    expect(compiled.validate({ a: ['x'], b: [1] })).toBeUndefined()
    expect(compiled.validate({ a: [1] })).toMatchObject({ path: 'a[0]' })
    expect(compiled.validate({ b: ['x'] })).toMatchObject({ path: 'b[0]' })
  })

  test('a dynamic reference means the outermost schema of that name', () => {
    const tree = {
      $id: 'tree',
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { value: {}, children: { type: 'array', items: { $dynamicRef: '#node' } } },
    }
    const strict = compile({
      $id: 'strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: { tree },
    })
    const loose = compile({ $ref: 'tree', $defs: { tree } })
    const misspelt = { children: [{ valeu: 1 }] }
    expect(strict.validate({ children: [{ value: 1 }] })).toBeUndefined()
    expect(strict.validate(misspelt)).toMatchObject({
      path: 'children[0]',
      keyword: 'unevaluatedProperties',
    })
    expect(loose.validate(misspelt)).toBeUndefined()
  })

  test('a dynamic reference depends on the path that led to it', () => {
    const list = {
      $id: 'list',
      type: 'array',
      items: { $dynamicRef: '#item' },
      $defs: { any: { $dynamicAnchor: 'item' } },
    }
    const of = ($id: string, type: string) => ({
      $id,
      $ref: 'list',
      $defs: { item: { $dynamicAnchor: 'item', type } },
    })
    const compiled = compile({
      properties: { texts: { $ref: 'texts' }, numbers: { $ref: 'numbers' }, any: { $ref: 'list' } },
      $defs: { list, texts: of('texts', 'string'), numbers: of('numbers', 'number') },
    })
    expect(compiled.validate({ texts: ['a'], numbers: [1], any: ['a', 1] })).toBeUndefined()
    expect(compiled.validate({ texts: [1] })).toMatchObject({ path: 'texts[0]' })
    expect(compiled.validate({ numbers: ['a'] })).toMatchObject({ path: 'numbers[0]' })
  })

  test('a dynamic reference to a plain anchor, or by a pointer, is a plain reference', () => {
    const list = (reference: string, inner: object) => ({
      $id: 'root',
      $ref: 'list',
      $defs: {
        text: { $dynamicAnchor: 'item', type: 'string' },
        list: { $id: 'list', items: { $dynamicRef: reference }, $defs: { item: inner } },
      },
    })
    expect(compile(list('#item', { $anchor: 'item' })).validate([1])).toBeUndefined()
    const byPointer = list('#/$defs/item', { $dynamicAnchor: 'item', type: 'number' })
    expect(compile(byPointer).validate([1])).toBeUndefined()
  })
})

describe('what a schema may be made of', () => {
  test.each([
    [{ default: Number.NaN }, 'NaN is not JSON'],
    [{ maximum: Number.POSITIVE_INFINITY }, 'Infinity is not JSON'],
    [{ default: new Date(0) }, 'an instance of Date'],
    [{ pattern: /a/ }, 'an instance of RegExp'],
    [{ enum: [new Map()] }, 'at \\/enum\\/0, an instance of Map'],
    [{ default: () => 1 }, 'a value of type function'],
    [{ default: 1n }, 'a value of type bigint'],
    [{ default: Symbol('a') }, 'a value of type symbol'],
    [{ enum: [undefined] }, 'at \\/enum\\/0, a value of type undefined'],
    // biome-ignore lint/suspicious/noSparseArray: holes are what is tested
    [{ enum: [1, , 2] }, 'at \\/enum\\/1'],
  ])('a value that JSON lacks is refused: %s', (schema, why) => {
    expect(() => compile(schema)).toThrowError(refusal(why))
  })

  test('members that are undefined, symbol keys and inherited members are left out', () => {
    const schema = Object.assign(Object.create(null), {
      type: 'string',
      minLength: undefined,
      [Symbol('kind')]: 'String',
    })
    expect(compile(schema).validate('')).toBeUndefined()
  })

  test("the host's schema is neither changed nor kept", () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, 'x-a': { b: 1 } }
    const before = structuredClone(schema)
    const compiled = compile(schema)
    expect(schema).toEqual(before)
    schema.properties.a.type = 'number'
    expect(compiled.validate({ a: 'text' })).toBeUndefined()
    expect(compile(Object.freeze(before)).validate({ a: 1 })).toBeDefined()
  })

  test.each([
    [
      'through properties',
      (inner: object) => ({ properties: { a: inner } }),
      SCHEMA_LIMITS.nesting / 2,
    ],
    ['through not', (inner: object) => ({ not: inner }), SCHEMA_LIMITS.nesting],
    ['in a note', (inner: object) => ({ default: inner }), SCHEMA_LIMITS.nesting],
  ])('nesting is bounded: %s', (_, wrap, levels) => {
    const nest = (count: number): object =>
      Array.from({ length: count - 1 }).reduce<object>((inner) => wrap(inner), {})
    expect(() => compile(nest(levels))).not.toThrow()
    expect(() => compile(nest(levels + 1))).toThrowError(refusal('nests deeper than 128 levels'))
    expect(() => compile(nest(5_000))).toThrowError(refusal('nests deeper'))
  })

  test('a cycle in the object graph is refused', () => {
    const schema: Record<string, unknown> = { type: 'object' }
    schema['properties'] = { self: schema }
    expect(() => compile(schema)).toThrowError(refusal('contains itself'))
  })

  test('size is bounded before anything is compiled', () => {
    const many = Array.from({ length: SCHEMA_LIMITS.values }, () => 0)
    expect(() => compile({ enum: many })).toThrowError(refusal('more than 100000 values'))
    const long = 'a'.repeat(SCHEMA_LIMITS.textLength)
    expect(() => compile({ title: long })).toThrowError(refusal('longer than 1048576 characters'))
    // One object in two places, thirty times over, is a thousand million values on paper.
    const doubled = Array.from({ length: 30 }).reduce<object>((a) => ({ allOf: [a, a] }), {})
    expect(() => compile(doubled)).toThrowError(refusal('more than 100000 values'))
  })

  test('the compiled form is bounded, references followed', () => {
    const properties = Object.fromEntries(
      Array.from({ length: SCHEMA_LIMITS.subschemas }, (_, index) => [`p${index}`, true]),
    )
    expect(() => compile({ properties })).toThrowError(refusal('more than 4000 subschemas'))
    const fits = Object.fromEntries(Object.entries(properties).slice(1))
    expect(compile({ properties: fits }).validate({})).toBeUndefined()
  })
})

describe('TypeBox', () => {
  test('its schemas compile as they are', () => {
    const schema = Type.Object(
      {
        name: Type.String({ minLength: 1 }),
        age: Type.Optional(Type.Integer({ minimum: 0 })),
        mode: Type.Union([Type.Literal('fast'), Type.Literal('slow')]),
        tags: Type.Array(Type.String(), { uniqueItems: true }),
        labels: Type.Record(Type.String(), Type.Number()),
        pair: Type.Tuple([Type.String(), Type.Number()]),
        either: Type.Unsafe<string | number>({ type: ['string', 'number'] }),
        both: Type.Composite([Type.Object({ a: Type.Null() }), Type.Object({ b: Type.Boolean() })]),
        all: Type.Intersect(
          [Type.Object({ a: Type.Number() }), Type.Object({ b: Type.Number() })],
          {
            unevaluatedProperties: false,
          },
        ),
      },
      { additionalProperties: false },
    )
    const value = {
      name: 'A',
      mode: 'fast',
      tags: ['a', 'b'],
      labels: { x: 1 },
      either: 1,
      both: { a: null, b: true },
      all: { a: 1, b: 2 },
    }
    const draft07 = { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }
    // Tuples are written for draft-07: items as an array with additionalItems.
    expect(() => compile(schema)).toThrowError(refusal('\\/properties\\/pair\\/items'))
    expect(() => compile(draft07)).toThrowError(refusal('unevaluatedProperties'))
    const { pair: _pair, ...properties } = schema.properties
    const compiled = compile({
      ...schema,
      properties,
      required: schema.required?.filter((name) => name !== 'pair'),
    })
    expect(compiled.validate(value)).toBeUndefined()
    expect(compiled.validate({ ...value, mode: 'x' })).toMatchObject({
      path: 'mode',
      keyword: 'enum',
    })
    expect(compiled.validate({ ...value, labels: { x: 'a' } })).toMatchObject({ path: 'labels.x' })
    expect(compiled.validate({ ...value, all: { a: 1, b: 2, c: 3 } })).toMatchObject({
      path: 'all',
    })
  })

  test('recursive schemas compile, twice and side by side', () => {
    const node = Type.Recursive((Self) =>
      Type.Object({ id: Type.String(), children: Type.Array(Self) }),
    )
    for (const schema of [node, node, Type.Object({ a: node })]) {
      const good = { id: 'a', children: [{ id: 'b', children: [] }] }
      const bad = { id: 'a', children: [{ id: 1, children: [] }] }
      const wrap = (value: object): object => (schema === node ? value : { a: value })
      expect(compile(schema).validate(wrap(good))).toBeUndefined()
      expect(compile(schema).validate(wrap(bad))?.path).toMatch(/children\[0\]\.id$/)
    }
  })
})
