// SPDX-License-Identifier: Apache-2.0

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object; its own enumerable string keys are its members, whatever they are called. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether a JSON value is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a JSON value is an array. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The own member of that name; unlike an index, never one that is inherited. */
export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets an own member, also where the name is `__proto__`. */
export function setMember(object: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

/** Appends one token to a JSON pointer. */
export function pointTo(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The tokens of a JSON pointer. */
export function pointerTokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A text cut to a number of characters, never through a surrogate pair. */
export function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}
