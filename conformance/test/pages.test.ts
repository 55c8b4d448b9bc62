// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import type { Check } from '../runner/checks.ts'
import { readBlock, renderRows, replaceBlock } from '../runner/readme-block.ts'
import { renderResults } from '../runner/results-page.ts'
import type { RevisionRun } from '../runner/run-suite.ts'
import { judge } from '../runner/verdict.ts'

const made = (status: Check['status']): Check => ({
  id: 'a',
  status,
  message: '',
  metNothing: false,
})

const RUN: RevisionRun = {
  revision: '2026-07-28',
  surface: { tools: {} },
  scored: [
    judge('first', [made('SUCCESS'), made('SKIPPED')]),
    judge('second', [made('FAILURE'), made('FAILURE')]),
    judge('third', [made('WARNING')], true),
  ],
  unscored: [{ ...judge('fourth', [made('SUCCESS')]), reason: 'pending' }],
  difference: { unexpected: [], stale: [] },
}

describe('the page of results', () => {
  const page = renderResults({
    date: '2026-07-28',
    versions: { suite: '1.2.3', core: '0.1.0', suiteNode: 'v22.0.0' },
    runs: [
      { node: 'v20.19.0', revisions: [RUN] },
      { node: 'v24.0.0', revisions: [{ ...RUN, scored: RUN.scored.slice(0, 1) }] },
    ],
    expected: {
      '2026-07-28': [
        { scenario: 'second', reason: 'a | b' },
        { scenario: 'first', reason: 'unused' },
      ],
      '2025-11-25': [],
    },
  })

  test.each([
    '| 2026-07-28 | 1 | 3 | 1 | 2 | 1 | 1 |',
    '| v20.19.0 | 1 of 3 |',
    '| v24.0.0 | 1 of 1 |',
    '{"tools":{}}',
    '| `first` | passed | 1 passed, 1 skipped |  |',
    '| `second` | failed | 0 passed, 2 failed | `a`: a \\| b |',
    '| `third` | hollow | 0 passed, 1 warned | `a` |',
    '| `fourth` | passed | 1 passed | pending |',
  ])('has the line %s', (line) => {
    expect(page.split('\n')).toContain(line)
  })

  test('tells the suite’s own count where it is another', () => {
    expect(page).toContain("1 more have no failed check, and the suite's own count is 2.")
  })
})

describe('the block of a page', () => {
  const page = [
    'before',
    '<!-- conformance: written by `npm run conformance` -->',
    'old',
    '<!-- /conformance -->',
    'after',
  ].join('\n')

  test('is replaced, and nothing around it', () => {
    const rows = renderRows([RUN])
    const replaced = replaceBlock(page, rows)
    expect(readBlock(replaced)).toBe(rows)
    expect(rows).toContain('| 2026-07-28 | 1 of 3 | 2 | 1 |')
    expect(replaced).toBe(page.replace('old', () => rows))
    expect(replaceBlock(replaced, rows)).toBe(replaced)
  })

  test('is refused where a mark is missing', () => {
    expect(() => replaceBlock(page.replace('<!-- /conformance -->', ''), '')).toThrow('no block')
    expect(() => readBlock('no marks')).toThrow('no block')
  })
})
