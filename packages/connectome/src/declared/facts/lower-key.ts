// SPDX-License-Identifier: Apache-2.0
import { find, type Lowering } from './lowering.ts'
import type { PropertyKey } from './parse-source.ts'

/** A member's name where the source says it, else the variable of what names it. */
export type Key = { readonly name: string } | { readonly variable: number }

/** Members of a list that a number names stand in one place, under this name. */
export const ELEMENTS = '[]'

export function lowerKey(low: Lowering, key: PropertyKey, isComputed: boolean): Key {
  if (key.type === 'PrivateIdentifier') return { name: `#${key.name}` }
  if (key.type === 'Identifier' && !isComputed) return { name: key.name }
  if (key.type === 'Literal') {
    if (typeof key.value === 'string') return { name: key.value }
    if (typeof key.value === 'number') return { name: isComputed ? ELEMENTS : String(key.value) }
  }
  if (key.type === 'TemplateLiteral' && key.expressions.length === 0) {
    return { name: key.quasis[0]?.value.cooked ?? '' }
  }
  const variable = low.expression(low, key)
  const known = key.type === 'Identifier' ? low.literals.get(find(low, key.name) ?? -1) : undefined
  return known === undefined ? { variable } : { name: known }
}

/** The name a function written as this member has, or `undefined` where only running tells. */
export function nameOfKey(
  low: Lowering,
  key: PropertyKey,
  isComputed: boolean,
): string | undefined {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value
  if (key.type === 'Literal' && typeof key.value === 'number') return String(key.value)
  if (!isComputed) return key.type === 'Identifier' ? key.name : undefined
  return low.text.slice(key.start, key.end).length <= MAX_NAME
    ? `[${low.text.slice(key.start, key.end)}]`
    : undefined
}

const MAX_NAME = 80
