// SPDX-License-Identifier: Apache-2.0
import type { RevisionRun } from './run-suite.ts'
import { totalOf } from './total.ts'

const BEGIN = '<!-- conformance: written by `npm run conformance` -->'
const END = '<!-- /conformance -->'

/** Both rows of the suite, as a page that is written by hand shows them. */
export function renderRows(revisions: readonly RevisionRun[]): string {
  const rows = revisions.map(({ revision, scored }) => {
    const { passed, of, checks } = totalOf(scored)
    return `| ${revision} | ${passed} of ${of} | ${checks.failed} | ${checks.warnings} |`
  })
  return [
    '| revision | scored scenarios passed | checks failed | warnings |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

/**
 * Puts rows into a page, between its two marks.
 *
 * @throws Error where the page has not both, in order
 */
export function replaceBlock(page: string, rows: string): string {
  const [begin, end] = findMarks(page)
  return `${page.slice(0, begin)}\n${rows}\n${page.slice(end)}`
}

/** The rows that a page has between its marks. */
export function readBlock(page: string): string {
  const [begin, end] = findMarks(page)
  return page.slice(begin, end).trim()
}

function findMarks(page: string): readonly [number, number] {
  const at = page.indexOf(BEGIN)
  const begin = at + BEGIN.length
  const end = page.indexOf(END, begin)
  if (at === -1 || end === -1) throw new Error(`The page has no block from ${BEGIN} to ${END}`)
  return [begin, end]
}
