// SPDX-License-Identifier: Apache-2.0
import { cut, isObject, type Json, type JsonObject, member } from './json.ts'
import type { Refuse } from './refuse.ts'

/** The dialects that are enforced. */
export type DialectName = '2020-12' | 'draft-07'

/**
 * What a keyword's value is, which decides where its subschemas are:
 * `schema` one; `list` an array of them; `map` an object of them; `defs` the same, applied only
 * through references; `dependencies` an object of schemas or name lists; `itemsOrList` one or an
 * array; `value` none: an assertion; `note` none, and nothing to enforce; `core` names and references;
 * `noteSchema` one that is never applied.
 */
export type Shape =
  | 'schema'
  | 'list'
  | 'map'
  | 'defs'
  | 'dependencies'
  | 'itemsOrList'
  | 'value'
  | 'note'
  | 'noteSchema'
  | 'core'

export interface Dialect {
  readonly name: DialectName
  readonly keywords: ReadonlyMap<string, Shape>
  /** What to write in place of a keyword that the dialect lacks. */
  readonly instead: ReadonlyMap<string, string>
}

const SHARED: readonly (readonly [Shape, string])[] = [
  ['schema', 'not if then else contains additionalProperties propertyNames'],
  ['list', 'allOf anyOf oneOf'],
  ['map', 'properties patternProperties'],
  ['defs', 'definitions $defs'],
  ['value', 'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum'],
  ['value', 'maxLength minLength pattern maxItems minItems uniqueItems'],
  ['value', 'maxProperties minProperties required'],
  ['note', 'title description default examples readOnly writeOnly format $comment'],
  // Draft-07 lacks `deprecated`, and generators write it there all the same: it says nothing of values.
  ['note', 'deprecated'],
  ['note', 'contentMediaType contentEncoding'],
  ['core', '$schema $id $ref'],
]

/** Annotations that OpenAPI has and JSON Schema lacks. */
const OPENAPI = ['discriminator', 'externalDocs', 'xml'] as const
const OWN_NOTE = 'annotations of your own begin with x-'
const SHARED_INSTEAD: readonly (readonly [keyword: string, fix: string])[] = [
  ['id', 'write $id'],
  ['nullable', 'add "null" to type'],
  ['example', 'write examples, an array'],
  ...OPENAPI.map((name) => [name, `remove it, or write x-${name}: ${OWN_NOTE}`] as const),
]

const DRAFT_2020_12: Dialect = {
  name: '2020-12',
  keywords: keywordTable([
    ...SHARED,
    ['schema', 'items unevaluatedItems unevaluatedProperties'],
    ['list', 'prefixItems'],
    ['map', 'dependentSchemas'],
    ['value', 'dependentRequired minContains maxContains'],
    ['note', '$vocabulary'],
    ['noteSchema', 'contentSchema'],
    ['core', '$anchor $dynamicRef $dynamicAnchor'],
  ]),
  instead: new Map([
    ['dependencies', 'write dependentRequired or dependentSchemas'],
    ['additionalItems', 'write items beside prefixItems'],
    ['$recursiveRef', 'write $dynamicRef'],
    ['$recursiveAnchor', 'write $dynamicAnchor'],
    ...SHARED_INSTEAD,
  ]),
}

const DRAFT_07: Dialect = {
  name: 'draft-07',
  keywords: keywordTable([
    ...SHARED,
    ['itemsOrList', 'items'],
    ['schema', 'additionalItems'],
    ['dependencies', 'dependencies'],
  ]),
  instead: new Map([
    ['dependentRequired', 'write dependencies'],
    ['dependentSchemas', 'write dependencies'],
    ['prefixItems', 'write items as an array'],
    ['$anchor', 'write $id with a fragment'],
    ...SHARED_INSTEAD,
  ]),
}

function keywordTable(rows: readonly (readonly [Shape, string])[]): ReadonlyMap<string, Shape> {
  return new Map(rows.flatMap(([shape, names]) => names.split(' ').map((name) => [name, shape])))
}

const BY_URI: ReadonlyMap<string, Dialect> = new Map([
  ['//json-schema.org/draft/2020-12/schema', DRAFT_2020_12],
  ['//json-schema.org/draft-07/schema', DRAFT_07],
])

/**
 * Finds the dialect of a schema: the one its `$schema` names, with `http` or `https` and with or
 * without an empty fragment; 2020-12 where there is none.
 *
 * @throws BEAM_ERR_SCHEMA_UNSUPPORTED on any other dialect, by its name
 * @see MCP 2026-07-28, JSON Schema Usage
 */
export function readDialect(root: JsonObject, refuse: Refuse): Dialect {
  const named = member(root, '$schema')
  return named === undefined ? DRAFT_2020_12 : dialectOf(named, '', refuse)
}

/** The dialect that a `$schema` value names. */
export function dialectOf(named: Json, pointer: string, refuse: Refuse): Dialect {
  const uri = typeof named === 'string' ? named.replace(/^https?:/, '').replace(/#$/, '') : ''
  const dialect = BY_URI.get(uri)
  if (dialect !== undefined) return dialect
  throw refuse(
    pointer,
    `$schema names the dialect ${cut(JSON.stringify(named), 200)}, which is not supported; write 2020-12 or draft-07`,
  )
}

/**
 * The keyword's shape in a dialect.
 *
 * @throws BEAM_ERR_SCHEMA_UNSUPPORTED on a keyword that the dialect doesn't have; names that begin
 *   with `x-` are notes
 */
export function shapeOf(dialect: Dialect, keyword: string, pointer: string, refuse: Refuse): Shape {
  const shape = dialect.keywords.get(keyword)
  if (shape !== undefined) return shape
  if (keyword.startsWith('x-')) return 'note'
  const fix = dialect.instead.get(keyword) ?? `remove it; ${OWN_NOTE}`
  throw refuse(
    pointer,
    `keyword ${cut(JSON.stringify(keyword), 100)} is not one of ${dialect.name}; ${fix}`,
  )
}

/** The schemas that stand right under a keyword, each with the tokens that lead to it. */
export function subschemasOf(
  shape: Shape,
  value: Json,
): readonly (readonly [token: string | undefined, schema: JsonObject | boolean])[] {
  switch (shape) {
    case 'schema':
    case 'noteSchema':
      return isSchema(value) ? [[undefined, value]] : []
    case 'itemsOrList':
      return isSchema(value) ? [[undefined, value]] : subschemasOf('list', value)
    case 'list':
    case 'map':
    case 'defs':
    case 'dependencies':
      if (typeof value !== 'object' || value === null) return []
      return Object.entries(value).flatMap(([key, one]) => (isSchema(one) ? [[key, one]] : []))
    default:
      return []
  }
}

/** Whether a JSON value may stand where a schema is wanted. */
export function isSchema(value: Json | undefined): value is JsonObject | boolean {
  return typeof value === 'boolean' || isObject(value)
}
