// SPDX-License-Identifier: Apache-2.0
import { beforeAll, describe, expect, test } from 'vitest'
import { readJson } from '../../src/json/read-json.ts'
import { fastest } from '../support/cost.ts'

const SIZE = 1_048_576

/**
 * Times the ordinary body of the same size that a hostile one may take. The worst takes
 * about 10; anything that is not linear takes hundreds.
 */
const BOUND = 40

const ordinary = listOf('{"id":17,"name":"some name","tags":["x","y"],"ok":true,"at":{"x":1.5}}')

function fill(unit: string, before = '', after = ''): string {
  const room = SIZE - before.length - after.length
  return before + unit.repeat(Math.floor(room / unit.length)) + after
}

function listOf(unit: string, first = ''): string {
  return `${fill(`${unit},`, `[${first}`, unit)}]`
}

function objectOf(member: (index: number) => string, last = ''): string {
  const members: string[] = []
  for (let length = last.length + 40; length < SIZE; ) {
    const next = member(members.length)
    length += next.length + 1
    members.push(next)
  }
  if (last !== '') members.push(last)
  return `{${members.join(',')}}`
}

const hostile: Record<string, string> = {
  'opening brackets': fill('['),
  'objects that open': fill('{"a":'),
  'closing brackets': fill(']'),
  colons: fill(':'),
  quotes: fill('"'),
  backslashes: fill('\\'),
  'escaped backslashes': fill('\\\\', '"', '"'),
  'escaped backslashes without an end': fill('\\\\', '"'),
  'escaped quotes': fill('\\"', '"', '"'),
  'escaped quotes far apart': fill(`${'x'.repeat(80)}\\"`, '"', '"'),
  'escaped quotes far apart without an end': fill(`${'x'.repeat(80)}\\"`, '"'),
  'escapes far from the closing quote': fill(`${'x'.repeat(80)}\\n`, '"', '"'),
  'escaped letters': fill('\\u0061', '"', '"'),
  'escaped pairs': fill('\\ud83d\\ude00', '"', '"'),
  'what looks like lone surrogates': fill('\\\\ud800', '"', '"'),
  'short strings': listOf('"a"'),
  'escaped keys': objectOf((index) => `"\\u0061${index}":1`),
  'escaped keys, the last repeated': objectOf((index) => `"\\u0061${index}":1`, '"a0":1'),
  'escaped values, and at last an escaped key': objectOf(() => '"a":"\\n"', '"\\n":1'),
  'empty objects after an escaped key': listOf('{}', '{"\\n":1},'),
  'deep and wide with escaped keys': listOf(`${'{"\\n":'.repeat(62)}1${'}'.repeat(62)}`),
  'unsafe integers under escaped keys': listOf('{"\\n":90071992547409931}'),
  keys: objectOf((index) => `"${index.toString(36)}k":0`),
  'keys, the last repeated': objectOf((index) => `"k${index}":1`, '"k0":1'),
  'one key, repeated': objectOf(() => '"a":1'),
  '__proto__, repeated': objectOf(() => '"__proto__":{}'),
  'keys like indexes': objectOf((index) => `"${index * 7_919}":0`),
  'keys like indexes and an unsafe integer': objectOf(
    (index) => `"${index * 7_919}":0`,
    '"x":9007199254740993',
  ),
  'two long keys': `{"${'k'.repeat(SIZE / 2)}":1,"${'k'.repeat(SIZE / 2)}":1}`,
  'one integer': fill('7'),
  'integers of 4,096 digits': listOf('7'.repeat(4_096)),
  'integers of 1,000 digits': listOf('7'.repeat(1_000)),
  'unsafe integers': listOf('90071992547409931'),
  'unsafe integers in objects': listOf('{"a":90071992547409931}'),
  'unsafe integers under many keys': objectOf((index) => `"k${index}":90071992547409931`),
  overflows: listOf('1e400'),
  'deep and wide': listOf('['.repeat(63) + ']'.repeat(63)),
  'deep and wide with unsafe integers': listOf(
    `${'{"a":'.repeat(62)}9007199254740993${'}'.repeat(62)}`,
  ),
  'empty objects': listOf('{}'),
  'empty objects after a repeated key': listOf('{}', '{"a":1,"a":1},'),
  'empty lists after an unsafe integer': listOf('[]', '9007199254740993,'),
  'white space': fill(' ', '[', '1]'),
  'white space and an unsafe integer': fill(' ', '[', '9007199254740993]'),
}

describe('readJson on a hostile megabyte', () => {
  let ordinaryMs = 0

  beforeAll(() => {
    const bytes = Buffer.from(ordinary)
    expect(readJson(bytes).ok).toBe(true)
    ordinaryMs = fastest(() => readJson(bytes))
  })

  test.each(Object.entries(hostile))('costs a small multiple of an ordinary one: %s', (_, text) => {
    const bytes = Buffer.from(text)
    expect(bytes.length).toBeGreaterThan(SIZE * 0.9)
    expect(fastest(() => readJson(bytes), ordinaryMs * BOUND) / ordinaryMs).toBeLessThan(BOUND)
  })

  test('asks about every number of a list for no more than that', () => {
    const reading = readJson(Buffer.from(listOf('[1.0,2]')))
    if (!reading.ok) throw new Error(reading.refusal.message)
    const { isIntegerLexeme, value } = reading
    const ms = fastest(() => {
      for (let index = 0; index < Object(value).length; index++) {
        expectSame(isIntegerLexeme([`${index}`, '0']), false)
        expectSame(isIntegerLexeme([`${index}`, '1']), true)
      }
    }, ordinaryMs * BOUND)
    expect(ms / ordinaryMs).toBeLessThan(BOUND)
  })
})

// Cheaper than `expect`, which would be most of what is measured.
function expectSame(actual: boolean, expected: boolean): void {
  if (actual !== expected) throw new Error(`not ${expected}`)
}
