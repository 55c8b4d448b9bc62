// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../src/json/parse-json.ts'
import { readJson } from '../../src/json/read-json.ts'

/*
 * V8 may take an escaped key for the key that the last object of this shape had in its place, if
 * that one is the beginning of the escape: `\` or `\u00` for `\u0061`. So each test makes such an
 * object first, under a key of its own for no other test to have given the shape a second way on.
 */
const prime = (key: string, inside: string): void => {
  JSON.parse(`{${JSON.stringify(key)}:0,${JSON.stringify(inside)}:0}`)
}

const read = (text: string) => readJson(Buffer.from(text))

describe('parseJson, after an object whose key is the beginning of an escape', () => {
  test.each([
    ['a letter', '\\u0061', 'a'],
    ['a letter beyond ASCII', '\\u00e9', 'é'],
    ['a letter beyond Latin-1', '\\u2603', '☃'],
    ['a pair of surrogates', '\\ud83d\\ude00', '😀'],
    ['a quote', '\\"', '"'],
    ['a line feed', '\\n', '\n'],
    ['a slash', '\\/', '/'],
    ['an escape at the end', 'abc\\u0064', 'abcd'],
    ['an escape in the middle', 'n\\u0061me', 'name'],
    ['an escape and then more', '\\u006eame and more', 'name and more'],
  ])('reads the key that is written: %s', (what, written, key) => {
    prime(what, written.slice(0, key.length))
    const text = `{${JSON.stringify(what)}:1,"${written}":2}`
    expect(Object.entries(Object(parseJson(text)))).toEqual([
      [what, 1],
      [key, 2],
    ])
  })

  test('reads it in text that has characters beyond Latin-1', () => {
    prime('☃', '\\')
    expect(parseJson('{"☃":1,"\\u0061":2}')).toEqual({ '☃': 1, a: 2 })
  })

  test('reads it deep inside, with white space around it', () => {
    prime('deep', '\\')
    const text = ' [ 1.5 , { "x" : { "deep" : null , "\\u0061" \n : "\\u0061\\\\" } } ] '
    expect(parseJson(text)).toEqual([1.5, { x: { deep: null, a: 'a\\' } }])
  })

  test('keeps both members when the other key is there too', () => {
    JSON.parse('{"both":0,"\\\\":0,"z":0}')
    expect(parseJson('{"both":0,"\\u0061":1,"\\\\":2}')).toEqual({ both: 0, a: 1, '\\': 2 })
  })

  test('reads any escaped key', () => {
    const piece = fc.constantFrom('a', 'u', 'b', ' ', '\\\\', '\\"', '\\u0061', '\\u005c', '\\n')
    let shapes = 0
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
        const written = pieces.join('')
        const key: string = JSON.parse(`"${written}"`)
        const first = `shape ${shapes++}`
        prime(first, written.slice(0, key.length))
        expect(Object.keys(Object(parseJson(`{"${first}":1,"${written}":2}`)))).toEqual([
          first,
          key,
        ])
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('readJson, after an object whose key is the beginning of an escape', () => {
  test('refuses the key that is repeated', () => {
    prime('name', '\\u00')
    expect(read('{"name":"echo","\\u006eame":"wipe"}')).toMatchObject({
      ok: false,
      refusal: { kind: 'repeated_key' },
    })
  })

  test('keeps integers exact, and knows how a number was written', () => {
    prime('exact', '\\')
    const reading = read('{"exact":1.0,"\\u0061":[9007199254740993]}')
    expect(reading).toMatchObject({ value: { exact: 1, a: [9007199254740993n] }, hasInexact: true })
    expect(reading.ok && reading.isIntegerLexeme(['exact'])).toBe(false)
    expect(reading.ok && reading.isIntegerLexeme(['a', '0'])).toBe(true)
  })
})

describe('parseJson', () => {
  test('makes __proto__ an own member, escaped or not', () => {
    for (const key of ['__proto__', '\\u005f_proto__']) {
      const value = Object(parseJson(`{"${key}":{"admin":true},"\\u0061":1}`))
      expect(Object.keys(value)).toEqual(['__proto__', 'a'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    }
  })

  test('keeps the last of the members that share a key', () => {
    expect(parseJson('{"a":1,"\\u0061":2}')).toEqual({ a: 2 })
  })

  test('throws a SyntaxError for what is not JSON', () => {
    for (const text of ['', '{"\\u0061"', '{"\\u0061":1,}', '"\\', '{"\\x":1}', '[1]]']) {
      expect(() => parseJson(text)).toThrow(SyntaxError)
    }
  })
})
