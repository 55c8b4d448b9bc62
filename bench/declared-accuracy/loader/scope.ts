// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { dirname, extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A package whose modules are followed. */
export interface PackageRoot {
  readonly name: string
  /** Absolute, its links resolved, as the module loaders see it. */
  readonly folder: string
}

const EXTENSIONS = new Set(['.js', '.cjs', '.mjs', '.ts', '.mts', '.cts'])

/** The path of a file URL, or the path as given. */
export function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file
}

/** The id `<package>/<path>` of a source file inside of the packages, or `undefined` outside. */
export function moduleIdOf(file: string, roots: readonly PackageRoot[]): string | undefined {
  const path = pathOf(file)
  if (!EXTENSIONS.has(extname(path))) return undefined
  for (const { name, folder } of roots) {
    if (!path.startsWith(folder + sep)) continue
    const inside = relative(folder, path)
    if (!inside.split(sep).includes('node_modules')) return `${name}/${inside.split(sep).join('/')}`
  }
  return undefined
}

/** The file of a module id; the inverse of `moduleIdOf`. */
export function fileOf(module: string, roots: readonly PackageRoot[]): string {
  const root = roots.find(({ name }) => module.startsWith(`${name}/`))
  if (root === undefined) throw new Error(`${module} is of no package in scope`)
  return join(root.folder, module.slice(root.name.length + 1))
}

/** Whether Node reads a file as an ECMAScript module. */
export function isModuleFile(file: string): boolean {
  const extension = extname(file)
  if (extension.startsWith('.m')) return true
  if (extension.startsWith('.c')) return false
  return nearestType(dirname(file)) === 'module'
}

const types = new Map<string, string>()

function nearestType(folder: string): string {
  const known = types.get(folder)
  if (known !== undefined) return known
  const found = typeIn(folder) ?? (dirname(folder) === folder ? '' : nearestType(dirname(folder)))
  types.set(folder, found)
  return found
}

function typeIn(folder: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const hasType = typeof manifest === 'object' && manifest !== null && 'type' in manifest
    return hasType ? String(manifest.type) : ''
  } catch {
    return undefined
  }
}
