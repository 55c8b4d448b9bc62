// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addPair,
  createPairTable,
  getPair,
  type PairTable,
} from '../../src/declared/flow/pair-table.ts'

/** Three numbers stand in each place of the list. */
const PLACE = 3
/** The first key stands in 32 bits with 1 added, the second as it is. */
const [MOST_FIRST, MOST_SECOND] = [2 ** 31 - 2, 2 ** 31 - 1]

type Pair = readonly [one: number, other: number]

/** Keys that are dense, that differ only in what is high, and the greatest. */
const keyArbitrary = (most: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.nat({ max: 12 }),
    fc.nat({ max: 2047 }).map((high) => high * 2 ** 20),
    fc.nat({ max: most }),
    fc.constantFrom(0, most),
  )
const pairArbitrary = fc.tuple(keyArbitrary(MOST_FIRST), keyArbitrary(MOST_SECOND))
const expectedArbitrary = fc.constantFrom(0, 0.5, 1, 511, 512, 513, 5000.25)

const textOf = ([one, other]: Pair): string => `${one} ${other}`
const placesOf = ({ list }: PairTable): number => list.length / PLACE

/** Where a pair stands in a table of the least size that holds nothing else. */
function homeOf([one, other]: Pair): number {
  const table = createPairTable(0)
  addPair(table, one, other, 1)
  return table.list.findIndex((word) => word !== 0) / PLACE
}

/** The first pairs, by their second key, that a table of the least size would put in one place. */
function pairsAt(place: number, count: number): Pair[] {
  const found: Pair[] = []
  for (let other = 0; found.length < count; other++) {
    if (other > 1e5) throw new RangeError(`Too few pairs stand in place ${place}`)
    if (homeOf([0, other]) === place) found.push([0, other])
  }
  return found
}

/** Adds pairs in their order, each with its place in the list; a full table would never answer. */
function fill(table: PairTable, pairs: readonly Pair[]): void {
  const before = table.size
  for (const [place, [one, other]] of pairs.entries()) {
    addPair(table, one, other, place)
    if (table.size !== before + place + 1) throw new RangeError(`It says that it has ${table.size}`)
    if (table.size * 2 > placesOf(table)) throw new RangeError('It is more than half full')
  }
}

/** What a table answers for pairs. */
const answers = (table: PairTable, pairs: readonly Pair[]): number[] =>
  pairs.map(([one, other]) => getPair(table, one, other))

