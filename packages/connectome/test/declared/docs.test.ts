// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import * as declared from '@beam-mcp/connectome/declared'
import { describe, expect, test } from 'vitest'
import { quoted, rows, section } from '../docs/pages.ts'
import { build } from './fixture.ts'

const page = readFileSync(
  new URL('../../../../docs/connectome-declared.md', import.meta.url),
  'utf8',
)

/** The first cells of the tables under a heading. */
const names = (heading: string): string[] =>
  rows(section(page, heading))
    .flatMap(([cell = '']) => quoted(cell))
    .sort()

describe('docs/connectome-declared.md', () => {
  test('lists every field of the bound and every reason, and no other', async () => {
    const { bound } = await build({ 'main.js': '' })
    const known = [...Object.keys(bound), ...declared.UNRESOLVED_REASONS, 'reason']
    expect(names('The bound')).toEqual(known.sort())
  })

  test('lists every option', () => {
    const options: Record<keyof declared.DeclaredOptions, true> = {
      ...{ server: true, scope: true, catalog: true, level: true, boundaries: true },
      ...{ toolModules: true, dynamicAllowlist: true, include: true },
    }
    expect(names('Options')).toEqual(Object.keys(options).sort())
  })

  test('names everything the subpath exports', () => {
    expect(Object.keys(declared).filter((name) => !page.includes(name))).toEqual([])
  })

  test('gives the versions that the manifest asks for', () => {
    const manifest = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { readonly peerDependencies: Readonly<Record<string, string>> }
    for (const peer of ['oxc-parser', 'oxc-resolver']) {
      expect(page).toContain(`${peer}@${manifest.peerDependencies[peer]}`)
    }
  })
})
