// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJson } from '../../src/json/read-json.ts'
import { referenceRead } from './reference-reader.ts'

const space = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n  ')

const piece = fc.oneof(
  fc.constantFrom('a', 'b', ':', '[', '{', ']', '}', ',', ' ', 'ü', '☃', '😀', '\ufeff', '1.5'),
  fc.constantFrom('\\"', '\\\\', '\\/', '\\n', '\\u0061', '\\u0000', '\\ud83d\\ude00', '\\u00E9'),
  { arbitrary: fc.constantFrom('\\ud83d', '\\ude00', '\\uDFFF'), weight: 1 },
)
const text = fc.oneof(
  { arbitrary: fc.array(piece, { maxLength: 4 }), weight: 8 },
  { arbitrary: fc.array(piece, { minLength: 40, maxLength: 120 }), weight: 1 },
)
// Mostly without lone surrogates, or hardly any text of some size is read.
const string = text.map((pieces) => {
  const joined = pieces.join('')
  return pieces.length > 2 ? `"${joined.replace(/\\u[dD][0-9a-fA-F]{3}/g, 'x')}"` : `"${joined}"`
})
const key = fc.oneof(
  fc.constantFrom('"a"', '"\\u0061"', '"b"', '"c"', '"0"', '"10"', '""', '"id"', '"d"', '"e"'),
  fc.constantFrom('"__proto__"', '"constructor"', '"\\u005f_proto__"'),
  string,
)
const integer = fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})$/)
const number = fc.oneof(
  integer,
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/),
)

const { json } = fc.letrec<{ json: string }>((tie) => {
  const list = fc
    .array(
      fc.tuple(space, tie('json'), space).map((parts) => parts.join('')),
      { maxLength: 5 },
    )
    .map((items) => `[${items.join(',')}]`)
  const object = fc
    .array(
      fc.tuple(space, key, space, tie('json')).map(([a, k, b, v]) => `${a}${k}${b}:${a}${v}${b}`),
      { maxLength: 4 },
    )
    .map((members) => `{${members.join(',')}}`)
  return {
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(number, string, fc.constantFrom('true', 'false', 'null')),
      list,
      object,
    ),
  }
})

const wrapped = fc
  .tuple(json, fc.integer({ min: 0, max: 70 }), fc.boolean())
  .map(([inner, levels, isObject]) =>
    isObject
      ? '{"a":'.repeat(levels) + inner + '}'.repeat(levels)
      : '['.repeat(levels) + inner + ']'.repeat(levels),
  )

/** Bytes of valid text with some of them replaced, left out or doubled. */
const mutated = fc
  .tuple(
    json,
    fc.array(
      fc.record({
        at: fc.nat(),
        byte: fc.oneof(
          fc.constantFrom(...Buffer.from('"\\[]{}:,.eE-0 u\n')),
          fc.integer({ min: 0, max: 255 }),
        ),
        way: fc.constantFrom('replace', 'remove', 'insert'),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([source, changes]) => {
    const bytes = [...Buffer.from(source)]
    for (const { at, byte, way } of changes) {
      const removed = way === 'insert' ? 0 : 1
      bytes.splice(at % (bytes.length + 1), removed, ...(way === 'remove' ? [] : [byte]))
    }
    return Uint8Array.from(bytes)
  })

/** Text that is seldom valid, made of what makes JSON. */
const soup = fc
  .array(
    fc.constantFrom(...'[]{}:,"\\01-+.eEu \n', '"a"', 'true', 'null', '"a":1', '\\ud800', 'ü'),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

/** `repeated_key` with its key, another refusal, or the value: what both readers must agree on. */
function outcome(bytes: Uint8Array): unknown {
  const reading = readJson(bytes)
  if (reading.ok) return { kind: 'read', value: reading.value }
  const { kind, message } = reading.refusal
  if (kind !== 'repeated_key') return { kind }
  return { kind, key: message.slice('Request body repeats a key: duplicate key "'.length, -1) }
}

function agree(bytes: Uint8Array): void {
  const expected = referenceRead(bytes)
  const actual = outcome(bytes)
  if (expected.kind === 'read') {
    const { kind, value } = expected
    if (!isDeepStrictEqual(actual, { kind, value })) expect(actual).toEqual({ kind, value })
  } else if (expected.kind === 'repeated_key') {
    const shown = [...expected.key].slice(0, 256).join('')
    expect(actual).toEqual({ kind: 'repeated_key', key: shown })
  } else expect(actual).toEqual(expected)
}

function parsed(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(Buffer.from(bytes).toString('utf8')) }
  } catch {
    return undefined
  }
}

function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(rounded)
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, rounded(v)]))
}

