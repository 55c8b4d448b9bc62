// SPDX-License-Identifier: Apache-2.0
import { existsSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listFiles, ROOT, readSections, readText } from './workspace.ts'

const LINK = /\]\(([^()\s]+)\)/g

/** The anchor that a heading gets where pages are read. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

function findBrokenLinks(page: string): readonly string[] {
  const text = readText(page)
    .replace(/^```.*?^```/gms, '')
    .replace(/`[^`\n]*`/g, '')
  return [...text.matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/.test(target) && !resolves(page, target))
    .map((target) => `${page} links to ${target}`)
}

function resolves(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const linked = path === '' ? page : normalize(join(dirname(page), path))
  if (linked.startsWith('..') || !existsSync(join(ROOT, linked))) return false
  if (anchor === undefined) return true
  if (statSync(join(ROOT, linked)).isDirectory()) return false
  return readSections(readText(linked)).some(({ heading }) => anchorOf(heading) === anchor)
}

describe('the pages', () => {
  const pages = listFiles().filter((path) => path.endsWith('.md'))

  test.each(pages)('%s links to nothing that is not there', (page) => {
    expect(findBrokenLinks(page)).toEqual([])
  })

  test('README.md has fewer than 150 lines', () => {
    expect(readText('README.md').trimEnd().split('\n').length).toBeLessThan(150)
  })

  test('the README of an example has at most 40 lines', () => {
    const readmes = pages.filter((page) => /^examples\/[^/]+\/README\.md$/.test(page))
    expect(readmes.length).toBeGreaterThan(0)
    for (const page of readmes) {
      expect(readText(page).trimEnd().split('\n').length, page).toBeLessThanOrEqual(40)
    }
  })
})
