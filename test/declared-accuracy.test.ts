// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compare } from '../bench/declared-accuracy/compare.ts'
import { declareByBuild } from '../bench/declared-accuracy/declared-build.ts'
import type { PackageRoot } from '../bench/declared-accuracy/loader/scope.ts'
import { unitKey } from '../bench/declared-accuracy/naming.ts'
import { runInstrumented } from '../bench/declared-accuracy/run-subject.ts'
import { SUBJECTS } from '../bench/declared-accuracy/subjects.ts'
import { type Passage, readTruth, type Truth } from '../bench/declared-accuracy/truth.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const data = new URL('./data/declared-accuracy/', import.meta.url)
const fixtureOf = (name: string) => ({ name, folder: fileURLToPath(new URL(name, data)) })

/** The compiled benchmark, in a folder below the one whose dependencies it imports. */
let compiled: string

beforeAll(() => {
  mkdirSync(join(root, 'bench/dist'), { recursive: true })
  compiled = mkdtempSync(join(root, 'bench/dist/test-'))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', 'bench/tsconfig.json', '--noCheck', '--sourceMap', 'false']
  execFileSync(process.execPath, [tsc, ...options, '--outDir', compiled], { cwd: root })
})

afterAll(() => rmSync(compiled, { recursive: true }))

const compiledFile = (path: string): URL =>
  pathToFileURL(join(compiled, 'bench/declared-accuracy', path))

function truthIn(roots: readonly PackageRoot[], driver: URL): Truth {
  const run = runInstrumented({ roots, driver: driver.href }, compiledFile('loader/child.js'))
  return readTruth(run, roots)
}

const truthOf = (name: string, driver: string): Truth =>
  truthIn([fixtureOf(name)], new URL(driver, data))

/** `<reach> <from> <line>:<column> <to>`, the fixture's name left out. */
function describePassage({ reach, from, site, to }: Passage): string {
  const place = site === undefined ? '-' : `${site.line}:${site.column}`
  return `${reach} ${unitKey(from)} ${place} ${unitKey(to)}`.replaceAll('fixture/', '')
}

describe('the instrumented run of a fixture', () => {
  let truth: Truth
  beforeAll(() => {
    truth = truthOf('fixture', 'call-fixture.mjs')
  })

  const passagesOf = (...reaches: readonly string[]): readonly string[] =>
    [
      ...new Set(
        truth.passages.filter(({ reach }) => reaches.includes(reach)).map(describePassage),
      ),
    ].sort()

  test('ties each call to its call expression', () => {
    expect(passagesOf('call')).toEqual([
      'call index.js#bound/0 19:2 lib/plain.js#first/2',
      'call index.js#bound/0 20:9 lib/plain.js#second/0',
      'call index.js#calls/0 10:2 lib/plain.js#second/0',
      'call index.js#calls/0 11:22 lib/plain.js#second/0',
      'call index.js#calls/0 11:9 lib/plain.js#tag/2',
      'call index.js#calls/0 8:2 lib/plain.js#first/2',
      'call index.js#calls/0 9:2 lib/plain.js#first/2',
      'call index.js#construct/0 24:16 lib/classes.js#Base.constructor/1',
      'call index.js#construct/0 24:16 lib/classes.js#Child.constructor/0',
      'call index.js#construct/0 25:2 lib/classes.js#Child.speak/0',
      'call index.js#defaults/0 44:33 lib/plain.js#object/0',
      'call index.js#defaults/0 44:53 lib/plain.js#second/0',
      'call index.js#iterate/0 30:20 lib/generators.js#letters/1',
      'call index.js#iterate/0 31:21 lib/generators.js#numbers/1',
      'call index.js#old/0 41:20 lib/legacy.cjs#make/0',
      'call index.js#old/0 41:9 lib/legacy.cjs#run/1',
      'call index.js#wait/0 37:9 lib/plain.js#later/1',
      'call lib/classes.js#Base.size/0 9:11 lib/classes.js#Base.measure/0',
      'call lib/classes.js#Child.speak/0 25:11 lib/classes.js#Base.speak/0',
      'call lib/generators.js#letters/1 4:9 lib/generators.js#numbers/1',
      'call lib/legacy.cjs#Machine/0 4:15 lib/legacy.cjs#start/0',
      'call lib/legacy.cjs#make/0 13:9 lib/legacy.cjs#Machine/0',
      'call lib/legacy.cjs#run/1 15:27 lib/legacy.cjs#Machine.run/0',
      'call lib/plain.js#first/2 3:9 lib/plain.js#second/0',
      'call lib/plain.js#later/1 12:9 lib/plain.js#second/0',
    ])
  })

  test('tells what a built-in called, and what no call expression did', () => {
    expect(passagesOf('platform', 'foreign')).toEqual([
      'platform index.js#through/0 15:9 lib/plain.js#compare/2',
      'platform index.js#through/0 15:9 lib/plain.js#double/1',
    ])
    expect(passagesOf('implicit')).toEqual([
      'implicit index.js#construct/0 - lib/classes.js#Base.size/0',
      'implicit index.js#construct/0 - lib/classes.js#Base.toString/0',
      // The initialisers of a class's fields run in its constructor and count as it.
      'implicit lib/classes.js#Base.constructor/1 - lib/classes.js#Base.constructor/1',
    ])
  })

  test('agrees with V8 about the functions that ran', () => {
    expect(truth.unlike).toEqual([])
    expect(truth.entered).toBe(truth.functions)
  })
})

describe('a program that looks at itself', () => {
  test('sees the same under the instrumentation', () => {
    const folder = mkdtempSync(join(compiled, 'observations-'))
    const [plain, marked] = [join(folder, 'plain.json'), join(folder, 'marked.json')]
    const script = `import(${JSON.stringify(new URL('behave.mjs', data).href)}).then(({ drive }) => drive())`
    execFileSync(process.execPath, ['--eval', script], {
      env: { ...process.env, OBSERVATIONS: plain },
    })
    process.env['OBSERVATIONS'] = marked
    const { unlike, sites } = truthOf('behaviour', 'behave.mjs')
    Reflect.deleteProperty(process.env, 'OBSERVATIONS')
    expect(JSON.parse(readFileSync(marked, 'utf8'))).toEqual(
      JSON.parse(readFileSync(plain, 'utf8')),
    )
    expect(unlike).toEqual([])
    expect(sites.length).toBeGreaterThan(150)
  })
})

describe('the declared graph of a package of the registry', () => {
  test('has every call that ran, or its site in the list, and no edge that its site denies', async () => {
    const subject = SUBJECTS.find(({ name }) => name === 'jose')
    if (subject === undefined) throw new Error('jose is no subject')
    const truth = truthIn(subject.roots, compiledFile('drivers/jose.js'))
    const figures = compare(truth, await declareByBuild(subject))
    expect(figures.neither).toEqual([])
    expect(figures.modulesNeither).toEqual([])
    expect(figures.functions.falseEdges).toEqual([])
    expect(figures.modules.falseEdges).toEqual([])
    expect(truth.unlike).toEqual([])
    expect(figures.functionRecall.whole).toBeGreaterThan(300)
    expect(figures.functionRecall.part / figures.functionRecall.whole).toBeGreaterThan(0.95)
    expect(figures.width.part / figures.width.whole).toBeLessThan(0.1)
  })
})
