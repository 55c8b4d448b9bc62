// SPDX-License-Identifier: Apache-2.0

/** JSON text of a host's value, or why it has none. */
export type JsonEncoding =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly why: string }

/**
 * Writes a host's value as JSON. What `JSON.stringify` drops from objects (undefined members) is
 * dropped; what it would silently turn into null (NaN, an infinity, a hole or a function in a
 * list) is refused, and so is what has no JSON text at all.
 */
export function encodeJson(value: unknown): JsonEncoding {
  let json: string | undefined
  try {
    json = JSON.stringify(value)
  } catch {
    return {
      ok: false,
      why: 'a value that JSON cannot carry (a cycle, a bigint or a failing toJSON)',
    }
  }
  if (json === undefined) return { ok: false, why: `${typeof value}, which JSON cannot carry` }
  // Every value that was turned into null shows as null in the text: only then is a look worth it.
  if (json.includes('null') && hasLostValue(value)) {
    return {
      ok: false,
      why: 'a value that JSON would turn into null (NaN, an infinity or undefined in a list)',
    }
  }
  return { ok: true, json }
}

/** Looks at what the writer is given, which is what `toJSON` answers where there is one. */
function hasLostValue(value: unknown): boolean {
  let isLost = false
  JSON.stringify(value, function (this: unknown, _key: string, item: unknown) {
    isLost ||=
      typeof item === 'number' ? !Number.isFinite(item) : Array.isArray(this) && !hasJsonForm(item)
    return item
  })
  return isLost
}

function hasJsonForm(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}
