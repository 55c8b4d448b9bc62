// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the workspace. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The text of a file of the workspace. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Paths of the files that git keeps, or would keep if they were added now. */
export function listFiles(): readonly string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)))
}

/** What these tests read of a package's manifest. */
export interface Manifest {
  readonly name: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The folders and manifests of the published packages. */
export function listPackages(): readonly {
  readonly folder: string
  readonly manifest: Manifest
}[] {
  return readdirSync(join(ROOT, 'packages')).map((name) => {
    const folder = `packages/${name}`
    return { folder, manifest: JSON.parse(readText(`${folder}/package.json`)) as Manifest }
  })
}

/** One heading of a page and what stands below it, up to the next heading. */
export interface Section {
  readonly heading: string
  readonly lines: readonly string[]
}

/** The sections of a Markdown page; a `#` inside a fenced block is no heading. */
export function readSections(page: string): readonly Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  let isFenced = false
  for (const line of page.split('\n')) {
    if (line.startsWith('```')) isFenced = !isFenced
    const [, heading] = (!isFenced && /^#{1,6} (.+)$/.exec(line)) || []
    if (heading === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ heading: heading.trim(), lines: [] })
  }
  return sections
}

/** The first cells of the rows of a section's tables, where they are code. */
export function listRowNames({ lines }: Section): readonly string[] {
  return lines.flatMap((line) => /^\|\s*`([^`]+)`\s*\|/.exec(line)?.[1] ?? [])
}
