// SPDX-License-Identifier: Apache-2.0

import { isObject, type Json, type JsonObject } from './json.ts'
import { UNGROUPED_PROPERTIES } from './keywords/properties.ts'

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
const LISTS = new Set(['required', 'allOf', 'prefixItems', 'dependentSchemas'])
/** Keywords whose entries are tried and may fail, which costs several times as much. */
const CHOICES = new Set(['anyOf', 'oneOf'])
const TRIALS = new Set(['if', 'not', 'contains'])
const TRIAL_UNITS = 4
/** A call of another function, which makes an error object of its own when it fails. */
const REFERENCE_UNITS = 15
/** Keywords that gather what other subschemas evaluated. */
const GATHERERS = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'])

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
    if (CHOICES.has(keyword)) visit += TRIAL_UNITS * sizeOf(value)
    if (TRIALS.has(keyword)) visit += TRIAL_UNITS
    if (keyword === '$ref') visit += REFERENCE_UNITS
    // Past that number they are looked for in groups, which are charged when they are.
    if (keyword === 'properties') visit += Math.min(sizeOf(value), UNGROUPED_PROPERTIES)
    if (keyword === 'dependentRequired') visit += nestedSize(value)
    if (gathers && GATHERERS.has(keyword)) perMember += Math.max(1, sizeOf(value))
  }
  return { visit, perMember }
}

function sizeOf(value: Json): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function nestedSize(value: Json): number {
  if (!isObject(value)) return 0
  return Object.values(value).reduce((sum: number, names) => sum + 1 + sizeOf(names), 0)
}
