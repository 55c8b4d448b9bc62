// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { readExpected } from '../conformance/runner/expected.ts'
import { readBlock } from '../conformance/runner/readme-block.ts'
import { REVISIONS, type Revision, readRequirements } from '../conformance/runner/requirements.ts'
import { listFiles, readSections, readText } from './workspace.ts'

const RESULTS = 'conformance/RESULTS.md'
const page = readText(RESULTS)
const expected = readExpected(readText('conformance/expected.yml'))

/** The cells of a table's row, the outer bars left out; an escaped bar is none. */
const cellsOf = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The row of a revision in the first table that has one. */
function rowOf(text: string, revision: Revision): readonly string[] {
  const line = text.split('\n').find((one) => one.startsWith(`| ${revision} |`))
  return cellsOf(line ?? '').slice(1)
}

/** The rows of the scored scenarios of a revision: name, outcome, checks, faults. */
function scoredRows(revision: Revision): readonly (readonly string[])[] {
  const section = readSections(page).find(({ heading }) => heading === revision)
  const { scored } = readRequirements(revision)
  const rows = (section?.lines ?? []).filter((line) => line.startsWith('| `')).map(cellsOf)
  return rows.filter(([name = '']) => scored.includes(name.replaceAll('`', '')))
}

describe.each(REVISIONS)('conformance/RESULTS.md on %s', (revision) => {
  const rows = scoredRows(revision)
  const named = rows.map(([name = '']) => name.replaceAll('`', ''))

  test('has every scored scenario once, and adds them up', () => {
    expect(named).toEqual(readRequirements(revision).scored)
    const passed = rows.filter(([, outcome]) => outcome === 'passed').length
    expect(rowOf(page, revision).slice(0, 2)).toEqual([`${passed}`, `${rows.length}`])
  })

  test('has a fault where conformance/expected.yml lists one, and nowhere else', () => {
    const faulty = named.filter((_name, index) => rows[index]?.[3] !== '')
    const listed = new Set(expected[revision].map(({ scenario }) => scenario))
    expect(faulty.filter((name) => !listed.has(name))).toEqual([])
    expect([...listed].filter((name) => !faulty.includes(name))).toEqual([])
    const unserved = expected[revision].filter(({ check }) => check === undefined)
    const passed = named.filter((_name, index) => rows[index]?.[1] === 'passed')
    expect(unserved.filter(({ scenario }) => passed.includes(scenario))).toEqual([])
  })

  test('is told alike by the README', () => {
    const [passed, of, , failed, warnings] = rowOf(page, revision)
    const block = readBlock(readText('README.md'))
    expect(rowOf(block, revision)).toEqual([`${passed} of ${of}`, failed, warnings])
  })

  test('is told alike by every page that counts the scenarios', () => {
    const [passed, of] = rowOf(page, revision)
    const counts = listFiles()
      .filter((path) => path.endsWith('.md') && path !== RESULTS && path !== 'CHANGELOG.md')
      .flatMap((path) => readText(path).match(new RegExp(`\\b\\d+ of ${of}\\b`, 'g')) ?? [])
    expect(new Set(counts)).toEqual(new Set([`${passed} of ${of}`]))
  })
})

test('conformance/RESULTS.md is of the suite that is pinned and of the package as it is', () => {
  const { devDependencies } = JSON.parse(readText('conformance/package.json'))
  const { version } = JSON.parse(readText('packages/core/package.json'))
  const pinned = devDependencies['@modelcontextprotocol/conformance']
  expect(pinned).toMatch(/^\d+\.\d+\.\d+-alpha\.\d+$/)
  expect(page).toContain(`\`@modelcontextprotocol/conformance\` ${pinned}, on Node v`)
  expect(page).toContain(`\`@beam-mcp/core\` ${version} behind Fastify, on Node v`)
})
