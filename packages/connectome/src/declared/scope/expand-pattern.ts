// SPDX-License-Identifier: Apache-2.0
import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { compareCodePoints } from '../../graph/code-points.ts'
import type { Manifest } from './manifests.ts'

const SOURCE = /\.[cm]?[jt]sx?$/

/**
 * The source files that a pattern of `exports` such as `"./*": "./dist/*.js"` offers, as `./` paths in
 * the order of code points. Only the folder that the target names is looked through, only what the
 * manifest's `files` publishes counts, and not what another pattern withholds by `null`.
 */
export function expandPattern(
  { folder, fields }: Manifest,
  exports: Readonly<Record<string, unknown>>,
  key: string,
  target: string,
): readonly string[] {
  const [before = '', after = ''] = target.split('*', 2)
  const start = before.slice(0, before.lastIndexOf('/') + 1)
  if (!start.startsWith('./') || start.split('/').includes('..')) return []
  const isPublished = publishes(fields['files'])
  const isWithheld = withheldBy(exports)
  return filesBelow(join(folder, start))
    .map((path) => `./${relative(folder, path).split(sep).join('/')}`)
    .filter((path) => {
      if (path.length <= before.length + after.length || !SOURCE.test(path)) return false
      if (!path.startsWith(before) || !path.endsWith(after) || !isPublished(path)) return false
      const star = path.slice(before.length, path.length - after.length)
      return !isWithheld(key.replace('*', () => star))
    })
    .sort(compareCodePoints)
}

/** Files below a folder; what is installed there belongs to others. */
function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isFile()) return [path]
      return entry.isDirectory() && entry.name !== 'node_modules' ? filesBelow(path) : []
    })
  } catch {
    return [] // a pattern may name a folder that this build of the package does not have
  }
}

/** Whether `files` of a manifest publishes a path: by its own name, by a folder, or by a simple glob. */
function publishes(files: unknown): (path: string) => boolean {
  if (!Array.isArray(files)) return () => true
  const texts = files.filter((one) => typeof one === 'string')
  const rules = texts.map((text) => ({
    isKept: !text.startsWith('!'),
    pattern: globOf(text.replace(/^!/, '')),
  }))
  return (path) => {
    let isKept = false
    for (const rule of rules) if (rule.pattern.test(path)) isKept = rule.isKept
    return isKept
  }
}

function globOf(text: string): RegExp {
  const path = text.replace(/^\.?\//, '').replace(/\/$/, '')
  const escaped = path.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  const inner = escaped.replace(/\*\*\/?|\*|\?/g, (sign) =>
    sign === '?' ? '[^/]' : sign === '*' ? '[^/]*' : '.*',
  )
  return new RegExp(`^\\./${inner}(?:/.*)?$`)
}

/** Whether a name of the package falls under an export whose target is `null`. */
function withheldBy(exports: Readonly<Record<string, unknown>>): (name: string) => boolean {
  const keys = Object.keys(exports).filter((key) => exports[key] === null)
  return (name) =>
    keys.some((key) => {
      const [before = '', after] = key.split('*', 2)
      return after === undefined ? name === key : name.startsWith(before) && name.endsWith(after)
    })
}
