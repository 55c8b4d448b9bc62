// SPDX-License-Identifier: Apache-2.0
import { isObject, type Json, type JsonObject } from './json.ts'

/**
 * What one visit of a subschema costs, in units of the validation budget, its own subschemas not
 * counted: they are charged when they are visited.
 */
export interface Weight {
  /** Each visit. */
  readonly visit: number
  /** Each visit, for each member of the value if it is an object. */
  readonly perMember: number
}

/** Keywords with one entry per thing looked at on each visit. */
const LISTS = new Set(['properties', 'required', 'allOf', 'anyOf', 'oneOf', 'prefixItems'])
/** Keywords that go through all members of an object. */
const MEMBER_LOOPS = new Set(['additionalProperties', 'propertyNames'])
/** Keywords that gather what other subschemas evaluated. */
const GATHERERS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if']

/**
 * Weighs a subschema of the compiled form by what the generated code does on a visit.
 *
 * @param schema   its keywords, already lowered
 * @param gathers  whether the document has `unevaluatedProperties` or `unevaluatedItems`, which makes
 *                 members be gathered and merged
 */
export function weigh(schema: JsonObject, gathers: boolean): Weight {
  let visit = 1
  let perMember = 0
  for (const [keyword, value] of Object.entries(schema)) {
    visit += 1
    if (LISTS.has(keyword)) visit += sizeOf(value)
    if (keyword === 'dependentRequired') visit += nestedSize(value)
    if (MEMBER_LOOPS.has(keyword) && value !== true) perMember += 1
    if (keyword === 'patternProperties') perMember += sizeOf(value)
    if (keyword === 'unevaluatedProperties') perMember += 2
  }
  if (gathers) perMember += GATHERERS.filter((keyword) => keyword in schema).length
  return { visit, perMember }
}

function sizeOf(value: Json): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function nestedSize(value: Json): number {
  if (!isObject(value)) return 0
  return Object.values(value).reduce((sum: number, names) => sum + 1 + sizeOf(names), 0)
}
