// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listFiles, ROOT, readText } from './workspace.ts'

const PAGE = 'docs/requirements.md'

/** What stands before the number of an id, in the order of the page's sections. */
const FAMILIES = [
  'ENV META VER ERR HTTP SSE HDR IO DISC SCH TOOL CONT RES PROM COMP PAGE CACHE PROG LOG CANC SUB',
  'MRTR ELI SAM ROOT EXT TASK TRACE AUTH SEC DEP',
  'L-ENV L-INIT L-PING L-TOOL L-RES L-PROM L-COMP L-PAGE L-PROG L-CANC L-ELI L-EXT L-SEC L-SCH',
  'L-IO L-HTTP A',
].flatMap((line) => line.split(' '))

const LEVEL = String.raw`(?:MUST|SHOULD)(?: NOT|\(c\))?|MAY|ADVICE|INFO`
const ROW = new RegExp(
  String.raw`^\| ((?:L-)?[A-Z]+)-(\d\d) \| (?:${LEVEL}) \| ([A-Z\d\x60-][^|]*\.) \| (held|built|later|host) \|$`,
)
const HEAD = new Set(['| id | level | rule | where |', '| --- | --- | --- | --- |'])
const LONGEST_RULE = 120

interface Row {
  readonly id: string
  readonly family: string
  readonly number: number
  readonly rule: string
  readonly where: string
}

function readRow(line: string): Row | undefined {
  const [, family, number, rule, where] = ROW.exec(line) ?? []
  if (!family || !number || !rule || !where) return undefined
  return { id: `${family}-${number}`, family, number: Number(number), rule, where }
}

interface Citation {
  readonly path: string
  readonly id: string
}

// Digits are not counted here, so that an id written otherwise than on the page is found.
const ID = String.raw`(?:L-)?[A-Z]+-\d+`
const BRACKET = new RegExp(String.raw`\[(${ID}(?:, ?${ID})*)\]`, 'g')

/** The ids that the names of tests cite: `[ENV-01]`, or several in one pair of brackets. */
function citeTests(path: string): readonly Citation[] {
  const code = readText(path)
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
    .join('\n')
  return [...code.matchAll(BRACKET)].flatMap(([, ids = '']) =>
    ids.split(/, ?/).map((id) => ({ path, id })),
  )
}

const COMMENT = /\/\*\*.*?\*\//gs
const SEE = /@see\s(.*?)(?=@[a-z]|\*\/)/gs
const SPAN = /\b((?:L-)?[A-Z]+)-(\d+)(?: to (?:\1-)?(\d\d)\b)?/g
/** Names of that shape which are other documents' and encodings'. */
const FOREIGN = new Set(['UTF', 'ECMA', 'ISO', 'RFC', 'SHA'])

/** The ids that doc comments cite after `@see`: `ENV-01`, or `ENV-01 to ENV-03`. */
function citeSources(path: string): readonly Citation[] {
  const comments = readText(path).match(COMMENT) ?? []
  return comments
    .flatMap((comment) => [...comment.matchAll(SEE)])
    .flatMap(([, text = '']) => [...text.matchAll(SPAN)])
    .flatMap(([, family = '', first = '', last = first]) =>
      FOREIGN.has(family) ? [] : spell(family, first, last).map((id) => ({ path, id })),
    )
}

function spell(family: string, first: string, last: string): readonly string[] {
  const count = Math.max(Number(last) - Number(first) + 1, 1)
  return Array.from({ length: count }, (_, index) => {
    const number = String(Number(first) + index).padStart(first.length, '0')
    return `${family}-${number}`
  })
}

/** The row's line as the tests have it: a rule in the library is held where a test cites it. */
function settle(line: string, cited: ReadonlySet<string>): string {
  const row = readRow(line)
  if (row === undefined || !/^(?:held|built)$/.test(row.where)) return line
  return line.replace(/\w+ \|$/, cited.has(row.id) ? 'held |' : 'built |')
}

describe(PAGE, () => {
  const lines = readText(PAGE).split('\n')
  const rows = lines.flatMap((line) => readRow(line) ?? [])
  const known = new Set(rows.map(({ id }) => id))
  const files = listFiles()
  const tests = files.filter((path) =>
    /^(?:packages|examples)\/[^/]+\/test\/.*\.test\.ts$/.test(path),
  )
  const sources = files.filter((path) => /^(?:packages|examples)\/[^/]+\/src\/.*\.ts$/.test(path))
  const byTests = tests.flatMap(citeTests)
  const bySources = sources.flatMap(citeSources)
  const tested = new Set(byTests.map(({ id }) => id))

  test('is made of well-formed rows', () => {
    const table = lines.filter((line) => line.startsWith('|') && !HEAD.has(line))
    expect(table.filter((line) => readRow(line) === undefined)).toEqual([])
    expect(rows.filter(({ rule }) => rule.length > LONGEST_RULE)).toEqual([])
    expect(rows.length).toBeGreaterThan(400)
  })

  test('has each id once, section by section, and leaves out none', () => {
    const sections = FAMILIES.map((family) => rows.filter((row) => row.family === family))
    const wanted = sections.flatMap((section, at) =>
      section.map((_, index) => `${FAMILIES[at]}-${String(index + 1).padStart(2, '0')}`),
    )
    expect(rows.map(({ id }) => id)).toEqual(wanted)
    expect(FAMILIES.filter((_, at) => sections[at]?.length === 0)).toEqual([])
  })

  test('has every id that a test cites', () => {
    expect(byTests.filter(({ id }) => !known.has(id))).toEqual([])
    expect(byTests.length).toBeGreaterThan(100)
  })

  test('has every id that a source cites', () => {
    expect(bySources.filter(({ id }) => !known.has(id))).toEqual([])
    expect(bySources.length).toBeGreaterThan(30)
  })

  test('calls held what a test cites, and built what none does; -u corrects it', async () => {
    const settled = lines.map((line) => settle(line, tested)).join('\n')
    await expect(settled).toMatchFileSnapshot(join(ROOT, PAGE))
  })

  test('calls nothing later that a test cites', () => {
    const late = rows.filter(({ id, where }) => where === 'later' && tested.has(id))
    expect(late.map(({ id }) => id)).toEqual([])
  })

  test('says which rules nobody cites', () => {
    const cited = new Set([...byTests, ...bySources].map(({ id }) => id))
    const uncited = rows.filter(({ id }) => !cited.has(id))
    const listed = ['built', 'host', 'later'].map((where) => {
      const ids = uncited.filter((row) => row.where === where).map(({ id }) => id)
      return `${where} (${ids.length}): ${ids.join(' ')}`
    })
    console.log(`Cited by no test and no source:\n${listed.join('\n')}`)
    expect(uncited.filter(({ where }) => where === 'held')).toEqual([])
  })
})
