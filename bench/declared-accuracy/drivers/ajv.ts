// SPDX-License-Identifier: Apache-2.0
// TypeScript compiled to CommonJS, classes, and code that it writes itself.
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import core from 'ajv/dist/core.js'
import standalone from 'ajv/dist/standalone/index.js'

const PERSON = {
  $id: 'https://example.org/person',
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20, pattern: '^[a-z]' },
    age: { type: 'integer', minimum: 0, exclusiveMaximum: 150, multipleOf: 1 },
    tags: {
      type: 'array',
      items: { enum: ['a', 'b'] },
      uniqueItems: true,
      minItems: 1,
      contains: { const: 'a' },
    },
    friend: { $ref: '#' },
    home: { $ref: 'address.json#/definitions/home' },
    either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    any: { anyOf: [{ type: 'null' }, { type: 'boolean' }], not: { const: false } },
    when: { if: { type: 'string' }, then: { minLength: 2 }, else: { type: 'number' } },
    map: {
      type: 'object',
      patternProperties: { '^x': { type: 'number' } },
      additionalProperties: false,
      propertyNames: { maxLength: 3 },
    },
  },
  required: ['name'],
  dependencies: { age: ['name'], tags: { required: ['age'] } },
  additionalProperties: { type: 'string', default: 'x' },
  minProperties: 1,
}

const ADDRESS = {
  $id: 'https://example.org/address.json',
  definitions: {
    home: { type: 'object', properties: { street: { type: 'string', default: 'none' } } },
  },
}

const GOOD = {
  name: 'ann',
  age: 3,
  tags: ['a'],
  friend: { name: 'b' },
  home: {},
  either: 1,
  any: true,
  when: 'ab',
  map: { x: 1 },
  extra: 's',
}

interface DataPlace {
  readonly parentData: Record<string | number, unknown>
  readonly parentDataProperty: string | number
}

export async function drive(): Promise<void> {
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    coerceTypes: true,
    code: { source: true, lines: true },
    strictTypes: false,
  })
  ajv.addSchema(ADDRESS)
  ajv.addKeyword({
    keyword: 'isEven',
    type: 'number',
    validate: (_schema: boolean, value: number) => value % 2 === 0,
  })
  ajv.addKeyword({
    keyword: 'range',
    type: 'number',
    macro: ([low, high]: [number, number]) => ({ minimum: low, maximum: high }),
  })
  ajv.addFormat('lower', /^[a-z]+$/)
  const validate = ajv.compile(PERSON)
  for (const value of [GOOD, {}, { name: '', age: -1, tags: [], either: null, map: { y: 1 } }]) {
    validate(structuredClone(value))
    ajv.errorsText(validate.errors)
  }
  standalone.default(ajv, validate)
  ajv.validate({ type: 'number', isEven: true, range: [1, 9] }, 4)
  ajv.validate({ type: 'string', format: 'lower' }, 'abc')
  ajv.getSchema('https://example.org/address.json#/definitions/home')
  ajv.validateSchema({ type: 'nonsense' })
  ajv.removeSchema('https://example.org/person')
  bare()
  dialect()
  await remote()
  fromData()
  rewritten()
}

/** The class that the dialects extend, which knows no keyword. */
function bare(): void {
  const ajv = new core.default({
    keywords: [{ keyword: 'note' }],
    logger: false,
    schemas: [],
    formats: {},
  })
  ajv.compile({ note: 1 })(1)
  ajv.validateSchema({ note: 1 })
  new core.default({ strict: 'log', logger: false }).compile({ note: 1 })(1)
}

