// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { SCHEMA_LIMITS } from '../../src/schema/limits.ts'
import { type CompiledPattern, compilePattern } from '../../src/schema/patterns/compile-pattern.ts'
import { parsePattern } from '../../src/schema/patterns/parse-pattern.ts'
import { writeRe2 } from '../../src/schema/patterns/re2-text.ts'

const RUNS = Number(process.env['RUNS'] ?? 400)

function compiled(source: string, allowNative = false): CompiledPattern {
  const result = compilePattern(source, allowNative)
  if ('refused' in result) throw new Error(`${source} ${result.refused}`)
  return result
}

const atom = fc.constantFrom(
  ...['a', 'b', 'A', '1', ' ', '-', '_', '"', 'é', '漢', '😀', '\n', '\u2028', '.', ','],
  ...['\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\t', '\\n', '\\0', '\\cJ', '\\x61', '\\u0062'],
  ...['\\u{1F600}', '\\uD83D\\uDE00', '\\uD83D', '\\/', '\\.', '\\$', '\\p{L}', '\\P{Lu}'],
  ...['\\p{Script=Greek}', '\\p{White_Space}', '[]', '[^]', '[^a-c]', '[\\d_-]', '[^\\s]'],
  ...['[\\u{1F600}-\\u{1F64F}]', '[\\b]', '[a\\-z]', '[^\\p{L}]', '[--a]', '[.$^]', '[\\W\\d]'],
)
const place = fc.constantFrom('^', '$', '\\b', '\\B')
const quantifier = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '{2}', '{0,2}', '{1,}', '{0}')

const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 5, arbitrary: fc.tuple(atom, quantifier).map(([one, count]) => one + count) },
    { weight: 1, arbitrary: place },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('(', '(?:', '(?<x>'), tie('pattern'), quantifier)
        .map(([open, inner, count]) => `${open}${inner})${count}`),
    },
  ),
  pattern: fc
    .array(fc.array(tie('term'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((options) => options.map((terms) => terms.join('')).join('|')),
}))

const text = fc
  .array(
    fc.constantFrom(
      ...['a', 'b', 'A', 'z', '1', ' ', '-', '_', '"', 'é', '漢', '😀', 'α', ',', '$', '/'],
      ...['\n', '\r', '\u2028', '\u00a0', '\ufeff', '\0', '\t', '\ud83d', '\ude00', '\u0085', ']'],
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

function isValidPattern(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

describe('compilePattern', () => {
  test('agrees with the native engine, on a table of states and on re2js alike', () => {
    let tables = 0
    fc.assert(
      fc.property(
        pattern.filter(isValidPattern),
        fc.array(text, { minLength: 1, maxLength: 8 }),
        (source, texts) => {
          const native = new RegExp(source, 'u')
          const own = compiled(source)
          const re2 = RE2JS.compile(writeRe2(parsePattern(source)))
          if (own.engine === 'table') tables++
          for (const one of texts) {
            const expected = { text: one, matches: native.test(one) }
            expect({ text: one, matches: own.test(one) }).toEqual(expected)
            expect({ text: one, matches: re2.test(one) }).toEqual(expected)
          }
        },
      ),
      { numRuns: RUNS },
    )
    expect(tables).toBeGreaterThan(RUNS / 2)
  })

  test.each([
    ['.', '\u2028', false],
    ['.', '\u0085', true],
    ['^.$', '😀', true],
    ['a$', 'a\n', false],
    ['^a', '\na', false],
    ['\\s', '\u00a0', true],
    ['\\s', '\ufeff', true],
    ['\\w', 'é', false],
    ['\\bé', 'aé', true],
    ['[^]', '\n', true],
    ['[]', 'a', false],
    ['\\cJ', '\n', true],
    ['\\uD83D\\uDE00', '😀', true],
    ['\\uD83D', '😀', false],
    ['\\p{Script_Extensions=Greek}', 'α', true],
    ['\\p{Emoji_Presentation}', '😀', true],
    ['(?<year>\\d{4})', 'in 2026', true],
    ['', 'anything', true],
  ])('reads %j as ECMAScript does: %j gives %j', (source, value, expected) => {
    expect(compiled(source).test(value)).toBe(expected)
    expect(new RegExp(source, 'u').test(value)).toBe(expected)
  })

  test.each([
    '^[a-zA-Z0-9_-]+$',
    '^(.*)$',
    '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?Z$',
    '^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
    "^[\\w.!#$%&'*+\\/=?^`{|}~-]+@[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?(?:\\.[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?)*$",
    '([a-z]{1,100}){1,10}$',
    '^(a+)+$',
    '^[\\p{L}\\p{M}\\p{N}_ ]{1,64}$',
  ])('runs %s on texts of any length', (source) => {
    expect(compiled(source)).toMatchObject({ engine: 'table', longest: Infinity })
  })

  test('runs a pattern too large for a table on bounded texts', () => {
    const machine = compiled('(a|b)*a(a|b){14}$')
    expect(machine.engine).toBe('re2')
    expect(machine.longest).toBeLessThan(SCHEMA_LIMITS.patternWork)
    expect(machine.test(`a${'b'.repeat(14)}`)).toBe(true)
    expect(machine.test('b'.repeat(15))).toBe(false)
  })

  test.each([
    ['(?=a)b', 'a look-ahead'],
    ['a(?!b)', 'a look-ahead'],
    ['(?<=a)b', 'a look-behind'],
    ['(?<!a)b', 'a look-behind'],
    ['(a)\\1', 'a back-reference'],
    ['(?<x>a)\\k<x>', 'a back-reference'],
  ])('refuses %s, and runs it natively on short texts when told to', (source, feature) => {
    expect(compilePattern(source, false)).toEqual({
      refused: expect.stringContaining(`has ${feature}`),
    })
    expect(compiled(source, true)).toMatchObject({
      engine: 'native',
      longest: SCHEMA_LIMITS.nativePatternLength,
    })
  })

  test.each([
    ['\\-', 'is not valid with the u flag'],
    ['(', 'is not valid with the u flag'],
    ['a{5000}', 'is too large to run'],
    ['((a{500}){500}){500}', 'is too large to run'],
    ['a'.repeat(SCHEMA_LIMITS.patternLength + 1), 'is longer than'],
  ])("refuses what can't run, in case %#", (source, why) => {
    expect(compilePattern(source, false)).toEqual({ refused: expect.stringContaining(why) })
  })

  test('refuses a pattern of deeply nested groups without a stack overflow', () => {
    const deep = `${'('.repeat(2_000)}a${')'.repeat(2_000)}`
    const result = compilePattern(deep, false)
    expect('refused' in result || result.test('a')).toBe(true)
  })
})
