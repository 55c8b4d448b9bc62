// SPDX-License-Identifier: Apache-2.0

/** A number that a JavaScript `number` can't stand for. */
export interface InexactNumber {
  /** Where it is, as in `opts.limit` or `tags[1]`; the given start alone for the value itself. */
  readonly path: string
  /** `integer`: a `bigint`, exact but beyond ±(2^53 - 1). `overflow`: an infinity. */
  readonly kind: 'integer' | 'overflow'
}

/**
 * Finds the first `bigint` or infinity of a tree, in the order of its keys. Worth asking only when
 * the reading says `hasInexact`.
 *
 * @param value  a value of a reading, or a part of one
 * @param path  where `value` itself is; nothing unless given
 * @returns where it is and which, or `undefined` when there is none
 */
export function findInexact(value: unknown, path = ''): InexactNumber | undefined {
  const steps: (string | number)[] = []
  const kind = kindWithin(value, steps)
  return kind && { path: steps.reduceRight(joined, path), kind }
}

/** Leaves the way to what it finds in `steps`, the innermost key first. */
function kindWithin(value: unknown, steps: (string | number)[]): InexactNumber['kind'] | undefined {
  if (typeof value === 'bigint') return 'integer'
  if (value === Infinity || value === -Infinity) return 'overflow'
  if (typeof value !== 'object' || value === null) return undefined
  const keys = Array.isArray(value) ? undefined : Object.keys(value)
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (let index = 0; index < items.length; index++) {
    const kind = kindWithin(items[index], steps)
    if (kind === undefined) continue
    steps.push(keys?.[index] ?? index)
    return kind
  }
  return undefined
}

function joined(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  return path === '' ? step : `${path}.${step}`
}
