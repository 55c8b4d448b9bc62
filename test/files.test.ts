// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { listFiles, listPackages, readText } from './workspace.ts'

const SPDX = '// SPDX-License-Identifier: Apache-2.0'
const MOST_LINES = 400

/** Folders that exist on one machine alone. */
const MACHINE_PATHS = new RegExp(
  [
    String.raw`(?<![\w.@/-])/(?:work|root|Users)/[\w.-]`,
    String.raw`(?<![\w.@/-])/home/(?!user\b|me\b|alice\b)[\w.-]`,
    String.raw`(?<![\w.@/-])/tmp/[\w.-]`,
    String.raw`\b[A-Z]:\\Users\\`,
    String.raw`\.\./shared\b`,
  ].join('|'),
)

describe('the files of the repository', () => {
  const files = listFiles()
  const sources = files.filter((path) => /\.(?:[cm]?[jt]s|sh)$/.test(path) || path === '.ci/run')

  test('name their licence at the top where they are source', () => {
    const without = sources.filter((path) => {
      // A shebang or a benchmark's question may stand before it.
      const lines = readText(path).split('\n', 2)
      return !lines.includes(SPDX) && !lines.includes(SPDX.replace('//', '#'))
    })
    expect(without).toEqual([])
    expect(sources.length).toBeGreaterThan(50)
  })

  test('name no folder of one machine', () => {
    const texts = files.filter((path) => !/\.(?:png|ico|bin|gz)$/.test(path))
    expect(texts.filter((path) => MACHINE_PATHS.test(readText(path)))).toEqual([])
  })

  test(`have at most ${MOST_LINES} lines where they are published source`, () => {
    const published = sources.filter((path) => /^packages\/[^/]+\/src\//.test(path))
    const long = published.filter(
      (path) => readText(path).trimEnd().split('\n').length > MOST_LINES,
    )
    expect(long).toEqual([])
  })

  test('give each package the notice of the repository', () => {
    const notice = readText('NOTICE')
    for (const { folder, manifest } of listPackages()) {
      expect(readText(`${folder}/NOTICE`), folder).toBe(notice)
      expect(manifest.license, folder).toBe('Apache-2.0')
    }
  })
})
