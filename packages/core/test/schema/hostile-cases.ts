// SPDX-License-Identifier: Apache-2.0

/** Bytes of the body that every case fills, or nearly. */
export const BODY = 1_048_576

/** A schema with a body that a caller might send it, as JSON text. */
export interface Case {
  readonly name: string
  readonly schema: object
  readonly body: () => string
  /** Whether the host vouches for patterns. */
  readonly nativePatterns?: boolean
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** As many items as a body holds. */
function filled(item: (index: number) => string): string {
  const items: string[] = []
  let size = 2
  for (let index = 0; ; index++) {
    const text = item(index)
    size += text.length + 1
    if (size > BODY) return `[${items.join()}]`
    items.push(text)
  }
}

const manyMembers = (): string =>
  filled((index) => `"key${index}":1`).replace(/^\[(.*)\]$/s, '{$1}')
const properties = (count: number, schema: object | boolean = { type: 'string' }): object =>
  Object.fromEntries(times(count, (index) => [`p${index}`, schema]))
const longText = (): string => `"${'a'.repeat(BODY - 2)}"`
const empty = (): string => filled(() => '{}')
const ones = (): string => filled(() => '1')
const distinct = (): string => filled(String)

/** Bodies that a caller may send in good faith: they are judged, however full. */
export const harmless: readonly Case[] = [
  {
    name: 'rows of a table',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 40 } },
        required: ['id', 'name'],
        additionalProperties: false,
      },
    },
    body: () => filled((id) => JSON.stringify({ id, name: `row ${id}` })),
  },
  { name: 'one long string', schema: { type: 'string', minLength: 1 }, body: longText },
  {
    name: 'one long string with a pattern',
    schema: { type: 'string', pattern: '^[a-z]+(?:-[a-z]+)*$' },
    body: longText,
  },
  {
    name: 'notes with a pattern that has no table',
    schema: {
      type: 'array',
      items: { type: 'string', maxLength: 2_000, pattern: 'foo.{0,30}bar.{0,30}baz' },
    },
    body: () => {
      const words = 'a note on foo, then bar and some baz, where foo is far from the other two; '
      return filled((index) => JSON.stringify(words.repeat(26).slice(index % 70)))
    },
  },
  {
    name: 'integers',
    schema: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 9 } },
    body: ones,
  },
  {
    name: 'integers, alternatives',
    schema: {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'integer' }] },
    },
    body: ones,
  },
  { name: 'unique integers', schema: { type: 'array', uniqueItems: true }, body: distinct },
  {
    name: 'unique objects',
    schema: { type: 'array', uniqueItems: true },
    body: () => filled((a) => JSON.stringify({ a, b: 'text' })),
  },
  {
    name: 'a map of many keys',
    schema: {
      type: 'object',
      patternProperties: { '^[a-z0-9]+$': { type: 'integer' } },
      additionalProperties: false,
    },
    body: manyMembers,
  },
  {
    name: 'a quarter of a million items against ten thousand values',
    schema: { type: 'array', items: { enum: times(10_000, (index) => index) } },
    body: () => filled((index) => String(index % 1_000)),
  },
  {
    name: 'objects with twenty optional members, none sent',
    schema: {
      type: 'array',
      items: { type: 'object', properties: properties(20), additionalProperties: false },
    },
    body: empty,
  },
  {
    name: 'events of twenty kinds',
    schema: {
      type: 'array',
      items: {
        oneOf: times(20, (kind) => ({
          type: 'object',
          properties: { kind: { const: `k${kind}` }, value: { type: 'number' } },
          required: ['kind', 'value'],
          additionalProperties: false,
        })),
      },
    },
    body: () => filled((index) => JSON.stringify({ kind: `k${index % 20}`, value: index })),
  },
  {
    name: 'a deep tree',
    schema: {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: {
            v: { type: 'integer' },
            c: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
          required: ['v'],
          additionalProperties: false,
        },
      },
    },
    body: () => {
      const leaves = filled(() => '{"v":1}')
        .slice(0, BODY - 1_000)
        .replace(/,[^,]*$/, ']')
      return times(30, () => 0).reduce((inner) => `{"v":1,"c":[${inner}]}`, `{"v":1,"c":${leaves}}`)
    },
  },
]

