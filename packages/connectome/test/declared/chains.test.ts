// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest'
import { append, createPairs, nextAt, whatAt } from '../../src/declared/flow/chains.ts'

const COUNT = 12_000

test.each([0, 0.5, 1, 4095, 4096, 4097, 5001, 30_001])(
  'keeps every pair where %d numbers were expected',
  (expected) => {
    for (const size of [0, 1]) {
      const pairs = createPairs(size, expected)
      const places = Array.from({ length: COUNT }, (_, at) => append(pairs, at + 1, -at - 1))
      expect(places).toEqual(Array.from({ length: COUNT }, (_, at) => size + at))
      expect(pairs.size).toBe(size + COUNT)
      const kept = places.map((place) => [whatAt(pairs, place), nextAt(pairs, place)])
      expect(kept).toEqual(Array.from({ length: COUNT }, (_, at) => [at + 1, -at - 1]))
    }
  },
)

test('makes its room once where what comes was expected', () => {
  const pairs = createPairs(0, COUNT * 2)
  append(pairs, 1, 1)
  const { list } = pairs
  for (let at = 1; at < COUNT; at++) append(pairs, 1, 1)
  expect(pairs.list).toBe(list)
  append(pairs, 1, 1)
  expect(pairs.list).not.toBe(list)
})
