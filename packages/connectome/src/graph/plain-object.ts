// SPDX-License-Identifier: Apache-2.0

/** An object literal (of any realm) or one without a prototype; never an array or an instance. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return true
  const isRoot = Object.getPrototypeOf(prototype) === null
  return isRoot && Object.hasOwn(Object(prototype), 'hasOwnProperty')
}

/** The first own key of an object that is not among the names, or `undefined`. */
export function unknownKey(
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined {
  for (const key of Object.keys(object)) if (!names.includes(key)) return key
  return undefined
}