function dialect(): void {
  const ajv = new Ajv2020({
    discriminator: true,
    inlineRefs: false,
    verbose: true,
    strictTuples: false,
    $data: true,
  })
  const tree = {
    $id: 'https://example.org/tree',
    $dynamicAnchor: 'node',
    type: 'object',
    properties: {
      children: {
        type: 'array',
        prefixItems: [{ type: 'object' }],
        items: { $dynamicRef: '#node' },
      },
      size: { type: 'number', minimum: { $data: '1/least' } },
      least: { type: 'number' },
    },
    dependentRequired: { size: ['least'] },
    unevaluatedProperties: false,
  }
  ajv.compile(tree)({ children: [{}, {}], size: 2, least: 1, more: 1 })
  const tagged = {
    type: 'object',
    discriminator: { propertyName: 'kind' },
    required: ['kind'],
    oneOf: ['a', 'b'].map((kind) => ({ properties: { kind: { const: kind } } })),
  }
  ajv.compile(tagged)({ kind: 'b' })
  try {
    ajv.compile({ type: 'object', unknownWord: true })
  } catch {
    // Strict mode refuses, which is its answer.
  }
}

/** Keywords whose value stands in the data, and what is left over of a list. */
function fromData(): void {
  for (const es5 of [false, true]) {
    const ajv = new Ajv2020({
      $data: true,
      allErrors: es5,
      ownProperties: es5,
      strictTuples: false,
      code: { es5 },
    })
    ajv.addFormat('lower', /^[a-z]+$/)
    const validate = ajv.compile({
      type: 'object',
      properties: {
        text: {
          type: 'string',
          pattern: { $data: '1/pattern' },
          format: { $data: '1/format' },
          enum: { $data: '1/allowed' },
        },
        inner: { type: 'object', required: { $data: '1/names' } },
        list: { type: 'array', prefixItems: [{ type: 'number' }], unevaluatedItems: false },
        words: { type: 'array', unevaluatedItems: { type: 'string' } },
        map: {
          type: 'object',
          propertyNames: { maxLength: 3 },
          patternProperties: { '^x': { type: 'number' } },
          additionalProperties: { type: 'string' },
        },
        rest: { type: 'object', unevaluatedProperties: { type: 'string' } },
        pattern: {},
        format: {},
        allowed: {},
        names: {},
      },
    })
    const told = { pattern: '^a', format: 'lower', allowed: ['ab'], names: ['x'] }
    validate({ ...told, text: 'ab', inner: { x: 1 }, list: [1], words: ['a'], map: { a: 'b' } })
    validate({ ...told, text: 'B', inner: {}, list: [1, 2], words: [1], rest: { a: 1 } })
    validate({ text: 'ab', pattern: 1, format: 2, allowed: 3, names: 4, inner: {} })
  }
}

/** A keyword that changes what it checks, and references that are written out where they are short. */
function rewritten(): void {
  const ajv = new Ajv({ inlineRefs: 20 })
  ajv.addKeyword({
    keyword: 'doubled',
    modifying: true,
    errors: false,
    validate: (_schema: boolean, value: number, _parent: unknown, at?: DataPlace): boolean => {
      if (at !== undefined) at.parentData[at.parentDataProperty] = value * 2
      return true
    },
  })
  const validate = ajv.compile({
    type: 'object',
    properties: { count: { type: 'number', doubled: true }, any: { $ref: '#/definitions/any' } },
    definitions: { any: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  })
  validate({ count: 1, any: 'a' })
}

async function remote(): Promise<void> {
  const ajv = new Ajv({ loadSchema: async (uri: string) => ({ $id: uri, type: 'number' }) })
  const validate = await ajv.compileAsync({
    $async: true,
    type: 'object',
    properties: { a: { $ref: 'https://example.org/number.json' } },
  })
  await Promise.resolve(validate({ a: 1 })).catch(() => {})
  await Promise.resolve(validate({ a: 'x' })).catch(() => {})
  const settled = new Ajv({ inlineRefs: false })
  settled.addSchema({ $id: 'https://example.org/settled', $async: true, type: 'number' })
  const nested = settled.compile({
    $async: true,
    type: 'object',
    properties: { a: { $ref: 'https://example.org/settled' } },
  })
  await Promise.resolve(nested({ a: 1 }))
  await Promise.resolve(nested({ a: 'x' })).catch(() => {})
}
