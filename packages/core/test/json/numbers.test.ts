// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { findInexact } from '../../src/json/find-inexact.ts'
import { readJson } from '../../src/json/read-json.ts'
import type { JsonAccepted } from '../../src/json/reading.ts'

function accepted(text: string): JsonAccepted {
  const reading = readJson(Buffer.from(text))
  if (!reading.ok) throw new Error(reading.refusal.message)
  return reading
}

describe('readJson: numbers', () => {
  test.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740991.5', 9007199254740992],
    ['1e300', 1e300],
    ['9007199254740993.0', 9007199254740992],
    ['9007199254740993e0', 9007199254740992],
    ['1e-400', 0],
  ])('reads %s as a number', (text, value) => {
    expect(accepted(text)).toMatchObject({ value, hasInexact: false })
    expect(accepted(`{"a":[${text}]}`)).toMatchObject({ value: { a: [value] }, hasInexact: false })
  })

  test.each([
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740992', -9007199254740992n],
    ['12345678901234567890', 12345678901234567890n],
    [`1${'0'.repeat(400)}`, 10n ** 400n],
    ['-'.concat('7'.repeat(4_096)), -BigInt('7'.repeat(4_096))],
  ])('reads the integer %s exactly', (text, value) => {
    expect(accepted(text)).toMatchObject({ value, hasInexact: true })
    expect(accepted(`[1,{"a":${text}}]`)).toMatchObject({
      value: [1, { a: value }],
      hasInexact: true,
    })
  })

  test.each([
    ['1e400', Infinity],
    ['-1e400', -Infinity],
    ['0.1e400', Infinity],
    [`1${'0'.repeat(400)}.0`, Infinity],
    ['7'.repeat(4_097), Infinity],
    [`-${'7'.repeat(4_097)}`, -Infinity],
  ])('reads %s, which is too large to hold, as an infinity', (text, value) => {
    expect(accepted(`{"a":${text}}`)).toMatchObject({ value: { a: value }, hasInexact: true })
  })

  test('finds the text of each number where keys change their order', () => {
    const text =
      '{"b":90071992547409931,"2":[-90071992547409932],"1":{"\\u0063":90071992547409933}}'
    expect(accepted(text).value).toEqual({
      b: 90071992547409931n,
      2: [-90071992547409932n],
      1: { c: 90071992547409933n },
    })
  })
})

describe('isIntegerLexeme', () => {
  test('tells 1 from 1.0 and 1e0', () => {
    const { isIntegerLexeme } = accepted('{"a":1,"b":1.0,"c":1e0,"d":[10E1,-0,{"e":0.5}]}')
    expect(isIntegerLexeme(['a'])).toBe(true)
    expect(isIntegerLexeme(['b'])).toBe(false)
    expect(isIntegerLexeme(['c'])).toBe(false)
    expect(isIntegerLexeme(['d', '0'])).toBe(false)
    expect(isIntegerLexeme(['d', '1'])).toBe(true)
    expect(isIntegerLexeme(['d', '2', 'e'])).toBe(false)
  })

  test('takes keys after unescaping, and a number at the root', () => {
    expect(accepted('{ "\\u0069d" : 1.0 }').isIntegerLexeme(['id'])).toBe(false)
    expect(accepted(' 1.0 ').isIntegerLexeme([])).toBe(false)
    expect(accepted('1').isIntegerLexeme([])).toBe(true)
  })

  test('says true of integers beyond a number and false of other overflows', () => {
    const { isIntegerLexeme } = accepted('[12345678901234567890,1e400]')
    expect(isIntegerLexeme(['0'])).toBe(true)
    expect(isIntegerLexeme(['1'])).toBe(false)
  })

  test('says true where there is no number', () => {
    const { isIntegerLexeme } = accepted('{"a":"1.5","b":[1.5],"e":true}')
    for (const path of [[], ['a'], ['b'], ['e'], ['c'], ['b', '1'], ['b', '-1'], ['a', '0']]) {
      expect(isIntegerLexeme(path)).toBe(true)
    }
    expect(isIntegerLexeme(['__proto__', 'x'])).toBe(true)
  })

  test('is not misled by letters, strings and later changes of the value', () => {
    expect(accepted('{"e":true,"f":false,"1.5":1}').isIntegerLexeme(['1.5'])).toBe(true)
    const reading = accepted('{"a":1.0}')
    Object.assign(Object(reading.value), { a: 1, b: 2 })
    expect(reading.isIntegerLexeme(['a'])).toBe(false)
  })
})

describe('findInexact', () => {
  test.each([
    ['{"opts":{"limit":9007199254740993}}', { path: 'opts.limit', kind: 'integer' }],
    ['{"tags":["a",1e400]}', { path: 'tags[1]', kind: 'overflow' }],
    ['{"a":[[0],[{"b":-1e400}]]}', { path: 'a[1][0].b', kind: 'overflow' }],
    ['[1,[9007199254740993,1e400]]', { path: '[1][0]', kind: 'integer' }],
    ['9007199254740993', { path: '', kind: 'integer' }],
    ['{"a":{"b":1e300,"c":[],"d":null,"e":"1e400"}}', undefined],
  ])('finds the first one of %s', (text, found) => {
    expect(findInexact(accepted(text).value)).toEqual(found)
  })

  test('puts the given path first', () => {
    expect(findInexact([{ a: 2n }], 'arguments')?.path).toBe('arguments[0].a')
    expect(findInexact({ a: Infinity }, 'arguments')?.path).toBe('arguments.a')
    expect(findInexact(-Infinity, 'arguments')?.path).toBe('arguments')
  })
})
