// SPDX-License-Identifier: Apache-2.0
import type { FollowReference } from './follow.ts'
import { cut, isArray, isObject, type Json, type JsonObject } from './json.ts'

/** Characters of one value of the schema in a message. */
const MAX_VALUE = 80
/** Entries of a list in a message. */
const MAX_LISTED = 20
/** A value of the schema as JSON text, cut. */
export function writeValue(value: Json): string {
  return cut(JSON.stringify(value), MAX_VALUE)
}

/** A list for a message: `"a", "b" or "c"`, the end left out when it is long. */
export function writeList(values: readonly string[], last: 'or' | 'and'): string {
  const shown = values.slice(0, MAX_LISTED)
  if (shown.length < values.length) {
    return `${shown.join(', ')} ${last} ${values.length - shown.length} more`
  }
  const end = shown.at(-1) ?? ''
  return shown.length < 2 ? end : `${shown.slice(0, -1).join(', ')} ${last} ${end}`
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

/** What a `type` asks for: `a string or null`. */
export function describeType(type: Json | undefined): string {
  const types = isArray(type) ? type : [type ?? null]
  const names = types.map((one) => (typeof one === 'string' ? (TYPE_NAMES[one] ?? one) : ''))
  return writeList(names, 'or')
}

/**
 * Says in a few words what a subschema wants, for the branches of a failed `anyOf`: its constants, or
 * its type with what tells it from its neighbours.
 */
export function describeSchema(schema: Json | undefined, follow: FollowReference): string {
  const found = follow(schema)
  if (!isObject(found)) return found === false ? 'nothing' : 'anything'
  const { const: constant, enum: listed, type, title: _title, ...rest } = found
  if (constant !== undefined) return writeValue(constant)
  if (isArray(listed)) return listed.slice(0, MAX_LISTED).map(writeValue).join(' or ')
  if (type !== undefined && type !== 'object') return describeType(type)
  const members = describeMembers(found, follow)
  if (members !== '') return `an object with ${members}`
  return type === 'object' ? 'an object' : Object.keys(rest).filter(isShown).slice(0, 3).join(', ')
}

function isShown(keyword: string): boolean {
  return !['$visit', '$perMember', '$integer'].includes(keyword)
}

/** The members that tell one object from another: those with one value, then those required. */
function describeMembers(schema: JsonObject, follow: FollowReference): string {
  const { properties, required } = schema
  const constants = isObject(properties)
    ? Object.entries(properties).flatMap(([name, member]) => {
        const found = follow(member)
        const value = isObject(found) ? found['const'] : undefined
        return value === undefined ? [] : [`${cut(name, MAX_VALUE)}: ${writeValue(value)}`]
      })
    : []
  if (constants.length > 0) return constants.slice(0, 3).join(', ')
  const names = isArray(required) ? required.filter((name) => typeof name === 'string') : []
  return writeList(
    names.slice(0, 5).map((name) => JSON.stringify(cut(name, MAX_VALUE))),
    'and',
  )
}
