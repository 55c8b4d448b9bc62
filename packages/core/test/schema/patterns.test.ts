// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { SCHEMA_LIMITS } from '../../src/schema/limits.ts'
import { divideAlphabet } from '../../src/schema/patterns/alphabet.ts'
import { buildAutomaton } from '../../src/schema/patterns/automaton.ts'
import { WORD } from '../../src/schema/patterns/code-points.ts'
import { type CompiledPattern, compilePattern } from '../../src/schema/patterns/compile-pattern.ts'
import { createLazyStates, type LazyStates } from '../../src/schema/patterns/lazy-states.ts'
import { parsePattern } from '../../src/schema/patterns/parse-pattern.ts'
import { openStates } from '../../src/schema/patterns/state-space.ts'
import { writeRe2 } from './re2-text.ts'

const RUNS = Number(process.env['RUNS'] ?? 400)

function compiled(source: string, allowNative = false): CompiledPattern {
  const result = compilePattern(source, allowNative)
  if ('refused' in result) throw new Error(`${source} ${result.refused}`)
  return result
}

/** What a test of a text says, and the work that it is charged. */
function run(machine: CompiledPattern, value: string): { matches: boolean; work: number } {
  const meter = { left: 1e9 }
  const matches = machine.test(value, meter)
  machine.forget()
  return { matches, work: 1e9 - meter.left }
}

function matches(machine: CompiledPattern, value: string): boolean {
  return run(machine, value).matches
}

/** The pattern run without a table, which small ones never are outside this test. */
function compiledLazily(source: string): LazyStates {
  const automaton = buildAutomaton(parsePattern(source))
  const sets = automaton?.hasWordPlaces === true ? [...automaton.sets, WORD] : automaton?.sets
  const alphabet = divideAlphabet(sets ?? [])
  if (automaton === undefined || alphabet === undefined) throw new Error(`${source} is too large`)
  const wordSet = automaton.hasWordPlaces ? automaton.sets.length : undefined
  return createLazyStates(openStates(automaton, alphabet, wordSet), alphabet)
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
    // The native engine may take a time exponential in the length.
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

/**
 * What the native engine says, asked where each character begins, and at the end: left to search, V8
 * also looks between the two halves of a surrogate pair, where `\B` then holds.
 */
function nativeMatches(source: string, value: string): boolean {
  const native = new RegExp(source, 'uy')
  let at = 0
  for (const character of [...value, '']) {
    native.lastIndex = at
    if (native.test(value)) return true
    at += character.length
  }
  return false
}

function isValidPattern(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

describe('compilePattern', () => {
  test('agrees with the native engine and re2js, with a table of states and without', () => {
    let tables = 0
    fc.assert(
      fc.property(
        pattern.filter(isValidPattern),
        fc.array(text, { minLength: 1, maxLength: 8 }),
        (source, texts) => {
          const own = compiled(source)
          const re2 = RE2JS.compile(writeRe2(parsePattern(source)))
          const lazy = compiledLazily(source)
          if (own.engine === 'table') tables++
          for (const one of texts) {
            const expected = { text: one, matches: nativeMatches(source, one) }
            expect({ text: one, matches: matches(own, one) }).toEqual(expected)
            expect({ text: one, matches: lazy.test(one, { left: 1e9 }) }).toEqual(expected)
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
    ['\\B', 'a😀a', false],
    ['\\B', '😀', true],
  ])('reads %j as ECMAScript does: %j gives %j', (source, value, expected) => {
    expect(matches(compiled(source), value)).toBe(expected)
    expect(nativeMatches(source, value)).toBe(expected)
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
    expect(machine.engine).toBe('states')
    expect(machine.longest).toBeLessThan(SCHEMA_LIMITS.patternWork)
    expect(matches(machine, `a${'b'.repeat(14)}`)).toBe(true)
    expect(matches(machine, 'b'.repeat(15))).toBe(false)
  })

  const noTable = [
    '(a|b)*a(a|b){14}$',
    '(a|b)*a(a|b){400}$',
    'a.{12}$',
    'foo.{0,30}bar.{0,30}baz',
    '(?:a|ab|abc|bb?|[a-c]{1,3}){1,200}x$',
    '\\ba.{0,60}b\\b\\w{20}$',
  ]

  /** A text of the given pieces in an order without a pattern to it. */
  function mixed(pieces: readonly string[], length: number): string {
    let state = 1
    let out = ''
    while (out.length < length) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      out += pieces[Math.floor((state / 2_147_483_648) * pieces.length)]
    }
    return out.slice(0, length)
  }

  test.each(noTable)('charges %s no more than one validation has', (source) => {
    const machine = compiled(source)
    expect(machine.engine).toBe('states')
    for (const pieces of [
      ['a', 'b'],
      ['foo', 'bar', 'x'],
      ['a', 'b', 'c', ' '],
      ['a ', 'b'],
    ]) {
      const { work } = run(machine, mixed(pieces, machine.longest))
      expect(work).toBeLessThan(SCHEMA_LIMITS.leastWork)
    }
  })

  test.each(noTable)('charges %s the same each time, and a usual text little', (source) => {
    const machine = compiled(source)
    const words = ['the ', 'quick ', 'foo ', 'and ', 'bar ', 'of ', 'the ', 'lazy ', 'letters ']
    const one = mixed(words, machine.longest)
    const other = mixed(['a', 'b', 'foo', 'bar'], machine.longest)
    const first = [one, other].map((value) => run(machine, value))
    expect([one, other].map((value) => run(machine, value))).toEqual(first)
    const { work } = run(compiled('foo.{0,30}bar.{0,30}baz'), 'text and letters '.repeat(100))
    expect(work).toBeLessThan(5_000)
  })

  test('forgets what it has found when that becomes too much, and goes on', () => {
    const lazy = compiledLazily('(a|b)*a(a|b){40}$')
    const value = mixed(['a', 'b'], 20_000)
    const agreed = Array.from({ length: 20 }, (_, index) => {
      const one = value.slice(0, value.length - index)
      return lazy.test(one, { left: 1e9 }) === (one.at(-41) === 'a')
    })
    expect(agreed).not.toContain(false)
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
    expect('refused' in result || matches(result, 'a')).toBe(true)
  })
})
