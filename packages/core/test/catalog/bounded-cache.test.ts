// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBoundedCache } from '../../src/catalog/bounded-cache.ts'

describe('a bounded cache', () => {
  test('gives back what it was given, and nothing else', () => {
    const cache = createBoundedCache<number>(4, 100)
    cache.set('a', 1)
    cache.set('__proto__', 2)
    expect(['a', '__proto__', 'b', 'constructor'].map(cache.get)).toEqual([
      1,
      2,
      undefined,
      undefined,
    ])
  })

  test('keeps the first value of a key', () => {
    const cache = createBoundedCache<number>(2, 100)
    cache.set('a', 1)
    cache.set('a', 2)
    expect(cache.get('a')).toBe(1)
  })

  test('forgets the oldest beyond its number of entries', () => {
    const cache = createBoundedCache<number>(2, 100)
    for (const [value, key] of ['a', 'b', 'c'].entries()) cache.set(key, value)
    expect(['a', 'b', 'c'].map(cache.get)).toEqual([undefined, 1, 2])
  })

  test('forgets as many of the oldest as a long key takes', () => {
    const cache = createBoundedCache<number>(10, 6)
    for (const [value, key] of ['aa', 'bb', 'cc', 'dddd'].entries()) cache.set(key, value)
    expect(['aa', 'bb', 'cc', 'dddd'].map(cache.get)).toEqual([undefined, undefined, 2, 3])
  })

  test('keeps no key that is longer than all of it, and forgets nothing for one', () => {
    const cache = createBoundedCache<number>(10, 4)
    cache.set('aa', 1)
    cache.set('bbbbb', 2)
    expect(['aa', 'bbbbb'].map(cache.get)).toEqual([1, undefined])
  })

  test('never holds more than it may, whatever it is given', () => {
    const key = fc.string({ maxLength: 8 })
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
        const cache = createBoundedCache<string>(5, 20)
        for (const one of keys) {
          cache.set(one, `of ${one}`)
          const held = [...new Set(keys)].filter((known) => cache.get(known) !== undefined)
          expect(held.length).toBeLessThanOrEqual(5)
          expect(held.join('').length).toBeLessThanOrEqual(20)
          expect(held.every((known) => cache.get(known) === `of ${known}`)).toBe(true)
          expect(held).toContain(one)
        }
      }),
    )
  })
})
