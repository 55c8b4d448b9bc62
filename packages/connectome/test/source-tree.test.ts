// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'

const folder = new URL('../src/', import.meta.url)
const names = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.ts'))
const sources = names.map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
const textOf = new Map(sources.map(({ name, text }) => [name, text]))

/** Code without its comments. */
const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** What a file imports, types included; relative ones by their path from the folder. */
function importsOf(name: string): string[] {
  const found = codeOf(textOf.get(name) ?? '').matchAll(/\bfrom '([^']+)'/g)
  return Array.from(found, ([, given = '']) =>
    given.startsWith('.') ? posix.join(posix.dirname(name), given) : given,
  )
}

/** The files that an entry brings in, itself among them. */
function filesOf(entry: string): string[] {
  const files = [entry]
  for (const file of files) {
    const more = importsOf(file).filter((name) => textOf.has(name) && !files.includes(name))
    files.push(...new Set(more))
  }
  return files
}

/** What a set of files imports from outside of the package. */
function outside(files: readonly string[]): string[] {
  const imported = files.flatMap(importsOf).filter((name) => !textOf.has(name))
  return [...new Set(imported)].sort()
}

function filesWith(pattern: RegExp, files: readonly string[] = names): string[] {
  return files.filter((name) => pattern.test(codeOf(textOf.get(name) ?? ''))).sort()
}

describe('the sources of the package', () => {
  test('are all found', () => {
    expect(names).toContain('index.ts')
    expect(filesWith(/export/)).toHaveLength(names.length)
    expect(filesOf('index.ts').length).toBeGreaterThan(50)
  })

  test('load nothing by a name that is made at run time', () => {
    const elsewhere = names.filter((name) => !/^(declared|tracer)\//.test(name))
    expect(filesWith(/\bimport\(|\brequire\('/, elsewhere)).toEqual([])
  })

  test('name a sign other than unset in the vocabulary and in the reader of old bytes alone', () => {
    const signs = /'(allow|deny|hold|ungoverned|unknown)'/
    expect(filesWith(signs)).toEqual(['graph/vocabulary.ts', 'verify/verify.ts'])
  })

  test('stay below 350 lines each', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 350)
    expect(long.map(({ name }) => name)).toEqual([])
  })
})

describe.each(['index.ts', 'surface/index.ts'])('what %s brings in', (entry) => {
  const files = filesOf(entry)

  test('imports nothing but each other and graphology', () => {
    const allowed = entry === 'index.ts' ? ['graphology', 'graphology-types'] : []
    expect(outside(files)).toEqual(allowed)
  })

  test('names a module of Node in the hashing adapter alone', () => {
    expect(filesWith(/'node:/, files)).toEqual(['digest/create-digest.ts'])
    expect(filesWith(/\bprocess[?.]/, files)).toEqual(['digest/create-digest.ts'])
  })

  test('depends on no locale, clock, chance, environment or network', () => {
    const hosts =
      /\b(localeCompare|Intl|toLocale\w*|Date|performance|random\w*|env|fetch|WebSocket)\b/
    expect(filesWith(hosts, files)).toEqual([])
    expect(filesWith(/\beval\(|\bFunction\(|\bsetTimeout|\bconsole\b/, files)).toEqual([])
  })
})

describe('the subpaths of Node', () => {
  const HEARS = ['node:async_hooks', 'node:diagnostics_channel']
  const FINDS = ['node:fs', 'node:path', 'node:url']

  test.each<[string, string[]]>([
    ['observed/index.ts', HEARS],
    ['fastify/index.ts', ['fastify', 'fastify-plugin', ...HEARS]],
    [
      'tracer/index.ts',
      [
        ...['node:child_process', 'node:inspector', 'node:module', 'node:worker_threads'],
        ...HEARS,
        ...FINDS,
      ],
    ],
  ])('%s imports what it needs and no more', (entry, wanted) => {
    const before = new Set(outside(filesOf('index.ts')))
    const own = outside(filesOf(entry)).filter((name) => !before.has(name))
    expect(own).toEqual([...wanted].sort())
  })

  test('name processes and workers as types alone: none is started', () => {
    expect(filesWith(/^import (?!type).*'node:(child_process|worker_threads)'/m)).toEqual([])
  })
})
