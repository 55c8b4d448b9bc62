// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readUriTemplate } from '../../src/catalog/uri-template.ts'
import { catalogOf, createTestServer, failure } from '../support/server.ts'

function matches(template: string, uri: string): boolean {
  const reading = readUriTemplate(template)
  if (!reading.ok) throw new Error(reading.why)
  return reading.matches(uri)
}

/** The rule in other words: an anchored regular expression over code points. */
function asPattern(template: string): RegExp {
  const source = template.replaceAll(/\{(\+?)[^{}]*\}|[\\^$.*+?()[\]|/]/gu, (text, plus) => {
    if (!text.startsWith('{')) return `\\${text}`
    return plus === '+' ? '[^]+' : '[^/]+'
  })
  return new RegExp(`^${source}$`, 'u')
}

describe('a uri template', () => {
  test.each([
    ['note:{id}', 'note:1', true],
    ['note:{id}', 'note:', false],
    ['note:{id}', 'note:1/2', false],
    ['note:{id}', 'xnote:1', false],
    ['note:{id}', 'NOTE:1', false],
    ['note:{id}', 'note:%2F', true],
    ['note:{id}', 'note:a\nb', true],
    ['note:{id}', 'note:{id}', true],
    ['note:{id}', 'note:😀', true],
    ['note:{+id}', 'note:1/2', true],
    ['note:{+id}', 'note:', false],
    ['note:{+id}', 'note:\n/\r\n', true],
    ['file:///{+path}/raw', 'file:///a/b/raw', true],
    ['file:///{+path}/raw', 'file:///raw', false],
    ['file:///{+path}/raw', 'file:////raw', false],
    ['file:///{+path}/raw', 'file:////a/raw/raw', true],
    ['{a}', 'x', true],
    ['{a}', '', false],
    ['{a}{b}', 'x', false],
    ['{a}{b}', 'xy', true],
    ['{a}{b}', '😀', false],
    ['{+a}{+b}', '😀', false],
    ['{a}{b}', '😀😀', true],
    ['{a}/{b}', 'x/y', true],
    ['{a}/{b}', 'x//y', false],
    ['{+a}/{b}', 'x//y', true],
    ['{a}-{b}', '--', false],
    ['{a}-{b}', '---', true],
    ['a.c', 'abc', false],
    ['a+c$', 'a+c$', true],
    ['plain', 'plain', true],
    ['plain', 'plain/', false],
    ['{a}.{b}.x', 'a.x.x', true],
    ['{a}ab', 'abab', true],
    ['ab{a}ab', 'abab', false],
  ])('%j and %j: %j', (template, uri, expected) => {
    expect(matches(template, uri)).toBe(expected)
    expect(asPattern(template).test(uri)).toBe(expected)
  })

  test.each(['{a}', '{+a}', '{A_9}', '{a.b}', '{%20}', '{a%2Fb.c}', '{_}', '{9}', 'x{a}y{+b}z'])(
    '[RES-03] may be %j',
    (template) => {
      expect(readUriTemplate(template)).toMatchObject({ ok: true })
    },
  )

  test.each([
    '{}',
    '{ }',
    '{+}',
    '{/a}',
    '{?a}',
    '{&a}',
    '{#a}',
    '{.a}',
    '{;a}',
    '{a*}',
    '{a:3}',
    '{a,b}',
    '{a-b}',
    '{a b}',
    '{.}',
    '{a.}',
    '{a..b}',
    '{%2}',
    '{%zz}',
    '{é}',
    '{++a}',
    '{a\n}',
  ])('[RES-03] is refused for the expression %j, by name', async (expression) => {
    const uriTemplate = `x:${expression}/{ok}`
    const { server } = createTestServer({
      catalog: catalogOf({ resources: [{ uriTemplate, name: 'n' }] }),
    })
    expect(await failure(() => server.ready())).toEqual({
      code: 'BEAM_ERR_CATALOG_ENTRY',
      message: `resource template '${uriTemplate}': the expression '${expression}' is not understood; use {var} or {+var}`,
    })
  })

  test.each(['{', '}', 'x:{a', 'x:a}', 'x:{a}}', '}{', 'a{b{c}'])(
    '[RES-03] is refused for the bare brace in %j',
    async (uriTemplate) => {
      const { server } = createTestServer({
        catalog: catalogOf({ resources: [{ uriTemplate, name: 'n' }] }),
      })
      const { code, message } = await failure(() => server.ready())
      expect(code).toBe('BEAM_ERR_CATALOG_ENTRY')
      expect(message).toContain(`resource template '${uriTemplate}': `)
      expect(message).toContain('use {var} or {+var}')
    },
  )

  // Few kinds of each, so that a template and a uri often meet.
  const part = fc.constantFrom(
    '{a}',
    '{+b}',
    '{a}',
    'a',
    '/',
    'ab',
    '.',
    '😀',
    '\n',
    '-',
    '(',
    '\\',
  )
  const template = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''))
  const piece = fc.constantFrom('a', 'b', '/', 'ab', '.', '😀', '\n', '-', '(', '\\')
  const uri = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

  test('matches as the regular expression that says the same', () => {
    fc.assert(
      fc.property(template, uri, (pattern, given) => {
        expect(matches(pattern, given)).toBe(asPattern(pattern).test(given))
      }),
      { numRuns: 3000 },
    )
  })

  test('matches what its own variables are filled with', () => {
    const value = fc.string({ minLength: 1, unit: 'grapheme' })
    fc.assert(
      fc.property(template, fc.array(value, { minLength: 7, maxLength: 7 }), (pattern, values) => {
        let at = 0
        const filled = pattern.replaceAll(/\{(\+?)[^{}]*\}/g, (_, plus) => {
          const text = values[at++] ?? 'x'
          return plus === '+' ? text : text.replaceAll('/', '_')
        })
        expect(matches(pattern, filled)).toBe(true)
      }),
    )
  })

  test.each([
    ['{+a}{+b}{+c}{+d}{+e}{+f}{+g}{+h}!', 'a'],
    ['{+a}a{+b}a{+c}a{+d}a{+e}a{+f}!', 'a'],
    ['{a}a{b}a{c}a{d}a{e}a{f}!', 'a'],
    ['{+a}/{+b}/{+c}/{+d}/{+e}!', '/a'],
  ])('takes time in proportion to the uri: %j', (pattern, unit) => {
    const reading = readUriTemplate(pattern)
    if (!reading.ok) throw new Error(reading.why)
    const texts = [5_000, 80_000].map((length) => unit.repeat(length / unit.length))
    const fastest = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 0; round < 12; round += 1) {
      for (const [index, text] of texts.entries()) {
        const start = performance.now()
        expect(reading.matches(text)).toBe(false)
        fastest[index] = Math.min(fastest[index] ?? 0, performance.now() - start)
      }
    }
    const [short = 0, long = 0] = fastest
    // Sixteen times the length: about 16 if linear, 256 if quadratic.
    expect(long / short).toBeLessThan(80)
  })
})
