// SPDX-License-Identifier: Apache-2.0
import { type Meter, spend } from './meter.ts'

/**
 * Writes a JSON value as a text that two values share exactly when JSON Schema calls them equal:
 * `1` and `1.0` are one number, the order of members means nothing, types never mix.
 *
 * No text is a bare number, since the hash of such strings can be foreseen and a caller could make
 * a set of them slow.
 *
 * @param value  a JSON value; members may have any name, `__proto__` too
 * @param meter  charged for every value and character
 */
export function canonicalKey(value: unknown, meter: Meter): string {
  if (typeof value === 'string') {
    spend(meter, 1 + value.length / 8)
    return `"${value}`
  }
  spend(meter, 4)
  if (typeof value === 'number') return `n${value === 0 ? 0 : value}`
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? arrayKey(value, meter) : objectKey(value, meter)
}

function arrayKey(items: readonly unknown[], meter: Meter): string {
  return `[${items.map((item) => nestedKey(item, meter)).join()}]`
}

function objectKey(object: object, meter: Meter): string {
  const names = Object.keys(object)
  spend(meter, names.length * (1 + Math.log2(names.length + 1)) * 3)
  const members = names.sort().map((name) => {
    const value: unknown = Reflect.get(object, name)
    return `${JSON.stringify(name)}:${nestedKey(value, meter)}`
  })
  return `{${members.join()}}`
}

/** Inside an array or object a string needs its end marked. */
function nestedKey(value: unknown, meter: Meter): string {
  if (typeof value !== 'string') return canonicalKey(value, meter)
  spend(meter, 1 + value.length / 4)
  return JSON.stringify(value)
}
