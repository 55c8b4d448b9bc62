// SPDX-License-Identifier: Apache-2.0

/** An object of decoded JSON: members are read with {@link ownMember} alone. */
export type JsonObject = { readonly [key: string]: unknown }

/** Says whether a decoded JSON value is an object (and no array, no null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Says whether a value is a list of strings alone. A hole is none: it would be sent as null. */
export function isStringList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value)) return false
  // Every index is looked at, which `every` does not do.
  for (const item of value as readonly unknown[]) if (typeof item !== 'string') return false
  return true
}

/** Reads an own member, so that `constructor` or `__proto__` is absent unless it was sent. */
export function ownMember(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Says whether a value has to be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

/** Says whether JSON has something else in place of a value: what was judged is not what is sent. */
export function isWrittenOtherwise(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function'
}
