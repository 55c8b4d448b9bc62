// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import type { CompiledSchema } from '../schema/compile-schema.ts'

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
 * @param patternKeys  judges an object of one key by the schema's `patternProperties`, if it has any
 */
export function preparePick(
  schema: object,
  patternKeys: CompiledSchema | undefined,
): PickArguments {
  const { additionalProperties: additional, properties } = schema as JsonObject
  const admitsAll = additional !== undefined && additional !== false
  if (admitsAll || COMBINATORS.some((keyword) => Object.hasOwn(schema, keyword))) {
    return (args) => args
  }
  const declared = new Set(isJsonObject(properties) ? Object.keys(properties) : [])
  const isPatternKey = (key: string): boolean =>
    patternKeys !== undefined && patternKeys.validate({ [key]: null }) === undefined
  const isKept = (key: string): boolean => declared.has(key) || isPatternKey(key)
  return (args) => {
    const keys = Object.keys(args)
    return keys.every(isKept) ? args : copyKeys(args, keys.filter(isKept))
  }
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