const branch = { type: 'object', properties: { c: { $ref: '#/$defs/n' } }, required: ['c'] }
const nested = (): string => `${'{"c":'.repeat(60)}"x"${'}'.repeat(60)}`

/** Bodies made to hold the event loop. */
export const hostile: readonly Case[] = [
  {
    name: 'recursive anyOf, sixty levels',
    schema: {
      $ref: '#/$defs/n',
      $defs: { n: { anyOf: [branch, { ...branch, minProperties: 1 }, { type: 'null' }] } },
    },
    body: nested,
  },
  {
    name: 'recursive oneOf, sixty levels',
    schema: { $ref: '#/$defs/n', $defs: { n: { oneOf: [branch, branch, { type: 'string' }] } } },
    body: nested,
  },
  {
    name: 'recursive allOf of not, sixty levels',
    schema: { $ref: '#/$defs/n', $defs: { n: { allOf: [{ not: { not: branch } }, branch] } } },
    body: nested,
  },
  {
    name: 'recursive dynamic references, sixty levels',
    schema: {
      $dynamicAnchor: 'n',
      anyOf: times(3, (index) => ({
        type: 'object',
        properties: { c: { $dynamicRef: '#n' } },
        minProperties: index,
        required: ['c'],
      })),
    },
    body: nested,
  },
  {
    name: 'unique strings',
    schema: { uniqueItems: true },
    body: () => filled((index) => `"${index}"`),
  },
  {
    name: 'unique at fifty places',
    schema: { allOf: times(50, () => ({ uniqueItems: true })) },
    body: distinct,
  },
  {
    name: 'unique at every level',
    schema: {
      $ref: '#/$defs/u',
      $defs: { u: { type: ['array', 'integer'], uniqueItems: true, items: { $ref: '#/$defs/u' } } },
    },
    body: () =>
      `${'['.repeat(60)}${distinct()
        .slice(0, BODY - 200)
        .replace(/,[^,]*$/, ']')}${']'.repeat(60)}`,
  },
  {
    name: 'unique objects of many members',
    schema: { uniqueItems: true },
    body: () =>
      `[${manyMembers()
        .slice(0, BODY / 2)
        .replace(/,[^,]*$/, '}')},{"a":1}]`,
  },
  {
    name: 'a thousand optional members, none sent',
    schema: { items: { type: 'object', properties: properties(1_000) } },
    body: empty,
  },
  {
    name: 'a thousand optional members in alternatives',
    schema: {
      items: {
        anyOf: [
          ...times(20, (index) => ({ properties: properties(50), required: [`r${index}`] })),
          true,
        ],
      },
    },
    body: empty,
  },
  {
    name: 'three thousand required members in an alternative',
    schema: { items: { anyOf: [{ required: times(3_000, (index) => `r${index}`) }, {}] } },
    body: empty,
  },
  {
    name: 'three thousand dependencies',
    schema: {
      items: {
        dependentRequired: Object.fromEntries(times(3_000, (index) => [`a${index}`, ['b']])),
      },
    },
    body: empty,
  },
  {
    name: 'a condition on five hundred members',
    schema: { items: { dependentSchemas: properties(500, { required: ['x'] }) } },
    body: empty,
  },
  {
    name: 'items at a thousand places',
    schema: { allOf: times(1_000, () => ({ items: { type: 'integer' } })) },
    body: ones,
  },
  {
    name: 'contains at a thousand places',
    schema: { allOf: times(1_000, () => ({ not: { contains: { type: 'string' } } })) },
    body: ones,
  },
  {
    name: 'contains by reference',
    schema: { contains: { $ref: '#/$defs/x' }, $defs: { x: { type: 'string' } } },
    body: ones,
  },
  {
    name: 'five hundred alternatives',
    schema: { items: { oneOf: times(500, (index) => ({ const: index, minimum: 0 })) } },
    body: ones,
  },
  {
    name: 'five hundred alternatives by reference',
    schema: {
      items: { anyOf: times(500, (index) => ({ $ref: `#/$defs/d${index}` })) },
      $defs: Object.fromEntries(
        times(500, (index) => [`d${index}`, { const: 500 - index, minimum: 0 }]),
      ),
    },
    body: ones,
  },
  {
    name: 'fifty patterns of names',
    schema: {
      patternProperties: Object.fromEntries(
        times(50, (index) => [`^k[a-z]+${index}$`, { type: 'integer' }]),
      ),
    },
    body: manyMembers,
  },
  {
    name: 'fifty patterns around additional names',
    schema: { patternProperties: properties(50, true), additionalProperties: { type: 'integer' } },
    body: manyMembers,
  },
  {
    name: 'names counted at a thousand places',
    schema: { allOf: times(1_000, () => ({ maxProperties: 1_000_000 })) },
    body: manyMembers,
  },
  {
    name: 'additional names at a thousand places',
    schema: { allOf: times(1_000, () => ({ not: { additionalProperties: false } })) },
    body: manyMembers,
  },
  {
    name: 'unevaluated names, gathered twenty times',
    schema: {
      allOf: times(20, () => ({ patternProperties: { '^k': true } })),
      unevaluatedProperties: false,
    },
    body: manyMembers,
  },
  {
    name: 'unevaluated names, two thousand known',
    schema: { properties: properties(2_000, true), unevaluatedProperties: { type: 'integer' } },
    body: manyMembers,
  },
  {
    name: 'unevaluated items',
    schema: {
      anyOf: times(50, (index) => ({ prefixItems: times(index + 1, () => true) })),
      unevaluatedItems: { type: 'integer' },
    },
    body: ones,
  },
  {
    name: 'lengths counted at a thousand places',
    schema: { allOf: times(1_000, () => ({ maxLength: 300_000 })) },
    body: () => `"${'😀'.repeat(BODY / 4 - 1)}"`,
  },
  {
    name: 'least lengths counted at a thousand places',
    schema: { allOf: times(1_000, () => ({ minLength: 600_000 })) },
    body: () => `"${'😀'.repeat(BODY / 8)}${'a'.repeat(BODY / 2 - 2)}"`,
  },
  {
    name: 'a hundred patterns on one string',
    schema: { allOf: times(100, (index) => ({ pattern: `^[a-z]*$|x${index}` })) },
    body: longText,
  },
  {
    name: 'a pattern that backtracking never finishes',
    schema: { pattern: '^(a+)+b$' },
    body: longText,
  },
  {
    name: 'a pattern of a thousand states',
    schema: { pattern: '([a-z]{1,100}){1,10}$' },
    body: longText,
  },
  {
    name: 'a pattern without a table, on the longest text it admits',
    schema: { items: { type: 'string', maxLength: 6_000, pattern: '(a|b)*a(a|b){40}$' } },
    body: () => {
      let state = 1
      const letters = times(6_000, () => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        return state % 65_536 > 32_767 ? 'a' : 'b'
      }).join('')
      return filled((index) => `"${letters.slice(index)}"`)
    },
  },
  {
    name: 'decimals divided',
    schema: { items: { multipleOf: 0.01 } },
    body: () => filled(() => '1.25'),
  },
  {
    name: 'extreme decimals divided',
    schema: { items: { multipleOf: 1e-300 } },
    body: () => filled(() => '1e308'),
  },
  {
    name: 'structures compared',
    schema: { items: { enum: times(2_000, (index) => ({ a: [index] })) } },
    body: () => filled(() => '{"a":[1]}'),
  },
]
