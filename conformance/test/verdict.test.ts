// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type Check, parseChecks, readChecks } from '../runner/checks.ts'
import { totalOf } from '../runner/total.ts'
import { judge } from '../runner/verdict.ts'

const check = (status: Check['status'], members: Partial<Check> = {}): Check => ({
  id: 'one',
  status,
  message: '',
  metNothing: false,
  ...members,
})

describe('a checks.json', () => {
  const read = (...checks: readonly object[]) => parseChecks(JSON.stringify(checks))

  test('is read by id, status and message', () => {
    const failure = { id: 'a', status: 'FAILURE', errorMessage: 'went\n  wrong', name: 'A' }
    const warning = { id: 'b', status: 'WARNING', details: { message: 'no session' } }
    expect(read(failure, warning)).toEqual([
      check('FAILURE', { id: 'a', message: 'went wrong' }),
      check('WARNING', { id: 'b', message: 'no session' }),
    ])
  })

  test('tells a check that called what is not there, wherever it says so', () => {
    const said = { id: 'a', status: 'FAILURE', errorMessage: 'Invalid params: unknown prompt x' }
    const told = { id: 'b', status: 'SUCCESS', details: { error: { message: 'Unknown tool: x' } } }
    const other = { id: 'c', status: 'SUCCESS', details: { error: { message: 'Unknown uri' } } }
    expect(read(said, told, other).map(({ metNothing }) => metNothing)).toEqual([true, true, false])
  })

  test.each([
    ['{}', 'no list'],
    ['[{"status":"SUCCESS"}]', 'check 0 has no id'],
    ['[{"id":"a","status":"SUCCESS"},{"id":"b","status":"PASSED"}]', 'check 1'],
    ['[null]', 'check 0'],
  ])('is refused where it is %s', (text, why) => {
    expect(() => parseChecks(text)).toThrow(why)
  })
})

describe('the folder of a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'checks-'))
  const leave = (name: string) => {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'checks.json'), '[{"id":"a","status":"SUCCESS"}]')
  }
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('is read by scenario, and two runs of one are refused', () => {
    leave('server-ping-2026-11-30T01-38-09-077Z')
    leave('server-server-initialize-2026-11-30T01-38-09-079Z')
    leave('something else')
    expect([...readChecks(folder).keys()].sort()).toEqual(['ping', 'server-initialize'])
    leave('server-ping-2026-11-30T01-38-10-000Z')
    expect(() => readChecks(folder)).toThrow('two runs of ping')
  })
})

describe('a scenario', () => {
  test('is passed by successes, and by a warning alone', () => {
    expect(judge('s', [check('SUCCESS'), check('SKIPPED'), check('INFO')])).toEqual({
      scenario: 's',
      outcome: 'passed',
      passed: 1,
      failed: 0,
      warnings: 0,
      skipped: 1,
      faults: [],
    })
    const warned = judge('s', [check('WARNING', { message: 'why' })])
    expect(warned.outcome).toBe('passed')
    expect(warned.faults).toEqual([{ check: 'one', kind: 'WARNING', message: 'why' }])
  })

  test('is failed by one failure among successes', () => {
    const { outcome, faults } = judge('s', [check('SUCCESS'), check('FAILURE', { id: 'two' })])
    expect(outcome).toBe('failed')
    expect(faults).toEqual([{ check: 'two', kind: 'FAILURE', message: '' }])
  })

  test('is not passed where it called what is not there', () => {
    const { outcome, faults } = judge('s', [check('SUCCESS', { metNothing: true })])
    expect(outcome).toBe('hollow')
    expect(faults).toEqual([{ check: 'one', kind: 'NOTHING THERE', message: '' }])
  })

  test('is not passed where it is listed whole, but can still fail', () => {
    expect(judge('s', [check('WARNING')], true).outcome).toBe('hollow')
    expect(judge('s', [check('FAILURE')], true).outcome).toBe('failed')
  })

  test('is missing where the suite left no checks of it', () => {
    expect(judge('s').outcome).toBe('missing')
    expect(judge('s', []).outcome).toBe('missing')
  })

  test('counts once in a total, its checks each', () => {
    const verdicts = [
      judge('a', [check('SUCCESS'), check('WARNING')]),
      judge('b', [check('SUCCESS'), check('FAILURE'), check('FAILURE')]),
      judge('c', [check('SUCCESS', { metNothing: true })]),
      judge('d', [check('SKIPPED')]),
      judge('e'),
    ]
    expect(totalOf(verdicts)).toEqual({
      passed: 2,
      hollow: 1,
      of: 5,
      checks: { passed: 3, failed: 2, warnings: 1, skipped: 1 },
    })
  })
})
