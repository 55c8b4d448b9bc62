// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareCodePoints } from '../../src/protocol/collate.ts'
import { cutText, echo, kindOf } from '../../src/protocol/echo.ts'
import { encodeJson } from '../../src/protocol/encode-json.ts'
import { nearestName } from '../../src/protocol/nearest-name.ts'

const text = fc.string({ unit: 'binary' })

describe('compareCodePoints', () => {
  test('puts U+FB33 before U+1F600, which UTF-16 does not', () => {
    expect(['😀', '\ufb33'].sort(compareCodePoints)).toEqual(['\ufb33', '😀'])
    expect(['😀', '\ufb33'].sort()).toEqual(['😀', '\ufb33'])
  })

  test('is the order of the bytes in UTF-8', () => {
    const edge = fc.constantFrom('\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}', 'a', '')
    const mixed = fc.array(fc.oneof(edge, text), { maxLength: 4 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(mixed, mixed, (a, b) => {
        const expected = Buffer.compare(Buffer.from(a), Buffer.from(b))
        expect(Math.sign(compareCodePoints(a, b))).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  test('puts a prefix first and equals only itself', () => {
    expect(compareCodePoints('a', 'ab')).toBeLessThan(0)
    expect(compareCodePoints('', '')).toBe(0)
    expect(compareCodePoints('😀', '😀')).toBe(0)
  })
})

describe('cutText', () => {
  test('keeps the first 256 characters, none of them halved', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600, size: 'max' }), (given) => {
        const cut = cutText(given)
        expect(cut).toBe([...given].slice(0, 256).join(''))
        expect(cut.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('echo', () => {
  test.each<readonly [unknown, string]>([
    ['text', 'text'],
    ['', ''],
    [null, 'null'],
    [undefined, 'nothing'],
    [[], 'an array'],
    [{}, 'an object'],
    [5, 'a number'],
    [1n, 'a number'],
    [true, 'a scalar'],
    [false, 'a scalar'],
  ])('of case %# names what is no string by its kind', (value, shown) => {
    expect(echo(value)).toBe(shown)
    if (typeof value !== 'string') expect(kindOf(value)).toBe(shown)
  })

  test('names a string as one where its kind is asked for', () => {
    expect(kindOf('null')).toBe('a string')
  })
})

describe('nearestName', () => {
  const KNOWN = ['catalog', 'dispatch', 'pageSize', 'bodyLimit', 'cache']
  test.each([
    ['catalogue', 'catalog'],
    ['CATALOG', 'catalog'],
    ['dispach', 'dispatch'],
    ['page_size', 'pageSize'],
    ['pagesize', 'pageSize'],
    ['body', undefined],
    ['bodylimits', 'bodyLimit'],
    ['cahce', 'cache'],
    ['authorize', undefined],
    ['x', undefined],
    ['', undefined],
    ['é'.repeat(100_000), undefined],
  ])('finds in case %#', (given, expected) => {
    expect(nearestName(given, KNOWN)).toBe(expected)
  })

  test('finds every known name for itself', () => {
    for (const name of KNOWN) expect(nearestName(name, KNOWN)).toBe(name)
  })

  test('finds none among none', () => {
    expect(nearestName('a', [])).toBeUndefined()
  })
})

describe('encodeJson', () => {
  test('writes what JSON.stringify writes of every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(encodeJson(value)).toEqual({ ok: true, json: JSON.stringify(value) })
      }),
    )
  })

  test.each<readonly [string, unknown, string]>([
    ['a null', null, 'null'],
    ['the word null', 'null', '"null"'],
    ['nulls within', { a: [null], b: 'null' }, '{"a":[null],"b":"null"}'],
    ['an undefined member', { a: undefined, b: null }, '{"b":null}'],
    ['a function member', { a: () => 1, b: null }, '{"b":null}'],
    ['a date', [new Date(0), null], '["1970-01-01T00:00:00.000Z",null]'],
    ['a date that is none, which says null of itself', new Date(Number.NaN), 'null'],
    ['minus zero', -0, '0'],
    ['an empty object of another prototype', Object.create({ inherited: 1 }), '{}'],
  ])('writes %s', (_, value, json) => {
    expect(encodeJson(value)).toEqual({ ok: true, json })
  })

  const loop: unknown[] = []
  loop.push(loop)
  const CANNOT = 'a value that JSON cannot carry (a cycle, a bigint or a failing toJSON)'
  const NULL =
    'a value that JSON would turn into null or {} (NaN, an infinity, undefined in a list, a Map or an Error)'
  test.each<readonly [string, unknown, string]>([
    ['undefined', undefined, 'undefined, which JSON cannot carry'],
    ['a function', () => 1, 'function, which JSON cannot carry'],
    ['a symbol', Symbol('x'), 'symbol, which JSON cannot carry'],
    ['a bigint', 1n, CANNOT],
    ['a bigint within', { a: [1n] }, CANNOT],
    ['a cycle', loop, CANNOT],
    ['NaN', Number.NaN, NULL],
    ['an infinity', Number.NEGATIVE_INFINITY, NULL],
    ['NaN within', { a: [{ b: Number.NaN }] }, NULL],
    ['NaN beside a null', [null, Number.NaN], NULL],
    ['undefined in a list', [undefined], NULL],
    ['a hole', Object.assign([], { 1: 1 }), NULL],
    ['a function in a list', [() => 1], NULL],
    ['a symbol in a list', [Symbol('x')], NULL],
    ['a map', new Map([[1, 2]]), NULL],
    ['a set within', { a: [new Set([1])] }, NULL],
    ['an error', new Error('x'), NULL],
    ['a promise', Promise.resolve(1), NULL],
    ['NaN in what toJSON answers', { toJSON: () => ({ a: Number.NaN }) }, NULL],
  ])('refuses %s', (_, value, why) => {
    expect(encodeJson(value)).toEqual({ ok: false, why })
  })
})