/** The value with what `JSON.stringify` does not write left out: prototypes and the sign of zero. */
function written(value: unknown): unknown {
  if (typeof value === 'number') return value + 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(written)
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, written(v)]))
}

describe('readJson, for all texts', () => {
  test.each([
    ['JSON', json],
    ['deep JSON', wrapped],
    ['text made of the parts of JSON', soup],
  ])('agrees with the reference reader: %s', (_, source) => {
    fc.assert(
      fc.property(source, (text) => agree(Buffer.from(text))),
      { numRuns: 1_500 },
    )
  })

  test('agrees with the reference reader: JSON with changed bytes', () => {
    fc.assert(fc.property(mutated, agree), { numRuns: 3_000 })
  })

  test('agrees with the reference reader: any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 20 }), agree), { numRuns: 1_500 })
  })

  test('reads nothing that JSON.parse refuses, and the same value up to rounding', () => {
    const bytes = fc.oneof(
      mutated,
      json.map((text) => Buffer.from(text)),
    )
    fc.assert(
      fc.property(bytes, (input) => {
        const reading = readJson(input)
        if (!reading.ok) return
        const native = parsed(input)
        expect(native).toBeDefined()
        // With an escaped key `JSON.parse` is no witness, see parse-json.test.ts.
        if (input.includes(0x5c)) return
        expect(isDeepStrictEqual({ value: rounded(reading.value) }, native)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const bytes = Buffer.from(JSON.stringify(value))
        const reading = readJson(bytes)
        expect(reading.ok).toBe(true)
        if (reading.ok) {
          expect(isDeepStrictEqual(rounded(reading.value), written(value))).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('readJson, for all numbers', () => {
  test('integers of any size up to 4,096 digits round trip', () => {
    const digits = fc.oneof(integer, fc.bigInt().map(String), fc.constant(`-${'9'.repeat(4_096)}`))
    fc.assert(
      fc.property(digits, (lexeme) => {
        const reading = readJson(Buffer.from(`{"a":[${lexeme}]}`))
        expect(reading.ok && Object(reading.value).a[0].toString()).toBe(
          lexeme === '-0' ? '0' : lexeme,
        )
      }),
      { numRuns: 1_000 },
    )
  })

  test('hasInexact says whether the value holds a bigint or an infinity', () => {
    const hasInexact = (value: unknown): boolean =>
      typeof value === 'object' && value !== null
        ? Object.values(value).some(hasInexact)
        : typeof value === 'bigint' || value === Infinity || value === -Infinity
    fc.assert(
      fc.property(json, (text) => {
        const reading = readJson(Buffer.from(text))
        if (reading.ok) expect(reading.hasInexact).toBe(hasInexact(reading.value))
      }),
      { numRuns: 1_000 },
    )
  })

  test('isIntegerLexeme says what the text of each number says', () => {
    fc.assert(
      fc.property(json, (text) => {
        const bytes = Buffer.from(text)
        const reading = readJson(bytes)
        const expected = referenceRead(bytes)
        if (!reading.ok || expected.kind !== 'read') return
        for (const { path, lexeme } of expected.lexemes) {
          expect(reading.isIntegerLexeme(path)).toBe(/^-?[0-9]+$/.test(lexeme))
        }
      }),
      { numRuns: 1_500 },
    )
  })
})
