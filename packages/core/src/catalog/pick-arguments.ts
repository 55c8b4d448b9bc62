// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import type { Meter } from '../schema/meter.ts'
import { type CompiledPattern, compilePattern } from '../schema/patterns/compile-pattern.ts'

/** Keywords through which a schema may admit keys that `properties` does not declare. */
const COMBINATORS = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentSchemas',
  'dependencies',
  '$ref',
  '$dynamicRef',
  'unevaluatedProperties',
]

/** Keeps what may be handed over of arguments that passed the schema. */
export type PickArguments = (args: JsonObject) => JsonObject

/** Hands nothing over: for a tool without a schema. */
export const pickNothing: PickArguments = () => ({})

/**
 * Prepares what is handed over to a handler: top-level keys that the schema declares, or admits by
 * saying so (`additionalProperties`, `patternProperties`, or a combinator). A key that merely
 * slipped through an open schema is left behind. Values are never touched.
 *
 * @param schema  an input schema that compiled, so that each of its patterns runs
 * @param nativePatterns  as it was compiled with
 */
export function preparePick(schema: object, nativePatterns: boolean): PickArguments {
  const { additionalProperties: additional, properties, patternProperties } = schema as JsonObject
  const admitsAll = additional !== undefined && additional !== false
  if (admitsAll || COMBINATORS.some((keyword) => Object.hasOwn(schema, keyword))) {
    return (args) => args
  }
  const declared = new Set(isJsonObject(properties) ? Object.keys(properties) : [])
  const patterns = readPatterns(patternProperties, nativePatterns)
  const isKept = (key: string): boolean =>
    declared.has(key) || patterns.some((pattern) => pattern.test(key, UNMETERED))
  return (args) => {
    const keys = Object.keys(args)
    const kept = keys.filter(isKept)
    for (const pattern of patterns) pattern.forget()
    return kept.length === keys.length ? args : copyKeys(args, kept)
  }
}

/** No work is counted: the same keys have passed the same patterns within the schema's budget. */
const UNMETERED: Meter = { left: Number.POSITIVE_INFINITY }

function readPatterns(
  patternProperties: unknown,
  nativePatterns: boolean,
): readonly CompiledPattern[] {
  const sources = isJsonObject(patternProperties) ? Object.keys(patternProperties) : []
  return sources
    .map((source) => compilePattern(source, nativePatterns))
    .filter((pattern): pattern is CompiledPattern => !('refused' in pattern))
}

/** Copies own members; `__proto__` stays a member and never becomes a prototype. */
function copyKeys(args: JsonObject, keys: readonly string[]): JsonObject {
  const copy: Record<string, unknown> = {}
  for (const key of keys) {
    Object.defineProperty(copy, key, {
      value: args[key],
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
  return copy
}
