// SPDX-License-Identifier: Apache-2.0
import { type Cursor, expect, notCanonical, readString, skip } from './cursor.ts'

interface Frame {
  readonly box: unknown[] | Record<string, unknown>
  readonly close: '}' | ']'
  key: string
}

/**
 * Reads a label value. Iterative; integers outside the safe range become `bigint`s. Whether keys
 * are sorted and distinct is for the caller, who compares the value's text with what stood here.
 */
export function readValue(cursor: Cursor): unknown {
  const stack: Frame[] = []
  for (;;) {
    const opened = open(cursor)
    if (opened !== undefined && !skip(cursor, opened.close)) {
      if (opened.close === '}') opened.key = readKey(cursor)
      stack.push(opened)
      continue
    }
    const value = close(cursor, stack, opened === undefined ? readScalar(cursor) : opened.box)
    if (stack.length === 0) return value
  }
}

/** Puts a value into the frame on top and ends every frame that ends here. */
function close(cursor: Cursor, stack: Frame[], given: unknown): unknown {
  let value = given
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    put(frame, value)
    if (skip(cursor, ',')) {
      if (frame.close === '}') frame.key = readKey(cursor)
      return value
    }
    expect(cursor, frame.close)
    value = frame.box
    stack.pop()
  }
  return value
}

function open(cursor: Cursor): Frame | undefined {
  if (skip(cursor, '[')) return { box: [], close: ']', key: '' }
  return skip(cursor, '{') ? { box: {}, close: '}', key: '' } : undefined
}

function readKey(cursor: Cursor): string {
  const key = readString(cursor)
  expect(cursor, ':')
  return key
}

/** Defines a member, so that a key `__proto__` stays a key. */
function put({ box, key }: Frame, value: unknown): void {
  if (Array.isArray(box)) box.push(value)
  else Object.defineProperty(box, key, { value, enumerable: true, configurable: true })
}

const INTEGER = /-?\d+/y

function readScalar(cursor: Cursor): unknown {
  if (cursor.text[cursor.at] === '"') return readString(cursor)
  if (skip(cursor, 'true')) return true
  if (skip(cursor, 'false')) return false
  if (skip(cursor, 'null')) return null
  INTEGER.lastIndex = cursor.at
  const digits = INTEGER.exec(cursor.text)?.[0]
  if (digits === undefined) throw notCanonical(cursor)
  cursor.at += digits.length
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}
