// SPDX-License-Identifier: Apache-2.0
import { Float, float } from '@beam-mcp/connectome'

/** A value of a vector file, its tags still in place. */
export type Tagged =
  | string
  | number
  | boolean
  | null
  | readonly Tagged[]
  | { readonly [tag: string]: Tagged }

/** A function: a value with no byte form. */
const UNSUPPORTED = (): void => {}

function tagOf(value: { readonly [tag: string]: Tagged }): [string, Tagged] {
  const [entry = ['', null]] = Object.entries(value)
  return entry
}

/** The value a tagged value stands for. A string of bad bytes becomes one with a lone surrogate. */
export function untag(value: Tagged): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(untag)
  const [tag, body] = tagOf(value)
  switch (tag) {
    case '$int':
      return integer(String(body))
    case '$float':
      return float(Number(body))
    case '$obj':
      return object(body)
    case '$utf16':
      return String.fromCharCode(...list(body).map(Number))
    case '$bytes':
      return '\ud800'
    case '$unsupported':
      return UNSUPPORTED
    case '$absent':
      return undefined
    default:
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, untag(inner)]))
  }
}

const isList = (value: Tagged): value is readonly Tagged[] => Array.isArray(value)

function list(value: Tagged): readonly Tagged[] {
  return isList(value) ? value : []
}

function integer(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/** An object from pairs, with own members only, whatever the keys. */
function object(pairs: Tagged): unknown {
  const entries = list(pairs).map((pair): [string, unknown] => {
    const [key = '', value = null] = list(pair)
    return [String(untag(key)), untag(value)]
  })
  return Object.fromEntries(entries)
}

/** A value with everything JSON lacks written as a marked string, so that two can be compared. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `bigint ${value}`
  if (typeof value === 'function') return 'function'
  if (value instanceof Float) return `float ${value.value}`
  if (value === undefined) return 'undefined'
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .map(([key, inner]): [string, unknown] => [key, plain(inner)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}
