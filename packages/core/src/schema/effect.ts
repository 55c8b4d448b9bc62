// SPDX-License-Identifier: Apache-2.0
import { isArray, type JsonObject, member } from './json.ts'

/** Keywords that only say something beside another one. */
const COMPANIONS: readonly (readonly [keyword: string, companions: readonly string[]])[] = [
  ['then', ['if']],
  ['else', ['if']],
  ['minContains', ['contains']],
  ['maxContains', ['contains']],
]

/**
 * Finds a keyword that a schema has in vain, which is more likely a slip than meant.
 *
 * @param gathers   whether the document asks what subschemas evaluated: a lone `if` then counts
 * @param contains  whether `contains` occurs in the document
 * @returns what to say about it, or `undefined`
 */
export function findWithoutEffect(
  schema: JsonObject,
  gathers: boolean,
  contains: boolean,
): string | undefined {
  const has = (keyword: string): boolean => Object.hasOwn(schema, keyword)
  for (const [keyword, companions] of COMPANIONS) {
    if (has(keyword) && !companions.some(has)) return withoutEffect(keyword, companions.join())
  }
  if (has('if') && !has('then') && !has('else') && !gathers) {
    return withoutEffect('if', 'then or else')
  }
  if (has('additionalItems') && !isArray(member(schema, 'items'))) {
    return withoutEffect('additionalItems', 'items as an array')
  }
  if (has('unevaluatedItems') && contains) {
    return "unevaluatedItems can't be enforced in a document that has contains; use items"
  }
  return undefined
}

function withoutEffect(keyword: string, companion: string): string {
  return `${keyword} has no effect without ${companion}; add it or remove ${keyword}`
}
