// SPDX-License-Identifier: Apache-2.0

/** A map that forgets its oldest entries, by count and by the length of its keys. */
export interface BoundedCache<Value> {
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, value: Value) => void
}

/**
 * @param maxEntries  entries kept, from 1
 * @param maxKeyLength  characters of keys kept in all; a longer single key is not kept
 */
export function createBoundedCache<Value>(
  maxEntries: number,
  maxKeyLength: number,
): BoundedCache<Value> {
  const entries = new Map<string, Value>()
  let length = 0
  const forgetOldest = (): void => {
    for (const key of entries.keys()) {
      entries.delete(key)
      length -= key.length
      return
    }
  }
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      if (key.length > maxKeyLength || entries.has(key)) return
      entries.set(key, value)
      length += key.length
      while (entries.size > maxEntries || length > maxKeyLength) forgetOldest()
    },
  }
}
