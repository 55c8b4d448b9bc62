// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import type { Check } from '../runner/checks.ts'
import { compare, type Expected, isUnserved, readExpected } from '../runner/expected.ts'
import { readRequirements } from '../runner/requirements.ts'
import { judge } from '../runner/verdict.ts'

const made = (id: string, status: Check['status'], metNothing = false): Check => ({
  id,
  status,
  message: 'said',
  metNothing,
})
const whole: Expected = { scenario: 's', reason: 'because' }
const one: Expected = { scenario: 's', check: 'a', reason: 'because' }
const clean = { unexpected: [], stale: [] }

describe('a run compared with what is listed', () => {
  const failed = [judge('s', [made('a', 'FAILURE'), made('b', 'WARNING')])]

  test('is as expected without faults and entries', () => {
    expect(compare([judge('s', [made('a', 'SUCCESS')])], [])).toEqual(clean)
  })

  test('names each failure and each warning that nothing lists', () => {
    expect(compare(failed, [])).toEqual({
      unexpected: ['s:a: FAILURE said', 's:b: WARNING said'],
      stale: [],
    })
  })

  test('takes an entry for the whole scenario, or for one check alone', () => {
    expect(compare(failed, [whole])).toEqual(clean)
    expect(compare(failed, [one])).toEqual({ unexpected: ['s:b: WARNING said'], stale: [] })
  })

  test('does not take an entry for another scenario', () => {
    const { unexpected, stale } = compare(failed, [{ ...whole, scenario: 't' }])
    expect(unexpected).toHaveLength(2)
    expect(stale).toEqual(['t'])
  })

  test('names an entry that gave no fault', () => {
    const passed = [judge('s', [made('a', 'SUCCESS'), made('b', 'WARNING')])]
    expect(compare(passed, [one, { ...one, check: 'b' }])).toEqual({
      unexpected: [],
      stale: ['s:a'],
    })
    expect(compare([judge('s', [made('a', 'SUCCESS')])], [whole]).stale).toEqual(['s'])
  })

  test('wants a check listed that called what is not there', () => {
    const hollow = [judge('s', [made('a', 'SUCCESS', true)])]
    expect(compare(hollow, []).unexpected).toEqual(['s:a: NOTHING THERE said'])
    expect(compare(hollow, [whole])).toEqual(clean)
  })

  test('never expects a scenario to leave no checks', () => {
    const { unexpected } = compare([judge('s')], [whole])
    expect(unexpected).toEqual(['s: the suite left no checks'])
  })

  test('knows a scenario that is listed whole', () => {
    expect(isUnserved('s', [whole])).toBe(true)
    expect(isUnserved('s', [one])).toBe(false)
    expect(isUnserved('t', [whole])).toBe(false)
  })
})

describe('the text of a list', () => {
  test('is read by revision; one that is left out is empty', () => {
    const text = '2026-07-28:\n  - { scenario: s, check: a, reason: because }\n'
    expect(readExpected(text)).toEqual({ '2026-07-28': [one], '2025-11-25': [] })
    expect(readExpected('')).toEqual({ '2026-07-28': [], '2025-11-25': [] })
  })

  test.each([
    ['2025-06-18: []', 'no revision'],
    ['- s', 'no mapping'],
    ['2026-07-28: s', 'no list'],
    ['2026-07-28: [s]', 'entry 0 is no mapping'],
    ['2026-07-28: [{ reason: r }]', 'no scenario'],
    ['2026-07-28: [{ scenario: s }]', 'no reason'],
    ['2026-07-28: [{ scenario: s, reason: "" }]', 'no reason'],
    ['2026-07-28: [{ scenario: s, reason: "a\\nb" }]', 'several lines'],
    ['2026-07-28: [{ scenario: s, reason: r, check: 1 }]', 'no id'],
    ['2026-07-28: [{ scenario: s, reason: r, chekc: a }]', "'chekc'"],
    ['2026-07-28: [{ scenario: s, reason: r }, { scenario: s, reason: r }]', 'lists s twice'],
  ])('is refused where it is %s', (text, why) => {
    expect(() => readExpected(text)).toThrow(why)
  })
})

test('the suite scores 37 scenarios of 2026-07-28 and 30 of 2025-11-25, and says of the others why', () => {
  const [modern, older] = [readRequirements('2026-07-28'), readRequirements('2025-11-25')]
  expect([modern.scored.length, older.scored.length]).toEqual([37, 30])
  for (const { scored, unscored } of [modern, older]) {
    expect(unscored.map(({ scenario }) => scenario)).toContain('json-schema-2020-12')
    expect(unscored.filter(({ scenario }) => scored.includes(scenario))).toEqual([])
    expect(unscored.every(({ reason }) => reason.length > 0)).toBe(true)
  }
})
