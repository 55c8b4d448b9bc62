// SPDX-License-Identifier: Apache-2.0
import { isArray, isObject, type Json, type JsonObject } from './json.ts'

/** Keywords of a branch that is nothing but a list of values. */
const ALLOWED = new Set(['const', 'enum', 'type', '$integer', '$visit', '$perMember'])

/**
 * The values that an `anyOf` allows when each of its branches only lists values, as unions of
 * literals do.
 *
 * @param branches  lowered subschemas
 * @returns the values in order, or `undefined` when some branch says more
 */
export function mergeConstants(branches: readonly (JsonObject | boolean)[]): Json[] | undefined {
  const values: Json[] = []
  for (const branch of branches) {
    const listed = isObject(branch) ? listedValues(branch) : undefined
    if (listed === undefined) return undefined
    values.push(...listed)
  }
  return values
}

function listedValues(branch: JsonObject): readonly Json[] | undefined {
  if (Object.keys(branch).some((keyword) => !ALLOWED.has(keyword))) return undefined
  const { const: constant, enum: listed, type } = branch
  if ((constant === undefined) === (listed === undefined)) return undefined
  const values = isArray(listed) ? listed : constant === undefined ? [] : [constant]
  return values.every((value) => isOfType(value, type)) ? values : undefined
}

function isOfType(value: Json, type: Json | undefined): boolean {
  if (type === undefined) return true
  const types = isArray(type) ? type : [type]
  return types.some((one) => {
    if (one === 'integer') return Number.isSafeInteger(value)
    if (one === 'null') return value === null
    if (one === 'array') return isArray(value)
    return one === 'object' ? isObject(value) : typeof value === one
  })
}
