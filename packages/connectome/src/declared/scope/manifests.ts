// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { isPlainObject } from '../../graph/plain-object.ts'

/** The package a file belongs to: the nearest manifest above it that has a name. */
export interface Owner {
  readonly name: string
  readonly folder: string
}

export interface Manifest {
  readonly folder: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Manifests by folder, each read once. */
export interface Manifests {
  /** The nearest manifest of a folder that has a name, or `undefined` where there is none. */
  ownerOf(folder: string): Promise<Owner | undefined>
  /** Whether the nearest manifest says that `.js` is an ES module; `undefined` where it says nothing. */
  isModuleFolder(folder: string): Promise<boolean | undefined>
}

export async function readManifest(path: string): Promise<Manifest | undefined> {
  try {
    const fields: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isPlainObject(fields) ? { folder: dirname(path), fields } : undefined
  } catch {
    return undefined
  }
}

export function createManifests(): Manifests {
  const read = new Map<string, Promise<Manifest | undefined>>()
  const manifestIn = (folder: string): Promise<Manifest | undefined> => {
    const known = read.get(folder)
    if (known !== undefined) return known
    const found = readManifest(join(folder, 'package.json'))
    read.set(folder, found)
    return found
  }
  const nearest = async (
    folder: string,
    suits: (manifest: Manifest) => boolean,
  ): Promise<Manifest | undefined> => {
    for (let at = folder; ; at = dirname(at)) {
      const manifest = await manifestIn(at)
      if (manifest !== undefined && suits(manifest)) return manifest
      if (dirname(at) === at) return undefined
    }
  }
  return {
    async ownerOf(folder) {
      const manifest = await nearest(folder, ({ fields }) => isName(fields['name']))
      const name = manifest?.fields['name']
      return manifest && isName(name) ? { name, folder: manifest.folder } : undefined
    },
    async isModuleFolder(folder) {
      const type = (await nearest(folder, () => true))?.fields['type']
      return type === 'module' ? true : type === 'commonjs' ? false : undefined
    },
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** `<package>/<path from its manifest>`, with `/` on every platform. */
export function moduleIdOf(path: string, { name, folder }: Owner): string {
  return `${name}/${relative(folder, path).split(sep).join('/')}`
}

/** What a manifest offers by name: the targets of `exports`, or else `main` and `module`, and `bin`. */
export function targetsOf({ fields }: Manifest): readonly string[] {
  const found = new Set<string>()
  const { exports, main, module, bin } = fields as Record<string, unknown>
  if (exports === undefined) {
    found.add(typeof main === 'string' ? main : './index.js')
    if (typeof module === 'string') found.add(module)
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
