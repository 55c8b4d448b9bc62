// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moduleIdOf, type Owner } from '../declared/scope/manifests.ts'

/** Ids of modules by where their code lies, the same as in a declared graph. */
export interface ModuleIds {
  /** `<package>/<path>`; undefined for code of Node's own, of `eval`, and of no package. */
  readonly idOf: (script: string | null | undefined) => string | undefined
}

export function createModuleIds(): ModuleIds {
  const ids = new Map<string, string | undefined>()
  const owners = new Map<string, Owner | undefined>()
  const ownerOf = (folder: string): Owner | undefined => {
    if (owners.has(folder)) return owners.get(folder)
    const above = dirname(folder)
    const owner = readOwner(folder) ?? (above === folder ? undefined : ownerOf(above))
    owners.set(folder, owner)
    return owner
  }
  return {
    idOf: (script) => {
      if (script == null) return undefined
      if (ids.has(script)) return ids.get(script)
      const path = pathOf(script)
      const owner = path === undefined ? undefined : ownerOf(dirname(path))
      const id = path === undefined || owner === undefined ? undefined : moduleIdOf(path, owner)
      ids.set(script, id)
      return id
    },
  }
}

/** The file that a script came from: V8 knows ES modules by URL and CommonJS ones by path. */
export function pathOf(script: string): string | undefined {
  if (isAbsolute(script)) return script
  if (!script.startsWith('file:')) return undefined
  try {
    return fileURLToPath(script)
  } catch {
    return undefined
  }
}

/** The package whose manifest lies in a folder, if it says its name. */
function readOwner(folder: string): Owner | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const name = (manifest as { name?: unknown } | null)?.name
    return typeof name === 'string' && name !== '' ? { name, folder } : undefined
  } catch {
    return undefined
  }
}
