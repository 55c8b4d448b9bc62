// SPDX-License-Identifier: Apache-2.0
import type { FollowReference } from './follow.ts'
import { isArray, isObject, type Json, type JsonObject } from './json.ts'

/** The member that tells alternatives apart, and its value in each of them, in their order. */
export interface Tags {
  readonly name: string
  readonly values: readonly (string | number | boolean)[]
}

/**
 * Finds the member by which alternatives can be told apart: each of them wants an object that has the
 * member with one fixed value, and no two want the same.
 *
 * @param branches  lowered subschemas of an `anyOf` or `oneOf`
 */
export function findTags(branches: readonly Json[], follow: FollowReference): Tags | undefined {
  const schemas = branches.map(follow)
  const [first] = schemas
  if (schemas.length < 2 || !isObject(first)) return undefined
  for (const name of namesIn(first['required'])) {
    const values = schemas.flatMap((schema) => (isObject(schema) ? fixedValue(schema, name) : []))
    if (new Set(values).size === schemas.length) return { name, values }
  }
  return undefined
}

/** The one value that a schema allows a required member to have, if there is one. */
function fixedValue(schema: JsonObject, name: string): (string | number | boolean)[] {
  const { type, required, properties } = schema
  if (type !== 'object' || !namesIn(required).includes(name)) return []
  const member = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : {}
  const { const: constant, enum: listed } = isObject(member) ? member : {}
  const value = isArray(listed) && listed.length === 1 ? listed[0] : constant
  return typeof value === 'object' || value === undefined ? [] : [value]
}

function namesIn(value: Json | undefined): readonly string[] {
  return isArray(value) ? value.filter((name) => typeof name === 'string') : []
}
