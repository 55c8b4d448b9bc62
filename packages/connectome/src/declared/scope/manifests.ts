// SPDX-License-Identifier: Apache-2.0
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { isPlainObject } from '../../graph/plain-object.ts'
import { expandPattern } from './expand-pattern.ts'

/** The package a file belongs to: the nearest manifest above it that has a name. */
export interface Owner {
  readonly name: string
  readonly folder: string
}

export interface Manifest {
  readonly folder: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Manifests by folder, each looked for once. */
export interface Manifests {
  /** The nearest manifest of a folder that has a name, or `undefined` where there is none. */
  ownerOf(folder: string): Owner | undefined
  /** Whether the nearest manifest says that `.js` is an ES module; `undefined` where it says nothing. */
  isModuleFolder(folder: string): boolean | undefined
}

export function readManifest(path: string): Manifest | undefined {
  // Most folders have none, and an exception costs more than a question.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  try {
    const fields: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isPlainObject(fields) ? { folder: dirname(path), fields } : undefined
  } catch {
    return undefined
  }
}

export function createManifests(): Manifests {
  const manifestIn = once((folder) => readManifest(join(folder, 'package.json')))
  const above = (folder: string): string | undefined => {
    const parent = dirname(folder)
    return parent === folder ? undefined : parent
  }
  const ownerOf = once((folder): Owner | undefined => {
    const name = manifestIn(folder)?.fields['name']
    if (isName(name)) return { name, folder }
    const parent = above(folder)
    return parent === undefined ? undefined : ownerOf(parent)
  })
  const isModuleFolder = once((folder): boolean | undefined => {
    const manifest = manifestIn(folder)
    const parent = above(folder)
    if (manifest === undefined) return parent === undefined ? undefined : isModuleFolder(parent)
    const { type } = manifest.fields
    return type === 'module' ? true : type === 'commonjs' ? false : undefined
  })
  return { ownerOf, isModuleFolder }
}

/** A function of a text that is asked once for each. */
function once<Answer>(ask: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>()
  return (text) => {
    const answer = known.get(text)
    if (answer !== undefined || known.has(text)) return answer as Answer // what was put in
    const found = ask(text)
    known.set(text, found)
    return found
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** `<package>/<path from its manifest>`, with `/` on every platform. */
export function moduleIdOf(path: string, { name, folder }: Owner): string {
  return `${name}/${relative(folder, path).split(sep).join('/')}`
}

/**
 * What a manifest offers by name: the targets of `exports`, or else `main` and `module`, and `bin`. A
 * pattern of `exports` offers the files that it fits and that `files`, where it is there, publishes.
 */
export function targetsOf(manifest: Manifest): readonly string[] {
  const found = new Set<string>()
  const { exports, main, module, bin } = manifest.fields as Record<string, unknown>
  if (exports === undefined) {
    found.add(typeof main === 'string' ? main : './index.js')
    if (typeof module === 'string') found.add(module)
  } else if (isPlainObject(exports)) {
    for (const [key, value] of Object.entries(exports)) {
      const targets = new Set<string>()
      if (key !== 'types') collect(value, targets)
      for (const target of targets) {
        if (!target.includes('*')) found.add(target)
        else for (const path of expandPattern(manifest, exports, key, target)) found.add(path)
      }
    }
  } else collect(exports, found)
  if (typeof bin === 'string') found.add(bin)
  else collect(bin, found)
  return [...found].filter((target) => !/\.d\.[cm]?ts$|\.json$|\.css$/.test(target))
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') found.add(value)
  else if (Array.isArray(value)) for (const one of value) collect(one, found)
  else if (isPlainObject(value)) {
    for (const [key, one] of Object.entries(value)) if (key !== 'types') collect(one, found)
  }
}
