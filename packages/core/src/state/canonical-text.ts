// SPDX-License-Identifier: Apache-2.0

/**
 * One text for one JSON value, whatever the order its members came in: what a retry repeats has the
 * same text as what it repeats.
 *
 * @param value  a value of the JSON reader: at most 64 levels, a `bigint` for a large integer
 */
export function canonicalText(value: unknown): string {
  // An infinity is written without quotes: in them it would be the text of its name. And -0 is 0.
  if (typeof value === 'bigint' || typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`)
  return `{${members.join(',')}}`
}