describe('a table of pairs', () => {
  test('answers as a map does, whatever is added and asked in whatever order', () => {
    const step = fc.record({ pair: pairArbitrary, value: fc.nat(), isAsked: fc.boolean() })
    const run = fc.property(expectedArbitrary, fc.array(step), (expected, steps) => {
      const table = createPairTable(expected)
      const model = new Map<string, number>()
      for (const { pair, value, isAsked } of steps) {
        const known = model.get(textOf(pair))
        expect(getPair(table, ...pair)).toBe(known ?? -1)
        if (isAsked || known !== undefined) continue
        addPair(table, ...pair, value)
        model.set(textOf(pair), value)
        expect(table.size).toBe(model.size)
      }
      for (const { pair } of steps) {
        const [one, other] = pair
        const others: readonly Pair[] = [
          [other, one],
          [one, other + 1],
          [one + 1, other],
        ]
        for (const near of [pair, ...others]) {
          if (Math.max(...near) > MOST_FIRST) continue
          expect(getPair(table, ...near)).toBe(model.get(textOf(near)) ?? -1)
        }
      }
    })
    fc.assert(run, { numRuns: 300 })
  })

  test('keeps what it has while it grows, and is at most half full', () => {
    const pairs: Pair[] = []
    for (let i = 0; i < 5000; i++) pairs.push(i % 2 === 0 ? [i % 70, i] : [i * 400_000, i % 9])
    const table = createPairTable(0)
    const sizes = new Set<number>()
    for (const [place, pair] of pairs.entries()) {
      addPair(table, ...pair, place)
      expect(table.size).toBe(place + 1)
      expect(table.size * 2).toBeLessThanOrEqual(placesOf(table))
      if (sizes.has(placesOf(table))) continue
      sizes.add(placesOf(table))
      expect(answers(table, pairs.slice(0, place + 1))).toEqual(
        [...pairs.keys()].slice(0, place + 1),
      )
    }
    expect(sizes.size).toBeGreaterThan(3)
    expect(answers(table, pairs)).toEqual([...pairs.keys()])
    expect(getPair(table, 70, 0)).toBe(-1)
  })

  test.each([0, 1, 0.25, 511, 512, 513, 100_000, 6250.0625])(
    'has room for the %d pairs that it is told of, and a power of two of places',
    (expected) => {
      const table = createPairTable(expected)
      const { list } = table
      expect(Math.log2(placesOf(table)) % 1).toBe(0)
      expect(table.size).toBe(0)
      for (let i = 0; i < Math.floor(expected); i++) addPair(table, i, i >> 3, i)
      expect(table.list === list).toBe(true) // a list of 100,000 is too long to print
      expect(table.size).toBe(Math.floor(expected))
      expect(getPair(table, Math.floor(expected), 0)).toBe(-1)
    },
  )

  test('holds more than it was told of', () => {
    const table = createPairTable(600)
    const pairs = Array.from({ length: 3000 }, (_, i): Pair => [i % 50, i])
    fill(table, pairs)
    expect(answers(table, pairs)).toEqual([...pairs.keys()])
  })

  test('takes key 0 for a key, value 0 for a value, and neither for what is absent', () => {
    const table = createPairTable(0)
    const near: Pair[] = [
      ...([0, 1] as const).flatMap((a): Pair[] => [
        [a, 0],
        [a, 1],
      ]),
    ]
    expect(answers(table, near)).toEqual([-1, -1, -1, -1])
    addPair(table, 0, 0, 0)
    expect(answers(table, near)).toEqual([0, -1, -1, -1])
    addPair(table, 1, 0, 7)
    expect(answers(table, near)).toEqual([0, -1, 7, -1])
    addPair(table, 0, 1, 8)
    expect(answers(table, near)).toEqual([0, 8, 7, -1])
  })

  test('holds the greatest keys and values', () => {
    const table = createPairTable(0)
    addPair(table, MOST_FIRST, MOST_SECOND, 2 ** 31 - 1)
    expect(getPair(table, MOST_FIRST, MOST_SECOND)).toBe(2 ** 31 - 1)
    expect(getPair(table, MOST_FIRST, MOST_SECOND - 1)).toBe(-1)
    expect(getPair(table, MOST_FIRST - 1, MOST_SECOND)).toBe(-1)
  })
})

describe('pairs that meet in one place', () => {
  const last = placesOf(createPairTable(0)) - 1

  test.each([0, 1, last])('are told apart in place %d, before and after growth', (place) => {
    const [absent = [0, 0], ...pairs] = pairsAt(place, 9)
    const table = createPairTable(0)
    fill(table, pairs)
    expect(answers(table, pairs)).toEqual([...pairs.keys()])
    expect(getPair(table, ...absent)).toBe(-1)
    const others = Array.from({ length: 1000 }, (_, i): Pair => [i + 1, i])
    fill(table, others)
    expect(placesOf(table)).toBeGreaterThan(last + 1)
    expect(answers(table, pairs)).toEqual([...pairs.keys()])
    expect(answers(table, others)).toEqual([...others.keys()])
    expect(getPair(table, ...absent)).toBe(-1)
  })

  test('go on at the beginning of the list where its end is taken', () => {
    const pairs = pairsAt(last, 3)
    const table = createPairTable(0)
    fill(table, pairs)
    const taken = Array.from({ length: placesOf(table) }, (_, place) => place).filter(
      (place) => table.list[place * PLACE] !== 0,
    )
    expect(taken).toEqual([0, 1, last])
  })

  test('are few among keys that differ only in their high bits', () => {
    const keys = Array.from({ length: 256 }, (_, i) => i * 2 ** 20)
    const places = (pairs: readonly Pair[]): number => new Set(pairs.map(homeOf)).size
    expect(places(keys.map((key): Pair => [key, 5]))).toBeGreaterThan(16)
    expect(places(keys.map((key): Pair => [5, key]))).toBeGreaterThan(16)
  })
})
