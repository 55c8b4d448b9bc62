// SPDX-License-Identifier: Apache-2.0
import { types } from 'node:util'

/** JSON text of a host's value, or why it has none. */
export type JsonEncoding =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly why: string }

/**
 * Writes a host's value as JSON. What `JSON.stringify` drops from objects (undefined members) is
 * dropped; what it would silently turn into null (NaN, an infinity, a hole or a function in a
 * list) or into an empty object (a Map, a Set, an Error, a Promise) is refused, and so is what has no JSON text at all.
 */
export function encodeJson(value: unknown): JsonEncoding {
  try {
    return encode(value)
  } catch {
    return {
      ok: false,
      why: 'a value that JSON cannot carry (a cycle, a bigint or a failing toJSON)',
    }
  }
}

/** Asks the value twice, and it may fail at either time. */
function encode(value: unknown): JsonEncoding {
  const json: string | undefined = JSON.stringify(value)
  if (json === undefined) return { ok: false, why: `${typeof value}, which JSON cannot carry` }
  // What was lost shows as null or {} in the text: only then is a look worth it.
  if ((json.includes('null') || json.includes('{}')) && hasLostValue(value)) {
    return {
      ok: false,
      why: 'a value that JSON would turn into null or {} (NaN, an infinity, undefined in a list, a Map or an Error)',
    }
  }
  return { ok: true, json }
}

/** Looks at what the writer is given, which is what `toJSON` answers where there is one. */
function hasLostValue(value: unknown): boolean {
  let isLost = false
  JSON.stringify(value, function (this: unknown, _key: string, item: unknown) {
    isLost ||= isLostIn(this, item)
    return item
  })
  return isLost
}

function isLostIn(holder: unknown, item: unknown): boolean {
  if (typeof item === 'number') return !Number.isFinite(item)
  if (typeof item === 'object' && item !== null) return isHidden(item)
  return Array.isArray(holder) && !hasJsonForm(item)
}

/** Something that holds what JSON does not show: it would be written as an empty object. */
function isHidden(item: object): boolean {
  return (
    types.isMap(item) || types.isSet(item) || types.isNativeError(item) || types.isPromise(item)
  )
}

function hasJsonForm(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}
