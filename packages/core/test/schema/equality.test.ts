// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../src/schema/compile-schema.ts'
import { equalsJson, hashJson } from '../../src/schema/json-equality.ts'
import { isEqual } from './plain-validator.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const name = fc.constantFrom('a', 'b', '__proto__', 'toString', '1')
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<Json>(null, true, false, 0, 1, -0, 1.5, 1e300, 'a', '1', '', 'true', 'null'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))

/** The same value with every object's members in another order. */
function reversed(one: Json): Json {
  if (Array.isArray(one)) return one.map(reversed)
  if (typeof one !== 'object' || one === null) return one
  return Object.fromEntries(
    Object.entries(one)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

const pair = fc.oneof(
  fc.tuple(value, value),
  value.map((one) => [one, reversed(one)] as const),
)

describe('equality of JSON values', () => {
  const meter = { left: Number.POSITIVE_INFINITY }

  test("is the specification's, and equal values share a hash", () => {
    let equal = 0
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const expected = isEqual(a, b)
        if (expected) equal++
        expect(equalsJson(a, b, meter)).toBe(expected)
        if (expected) expect(hashJson(a, meter)).toBe(hashJson(b, meter))
      }),
      { numRuns: 3_000 },
    )
    expect(equal).toBeGreaterThan(1_000)
  })

  test('tells values apart by their hash, nearly always', () => {
    const values = Array.from({ length: 20_000 }, (_, index) => [
      index,
      `${index}`,
      { a: index },
      [index],
    ])
    const hashes = new Set(values.flat().map((one) => hashJson(one, meter)))
    expect(hashes.size).toBeGreaterThan(79_900)
  })

  test('decides enum, const and uniqueItems', () => {
    const isValid = (schema: object, one: Json): boolean =>
      compileSchema(schema, { where: 'schema', maxValueBytes: 1_000 }).validate(one) === undefined
    fc.assert(
      fc.property(pair, fc.array(value, { maxLength: 5 }), ([a, b], others) => {
        const same = isEqual(a, b)
        expect(isValid({ const: a }, b)).toBe(same)
        expect(isValid({ enum: [a, ...others] }, b)).toBe(
          [a, ...others].some((one) => isEqual(one, b)),
        )
        const items = [a, ...others, b]
        const isUnique = items.every((x, at) => items.every((y, to) => at === to || !isEqual(x, y)))
        expect(isValid({ uniqueItems: true }, items)).toBe(isUnique)
      }),
      { numRuns: 250 },
    )
  })
})

describe('multipleOf', () => {
  test('divides the decimal numbers that were written', () => {
    const decimals = fc.tuple(
      fc.integer({ min: -100_000, max: 100_000 }),
      fc.integer({ min: 0, max: 6 }),
    )
    fc.assert(
      fc.property(decimals, decimals, ([a, places], [b, others]) => {
        fc.pre(b > 0)
        const most = Math.max(places, others)
        const expected = (a * 10 ** (most - places)) % (b * 10 ** (most - others)) === 0
        const schema = { multipleOf: Number(`${b}e-${others}`) }
        const compiled = compileSchema(schema, { where: 'schema', maxValueBytes: 1_000 })
        expect(compiled.validate(Number(`${a}e-${places}`)) === undefined).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    [0.1, 0.3, true],
    [0.01, 0.07, true],
    [0.01, 4.35, true],
    [0.01, 4.351, false],
    [0.1, 1e22, true],
    [3, 1e22, false],
    [1e-7, 3e-7, true],
    [1e21, 3e21, true],
    [1e21, 1, false],
    [7, 9007199254740991, false],
    [5e-324, 1.7976931348623157e308, true],
  ])('%s divides %s: %s', (multipleOf, one, expected) => {
    const compiled = compileSchema({ multipleOf }, { where: 'schema', maxValueBytes: 1_000 })
    expect(compiled.validate(one) === undefined).toBe(expected)
  })
})
