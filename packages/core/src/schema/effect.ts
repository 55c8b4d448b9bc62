// SPDX-License-Identifier: Apache-2.0
import type { DocumentIndex, Location } from './index-document.ts'
import { isArray, isObject, type JsonObject, member, pointTo } from './json.ts'

/**
 * Whether a keyword says nothing where it stands, by the specification: `then` without `if`,
 * `minContains` without `contains`, draft-07's `additionalItems` without an array of `items`.
 *
 * @param gathers  whether the document asks what subschemas evaluated: a lone `if` then counts
 * @see JSON Schema 2020-12, Core, sections 10.2.2 and 10.3.1; Validation, section 6.4
 */
export function isInert(keyword: string, schema: JsonObject, gathers: boolean): boolean {
  const has = (other: string): boolean => Object.hasOwn(schema, other)
  switch (keyword) {
    case 'if':
      return !gathers && !has('then') && !has('else')
    case 'then':
    case 'else':
      return !has('if')
    case 'minContains':
    case 'maxContains':
      return !has('contains')
    case 'additionalItems':
      return !isArray(member(schema, 'items'))
    default:
      return false
  }
}

const IN_PLACE = ['if', 'then', 'else'] as const
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'] as const

/**
 * Whether `contains` may evaluate items of the very array that a schema is applied to: beside it, or
 * through alternatives, conditions and references. `not` evaluates nothing, and `dependentSchemas` sees
 * no arrays. A dynamic reference may lead anywhere.
 */
export function meetsContains(from: Location, index: DocumentIndex): boolean {
  if (!index.keywords.has('contains')) return false
  const seen = new Set<string>()
  const waiting: (Location | undefined)[] = [from]
  while (waiting.length > 0) {
    const location = waiting.pop()
    if (location === undefined || seen.has(location.pointer)) continue
    seen.add(location.pointer)
    const { pointer, schema } = location
    if (!isObject(schema)) continue
    if (Object.hasOwn(schema, 'contains') || Object.hasOwn(schema, '$dynamicRef')) return true
    const reference = member(schema, '$ref')
    if (typeof reference === 'string') waiting.push(index.resolve(reference, location, '$ref'))
    for (const keyword of IN_PLACE) waiting.push(index.at(pointTo(pointer, keyword)))
    for (const keyword of IN_PLACE_LISTS) {
      const list = member(schema, keyword)
      const base = pointTo(pointer, keyword)
      if (isArray(list)) waiting.push(...list.map((_, at) => index.at(pointTo(base, at))))
    }
  }
  return false
}
