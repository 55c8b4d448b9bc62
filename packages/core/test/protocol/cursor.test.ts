// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeCursor, encodeCursor, type ListKind } from '../../src/protocol/cursor.ts'

const KINDS: readonly ListKind[] = ['resources', 'resource_templates', 'prompts']
const kind = fc.constantFrom(...KINDS)
const key = fc.string({ unit: 'grapheme' })

describe('a cursor', () => {
  test('[PAGE-05] is unpadded base64url over the members in their order', () => {
    const cursor = encodeCursor('prompts', 'ü?~')
    expect(Buffer.from(cursor, 'base64url').toString()).toBe('{"a":"ü?~","k":"prompts","v":1}')
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  test('decodes to what it was made of, for its own list alone', () => {
    fc.assert(
      fc.property(kind, kind, key, (made, asked, after) => {
        const reading = decodeCursor(encodeCursor(made, after), asked)
        expect(reading).toEqual(
          made === asked
            ? { ok: true, after }
            : { ok: false, why: `cursor belongs to another list, not ${asked}` },
        )
      }),
    )
  })

  test('is one text for one position', () => {
    fc.assert(
      fc.property(kind, key, key, (list, one, other) => {
        expect(encodeCursor(list, one) === encodeCursor(list, other)).toBe(one === other)
      }),
    )
  })

  test('that was changed is refused or names a position, and never throws', () => {
    const change = fc.tuple(fc.nat(200), fc.string({ unit: 'binary', maxLength: 3 }))
    fc.assert(
      fc.property(kind, key, change, (list, after, [at, text]) => {
        const cursor = encodeCursor(list, after)
        const changed = cursor.slice(0, at) + text + cursor.slice(at + 1)
        const reading = decodeCursor(changed, list)
        if (reading.ok) expect(typeof reading.after).toBe('string')
        else expect(reading.why).toMatch(/^cursor (?:is malformed|belongs to another list, not )/)
      }),
    )
  })

  test('that is any text or value is refused, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.anything()), (value) => {
        expect(decodeCursor(value, 'prompts')).toEqual({ ok: false, why: 'cursor is malformed' })
      }),
    )
  })
})
