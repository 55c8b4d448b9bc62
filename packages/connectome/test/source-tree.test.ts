// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const folder = new URL('../src/', import.meta.url)
const names = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.ts'))
const sources = names.map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))

/** Code without its comments. */
const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

function filesWith(pattern: RegExp): string[] {
  return sources.filter(({ text }) => pattern.test(codeOf(text))).map(({ name }) => name)
}

describe('the sources of the package', () => {
  test('are all found', () => {
    expect(names).toContain('index.ts')
    expect(filesWith(/export/)).toHaveLength(names.length)
  })

  test('import nothing but each other and graphology', () => {
    const imported = sources.flatMap(({ text }) => [...codeOf(text).matchAll(/\bfrom '([^']+)'/g)])
    const outside = imported.map((found) => found[1] ?? '').filter((name) => !name.startsWith('.'))
    expect(new Set(outside)).toEqual(new Set(['graphology', 'graphology-types']))
    expect(filesWith(/\bimport\(|\brequire\('/)).toEqual([])
  })

  test('name a module of Node in the hashing adapter alone', () => {
    expect(filesWith(/'node:/)).toEqual(['digest/create-digest.ts'])
    expect(filesWith(/\bprocess[?.]/)).toEqual(['digest/create-digest.ts'])
  })

  test('depend on no locale, clock, chance, environment or network', () => {
    const hosts =
      /\b(localeCompare|Intl|toLocale\w*|Date|performance|random\w*|env|fetch|WebSocket)\b/
    expect(filesWith(hosts)).toEqual([])
    expect(filesWith(/\beval\(|\bFunction\(|\bsetTimeout|\bconsole\b/)).toEqual([])
  })

  test('name a sign other than unset in the vocabulary and in the reader of old bytes alone', () => {
    const signs = /'(allow|deny|hold|ungoverned|unknown)'/
    expect(filesWith(signs).sort()).toEqual(['graph/vocabulary.ts', 'verify/verify.ts'])
  })

  test('hold no key and call no primitive of signing', () => {
    expect(
      filesWith(/\b(createSign|createHmac|generateKey\w*|subtle|privateKey|secret)\b/i),
    ).toEqual([])
  })

  test('stay below 350 lines each', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 350)
    expect(long.map(({ name }) => name)).toEqual([])
  })
})
