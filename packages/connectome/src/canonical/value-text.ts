// SPDX-License-Identifier: Apache-2.0
import { compareCodeUnits } from '../graph/code-points.ts'
import { isPlainObject } from '../graph/plain-object.ts'
import { normalForm, quote } from './normal.ts'

interface Frame {
  readonly source: object
  readonly heads: readonly string[] | undefined
  readonly values: readonly unknown[]
  readonly close: string
  next: number
}

/**
 * The canonical text of a value, or `undefined` when it, or anything inside it, has none: a
 * fraction, an unsafe integer that is no `bigint`, an unpaired surrogate, keys equal after
 * normalising, a cycle, a hole, a symbol key, an instance of a class. Iterative, so as deep as memory.
 *
 * @see docs/connectome-canonical.md, "Values"
 */
export function valueText(value: unknown): string | undefined {
  const scalar = scalarText(value)
  if (scalar !== undefined || typeof value !== 'object' || value === null) return scalar
  const open = new Set<object>()
  const stack: Frame[] = []
  let text = enter(value, stack, open)
  while (text !== undefined) {
    const frame = stack.at(-1)
    if (frame === undefined) return text
    const more: string | undefined = step(frame, stack, open)
    text = more === undefined ? undefined : text + more
  }
  return undefined
}

/** The next piece of the frame on top: its end, a scalar, or the opening of what it holds. */
function step(frame: Frame, stack: Frame[], open: Set<object>): string | undefined {
  const { next, values, heads } = frame
  if (next === values.length) {
    stack.pop()
    open.delete(frame.source)
    return frame.close
  }
  frame.next = next + 1
  const value = values[next]
  const body = scalarText(value) ?? enter(value, stack, open)
  if (body === undefined) return undefined
  return (next === 0 ? '' : ',') + (heads?.[next] ?? '') + body
}

/** The text of a value that holds no other, or `undefined`. */
export function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string': {
      const normal = normalForm(value)
      return normal === undefined ? undefined : quote(normal)
    }
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : undefined
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return value === null ? 'null' : undefined
  }
}

function enter(value: unknown, stack: Frame[], open: Set<object>): string | undefined {
  if (typeof value !== 'object' || value === null || open.has(value)) return undefined
  const frame = Array.isArray(value) ? arrayFrame(value) : objectFrame(value)
  if (frame === undefined) return undefined
  open.add(value)
  stack.push(frame)
  return frame.heads === undefined ? '[' : '{'
}

/** An array without holes and without members beside its elements. */
function arrayFrame(source: readonly unknown[]): Frame | undefined {
  if (Reflect.ownKeys(source).length !== source.length + 1) return undefined
  if (Object.keys(source).length !== source.length) return undefined
  return { source, heads: undefined, values: source, close: ']', next: 0 }
}

function objectFrame(source: object): Frame | undefined {
  if (!isPlainObject(source) || Object.getOwnPropertySymbols(source).length > 0) return undefined
  const members = sortedMembers(Object.keys(source))
  if (members === undefined) return undefined
  const heads = members.map((member) => `${quote(member.name)}:`)
  const values = members.map((member) => source[member.key])
  return { source, heads, values, close: '}', next: 0 }
}

/** A key as given and in normal form. */
export interface Member {
  readonly key: string
  readonly name: string
}

/** Keys by the UTF-16 code units of their normal forms, or `undefined` for a bad or repeated one. */
function sortedMembers(keys: readonly string[]): Member[] | undefined {
  const members: Member[] = []
  for (const key of keys) {
    const name = normalForm(key)
    if (name === undefined) return undefined
    members.push({ key, name })
  }
  sortMembers(members)
  return repeatedName(members) === undefined ? members : undefined
}

export function sortMembers(members: Member[]): void {
  members.sort((a, b) => compareCodeUnits(a.name, b.name))
}

/** The first name that two neighbours of a sorted list share. */
export function repeatedName(members: readonly Member[]): string | undefined {
  return members.find((member, i) => members[i + 1]?.name === member.name)?.name
}
