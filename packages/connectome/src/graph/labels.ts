// SPDX-License-Identifier: Apache-2.0
import { isPlainObject } from './plain-object.ts'

/** A value that has canonical bytes: integers are safe integers or `bigint`s, never fractions. */
export type LabelValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly LabelValue[]
  | { readonly [key: string]: LabelValue }

/** What a node says of itself; holds no payload. */
export type Labels = Readonly<Record<string, LabelValue>>

const NONE: Labels = Object.freeze({})

type Box = unknown[] | Record<string, unknown>

/**
 * A frozen copy of labels, arrays and plain objects at every depth. Values without canonical bytes
 * stay as they are, for the encoder to refuse by name. Iterative, and a cycle stays a cycle.
 */
export function copyLabels(labels: Readonly<Record<string, unknown>>): Labels {
  if (Reflect.ownKeys(labels).length === 0) return NONE
  const copies = new Map<object, Box>()
  const open: object[] = []
  const copyOf = (value: unknown): unknown => {
    if (!Array.isArray(value) && !isPlainObject(value)) return value
    const known = copies.get(value)
    if (known !== undefined) return known
    const box: Box = Array.isArray(value) ? new Array<unknown>(value.length) : {}
    copies.set(value, box)
    open.push(value)
    return box
  }
  const root = copyOf(labels)
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    fill(copies.get(source) ?? [], source, copyOf)
  }
  for (const box of copies.values()) Object.freeze(box)
  return root as Labels // a copy of the plain object given; the encoder checks its values
}

/** Own enumerable members only; defined, not assigned, so that a key `__proto__` stays a key. */
function fill(box: Box, source: object, copyOf: (value: unknown) => unknown): void {
  for (const key of Reflect.ownKeys(source)) {
    if (!Object.prototype.propertyIsEnumerable.call(source, key)) continue
    const value = copyOf(Reflect.get(source, key))
    if (typeof key === 'string' && key !== '__proto__') Reflect.set(box, key, value)
    else Object.defineProperty(box, key, { value, enumerable: true })
  }
}
