// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../src/schema/compile-schema.ts'
import { SCHEMA_LIMITS } from '../../src/schema/limits.ts'

const page = readFileSync(new URL('../../../../docs/schemas.md', import.meta.url), 'utf8')
const options = { where: "tool 'echo' inputSchema", maxValueBytes: 1_048_576 }

function withCommas(number: number): string {
  return number.toLocaleString('en-GB')
}

/** The fenced blocks of a language. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 'gs'))].map(
    ([, text = '']) => text,
  )
}

describe('the page on schemas', () => {
  test.each([
    ['nesting', `deeper than any bound | ${SCHEMA_LIMITS.nesting} |`],
    ['values', `included | ${withCommas(SCHEMA_LIMITS.values)} |`],
    ['text', `together | ${withCommas(SCHEMA_LIMITS.textLength)} |`],
    ['subschemas', `reached | ${withCommas(SCHEMA_LIMITS.subschemas)} |`],
    ['pattern length', `one pattern | ${withCommas(SCHEMA_LIMITS.patternLength)} |`],
    ['states', `if there are at most ${withCommas(SCHEMA_LIMITS.patternStates)}.`],
    ['pattern work', `at most ${withCommas(SCHEMA_LIMITS.patternWork)},`],
    ['pattern steps', `at most ${withCommas(SCHEMA_LIMITS.patternSteps)} steps`],
    ['least work', `at least ${withCommas(SCHEMA_LIMITS.leastWork)} units`],
    ['native length', `at most ${SCHEMA_LIMITS.nativePatternLength} code points`],
    ['work', `${SCHEMA_LIMITS.workPerByte} units of work for each byte`],
    ['integers', `±${Number.MAX_SAFE_INTEGER}`],
  ])('states the bound in force: %s', (_, text) => {
    expect(page).toContain(text)
  })

  test('shows a refusal as it is', () => {
    const schema = { properties: { a: { nullable: true } } }
    expect(() => compileSchema(schema, options)).toThrowError(blocks('text')[0])
  })

  test('shows faults as they are', () => {
    const [work, wrong] = blocks('json').map((text): unknown => JSON.parse(text))
    const branch = { type: 'object', properties: { c: { $ref: '#' } }, required: ['c'] }
    const recursive = { anyOf: [branch, { ...branch, minProperties: 1 }, { type: 'null' }] }
    const nested = Array.from({ length: 60 }).reduce<unknown>((c) => ({ c }), 'x')
    expect(compileSchema(recursive, options).validate(nested)).toEqual(work)
    const mode = { properties: { opts: { properties: { mode: { enum: ['fast', 'slow'] } } } } }
    expect(compileSchema(mode, options).validate({ opts: { mode: 'no' } })).toEqual(wrong)
  })
})

describe('the bound of a pattern', () => {
  const large = '(a|b)*a(a|b){14}$'
  const native = '^(?=.*\\d).+$'

  test.each([
    [{ pattern: large }, 'at /pattern, .*set maxLength to \\d+ or less'],
    [{ pattern: large, maxLength: 100_000 }, 'set maxLength to \\d+ or less'],
    [{ allOf: [{ maxLength: 10 }, { pattern: large }] }, 'at /allOf/1/pattern'],
    [{ patternProperties: { [large]: true } }, 'set propertyNames.maxLength to \\d+ or less'],
    [{ propertyNames: { pattern: large } }, 'at /propertyNames/pattern'],
    [{ pattern: native, maxLength: 10 }, 'set nativePatterns'],
  ])('is asked for where it has to stand: %j', (schema, why) => {
    expect(() => compileSchema(schema, options)).toThrowError(new RegExp(why))
  })

  test.each([
    [{ pattern: large, maxLength: 1_000 }, 'ab', `a${'b'.repeat(14)}`],
    [
      { patternProperties: { [large]: false }, propertyNames: { maxLength: 1_000 } },
      { [`a${'b'.repeat(14)}`]: 1 },
      { ab: 1 },
    ],
    [
      { propertyNames: { pattern: large, maxLength: 1_000 } },
      { ab: 1 },
      { [`a${'b'.repeat(14)}`]: 1 },
    ],
  ])('admits the pattern: %j', (schema, bad, good) => {
    const compiled = compileSchema(schema, options)
    expect(compiled.validate(bad)).toBeDefined()
    expect(compiled.validate(good)).toBeUndefined()
  })

  test('follows the body cap', () => {
    const schema = { pattern: large }
    expect(() => compileSchema(schema, { ...options, maxValueBytes: 1_000 })).not.toThrow()
  })

  test('admits native patterns on short texts only', () => {
    const withNative = { ...options, nativePatterns: true }
    expect(() => compileSchema({ pattern: native }, withNative)).toThrowError(
      'set maxLength to 256 or less',
    )
    expect(() => compileSchema({ pattern: native, maxLength: 257 }, withNative)).toThrowError()
    const compiled = compileSchema({ pattern: native, maxLength: 256 }, withNative)
    expect(compiled.validate('a1')).toBeUndefined()
    expect(compiled.validate('ab')).toMatchObject({ keyword: 'pattern' })
  })

  test('is checked before the pattern runs', () => {
    // Thirty-odd letters would keep the native engine busy for minutes.
    const exponential = '^(?=(?:a+)+$)b'
    const withNative = { ...options, nativePatterns: true }
    const text = 'a'.repeat(100).concat('!')
    const schemas = [
      { pattern: exponential, maxLength: 20 },
      { not: { pattern: exponential, maxLength: 20 } },
      { patternProperties: { [exponential]: false }, propertyNames: { maxLength: 20 } },
      {
        anyOf: [
          { patternProperties: { [exponential]: false }, propertyNames: { maxLength: 20 } },
          true,
        ],
      },
    ]
    const outcomes = schemas.flatMap((schema) => {
      const compiled = compileSchema(schema, withNative)
      return [text, { [text]: 1 }].map((value) => compiled.validate(value)?.keyword)
    })
    expect(outcomes).toEqual([
      ...['maxLength', undefined],
      ...[undefined, 'not'],
      ...[undefined, 'maxLength'],
      ...[undefined, undefined],
    ])
  })
})
