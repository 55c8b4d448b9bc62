// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJson } from '../../src/json/read-json.ts'
import { readValue } from '../../src/json/read-value.ts'
import type { JsonAccepted } from '../../src/json/reading.ts'

const NESTING = {
  ok: false,
  refusal: { kind: 'nesting', message: 'Request body nests deeper than 64 levels' },
}
const SYNTAX = {
  ok: false,
  refusal: { kind: 'syntax', message: 'Parse error: body is not valid JSON' },
}

function accepted(value: unknown): JsonAccepted {
  const reading = readValue(value)
  if (!reading.ok) throw new Error(reading.refusal.message)
  return reading
}

function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = level % 2 ? { value } : [value]
  return value
}

describe('readValue', () => {
  test('gives a fresh, plain copy', () => {
    const given = Object.assign(Object.create(null), { a: [1, { b: 'ü' }], c: null, d: true })
    const { value, hasInexact } = accepted(given)
    expect(value).toStrictEqual({ a: [1, { b: 'ü' }], c: null, d: true })
    expect(hasInexact).toBe(false)
    given.a[1].b = 'changed'
    given.a.push(2)
    expect(value).toStrictEqual({ a: [1, { b: 'ü' }], c: null, d: true })
  })

  test('leaves out members that are undefined', () => {
    expect(Object.keys(Object(accepted({ a: undefined, b: 1 }).value))).toEqual(['b'])
  })

  test('takes no notice of members that are not enumerable, or inherited', () => {
    const given = Object.defineProperty({ a: 1 }, 'hidden', { value: () => 1 })
    expect(accepted(given).value).toStrictEqual({ a: 1 })
  })

  test('invokes each getter once', () => {
    let calls = 0
    const given = {
      get a() {
        return ++calls
      },
    }
    expect(accepted({ inner: [given] }).value).toStrictEqual({ inner: [{ a: 1 }] })
    expect(calls).toBe(1)
  })

  test('keeps __proto__ as own data', () => {
    const given: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":1}')
    const value = Object(accepted(given).value)
    expect(isDeepStrictEqual(value, given)).toBe(true)
    expect(value.admin).toBeUndefined()
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('reads the same when somebody has put things on Object.prototype', () => {
    const given = { polluted: 1, get: [2], value: { a: 3 } }
    const names = ['polluted', 'get', 'value', '0']
    let reading: unknown
    try {
      for (const name of names) {
        const pollution = { __proto__: null, enumerable: true, configurable: true, set() {} }
        Object.defineProperty(Object.prototype, name, pollution)
      }
      reading = readValue(given)
    } finally {
      for (const name of names) Reflect.deleteProperty(Object.prototype, name)
    }
    expect(reading).toMatchObject({ ok: true, value: given })
  })

  test('admits 64 levels and refuses 65, and with that every cycle', () => {
    expect(readValue(nested(64)).ok).toBe(true)
    expect(readValue(nested(65))).toEqual(NESTING)
    const object: Record<string, unknown> = {}
    object['self'] = object
    expect(readValue(object)).toEqual(NESTING)
    const list: unknown[] = []
    list.push(list, list)
    expect(readValue(list)).toEqual(NESTING)
  })

  test('refuses more than 1,048,576 values, however few objects they share', () => {
    const list: unknown[] = new Array(1_048_575).fill(0)
    expect(readValue(list).ok).toBe(true)
    expect(readValue([...list, 0])).toEqual(SYNTAX)
    let shared: unknown = 1
    for (let level = 0; level < 60; level++) shared = [shared, shared]
    expect(readValue(shared)).toEqual(SYNTAX)
  })

  class Point {
    x = 1
  }
  class List extends Array<number> {}

  test.each([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['NaN', Number.NaN],
    ['an infinity', -Infinity],
    ['a lone surrogate', 'a\ud800'],
    ['a key with a lone surrogate', { '\udc00': 1 }],
    ['a key that is a symbol', { [Symbol('s')]: 1 }],
    ['a list with a key that is a symbol', Object.assign([1], { [Symbol('s')]: 1 })],
    ['an instance of a class', new Point()],
    ['an instance of a class of lists', new List()],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', Buffer.from('{}')],
    ['a boxed number', Object(1)],
    ['a promise', Promise.resolve()],
    ['an object with a prototype of its own', Object.create({ a: 1 })],
    ['a method', { toJSON: () => 1 }],
    ['undefined in a list', [undefined]],
    ['a hole in a list', new Array(1)],
    ['a list of nothing but holes', new Array(4_294_967_295)],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('no')
        },
      },
    ],
    ['a proxy that was revoked', revoked()],
  ])('refuses %s', (_, value) => {
    expect(readValue(value)).toEqual(SYNTAX)
    expect(readValue({ a: [value] }).ok && value !== undefined).toBe(false)
  })

  test('turns a safe bigint into a number and keeps the others', () => {
    expect(accepted([1n, -(2n ** 53n) + 1n])).toMatchObject({
      value: [1, -9007199254740991],
      hasInexact: false,
    })
    for (const value of [2n ** 53n, -(2n ** 53n), 10n ** 400n]) {
      expect(accepted([value])).toMatchObject({ value: [value], hasInexact: true })
    }
  })

  test('isIntegerLexeme goes by how the number would be written', () => {
    const { isIntegerLexeme } = accepted({ a: 1, b: 1.5, c: [2n ** 60n, 1e300, 1e20], d: 'x.e' })
    expect(isIntegerLexeme(['a'])).toBe(true)
    expect(isIntegerLexeme(['b'])).toBe(false)
    expect(isIntegerLexeme(['c', '0'])).toBe(true)
    expect(isIntegerLexeme(['c', '1'])).toBe(false)
    expect(isIntegerLexeme(['c', '2'])).toBe(true)
    for (const path of [[], ['c'], ['d'], ['e'], ['d', 'length'], ['__proto__', 'x']]) {
      expect(isIntegerLexeme(path)).toBe(true)
    }
  })

  test('admits what readJson gives, and gives the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const reading = readJson(Buffer.from(JSON.stringify(given)))
        if (!reading.ok) return
        const again = accepted(reading.value)
        expect(isDeepStrictEqual(again.value, reading.value)).toBe(true)
        expect(again.hasInexact).toBe(reading.hasInexact)
      }),
      { numRuns: 300 },
    )
  })
})

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
