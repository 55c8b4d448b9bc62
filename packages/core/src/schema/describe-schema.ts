// SPDX-License-Identifier: Apache-2.0
import type { FollowReference } from './follow.ts'
import { cut, isArray, isObject, type Json, type JsonObject } from './json.ts'

/** Characters of one value of the schema in a message. */
const MAX_VALUE = 80
/** Entries of a list in a message. */
const MAX_LISTED = 20
/** Members of an object that describe it. */
const MAX_MEMBERS = 5

/** A value of the schema as JSON text, cut. */
export function writeValue(value: Json): string {
  return cut(JSON.stringify(value), MAX_VALUE)
}

/** A list for a message: `"a", "b" or "c"`, the end left out when it is long. */
export function writeList<T>(
  values: readonly T[],
  write: (value: T) => string,
  last: 'or' | 'and',
): string {
  const shown = [...new Set(values.slice(0, MAX_LISTED).map(write))]
  const hidden = values.length - MAX_LISTED
  if (hidden > 0) return `${shown.join(', ')} ${last} ${hidden} more`
  const end = shown.at(-1) ?? ''
  return shown.length < 2 ? end : `${shown.slice(0, -1).join(', ')} ${last} ${end}`
}

const TYPE_NAMES: ReadonlyMap<Json, string> = new Map([
  ['array', 'an array'],
  ['boolean', 'true or false'],
  ['integer', 'an integer'],
  ['null', 'null'],
  ['number', 'a number'],
  ['object', 'an object'],
  ['string', 'a string'],
])

/** What a `type` asks for: `a string or null`. */
export function describeType(type: Json): string {
  const types = isArray(type) ? type : [type]
  return writeList(types, (one) => TYPE_NAMES.get(one) ?? String(one), 'or')
}

/**
 * Says in a few words what a subschema wants, for the branches of a failed `anyOf`: its constants, or
 * its type with what tells it from its neighbours.
 */
export function describeSchema(schema: Json, follow: FollowReference): string {
  const found = follow(schema)
  if (!isObject(found)) return found === false ? 'nothing' : 'anything'
  const { const: constant, enum: listed, type } = found
  if (constant !== undefined) return writeValue(constant)
  if (isArray(listed)) return writeList(listed, writeValue, 'or')
  if (type !== undefined && type !== 'object') return describeType(type)
  const members = describeMembers(found, follow)
  if (members !== '') return `an object with ${members}`
  if (type === 'object') return 'an object'
  const keywords = Object.keys(found).filter((keyword) => !INTERNAL.has(keyword))
  return writeList(keywords, (keyword) => keyword, 'and')
}

const INTERNAL = new Set(['$visit', '$perMember', '$integer'])

/** The members that tell one object from another: those with one value, then those required. */
function describeMembers(schema: JsonObject, follow: FollowReference): string {
  const { properties, required } = schema
  const fixed = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) => {
    const found = follow(member)
    const value = isObject(found) ? found['const'] : undefined
    return value === undefined ? [] : [`${cut(name, MAX_VALUE)}: ${writeValue(value)}`]
  })
  if (fixed.length > 0) return fixed.slice(0, MAX_MEMBERS).join(', ')
  const names = isArray(required) ? required.slice(0, MAX_MEMBERS) : []
  return writeList(names, writeValue, 'and')
}
