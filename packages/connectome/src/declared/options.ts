// SPDX-License-Identifier: Apache-2.0
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPlainObject, unknownKey } from '../graph/plain-object.ts'
import type { DeclaredCatalog } from './catalog.ts'
import { refuse } from './refuse.ts'

/** How fine the graph is. */
export const DECLARED_LEVELS = ['module', 'mfa', 'boundary'] as const
export type DeclaredLevel = (typeof DECLARED_LEVELS)[number]

/** Entry modules, and the packages whose modules are followed from there. */
export interface EntryScope {
  /** Absolute paths or `file:` URLs of modules. */
  readonly entries: readonly string[]
  /** Names of packages; modules of all others stay outside, those of an entry's own package too. */
  readonly packages: readonly string[]
}

/** Packages by their manifests: what `exports`, `main`, `module` and `bin` name, and what that leads to. */
export interface ManifestScope {
  /** Absolute paths or `file:` URLs of `package.json` files. */
  readonly manifests: readonly string[]
}

export interface DeclaredOptions {
  /** The server's name, which comes first in every id. */
  readonly server: string
  /** The host's catalog; asked once for its capabilities. */
  readonly catalog?: DeclaredCatalog
  readonly scope: EntryScope | ManifestScope
  /** @default 'module' */
  readonly level?: DeclaredLevel
  /**
   * Boundaries of the host's own, by module id or by a folder of ids ending in `/`; the longest that
   * fits counts. Without it a module's boundary is its package.
   */
  readonly boundaries?: Readonly<Record<string, string>>
  /** The id of the module that implements a tool, by the tool's name. */
  readonly toolModules?: Readonly<Record<string, string>>
  /** Callers the host vouches for: a module's id, or `<module id>#<function>`. */
  readonly dynamicAllowlist?: readonly string[]
  /** `['read']` adds an edge from the server to every resource, template and prompt. */
  readonly include?: readonly 'read'[]
}

/** Options that were checked, everything filled in. */
export interface CheckedOptions {
  readonly server: string
  readonly level: DeclaredLevel
  readonly boundaries: ReadonlyMap<string, string> | undefined
  readonly scope: EntryScope | ManifestScope
  readonly toolModules: ReadonlyMap<string, string>
  readonly allowlist: ReadonlySet<string>
  readonly withReads: boolean
  readonly catalog: unknown
}

const KEYS = [
  ...['server', 'catalog', 'scope', 'level', 'boundaries', 'toolModules', 'dynamicAllowlist'],
  'include',
]

/** @throws ConnectomeError in the order of docs/connectome-declared.md, "Refusals" */
export function readOptions(given: unknown): CheckedOptions {
  if (!isPlainObject(given)) return refuse('invalid', 'opts', given)
  const unknown = unknownKey(given, KEYS)
  if (unknown !== undefined) return refuse('unknown_key', unknown)
  const { server, level = 'module' } = given
  if (server === undefined) return refuse('missing', 'server')
  if (typeof server !== 'string') return refuse('invalid', 'server', server)
  const isLevel = DECLARED_LEVELS.find((one) => one === level)
  if (isLevel === undefined) return refuse('invalid', 'level', level)
  const boundaries = readBoundaries(given['boundaries'])
  const scope = readScope(given['scope'])
  const toolModules = readNames('tool_modules', given['toolModules'] ?? {})
  const allowlist = new Set(readStrings('dynamic_allowlist', given['dynamicAllowlist'] ?? []))
  const include = readStrings('include', given['include'] ?? [])
  if (include.some((one) => one !== 'read')) return refuse('invalid', 'include', include)
  const { catalog } = given
  const withReads = include.includes('read')
  return { server, level: isLevel, boundaries, scope, toolModules, allowlist, withReads, catalog }
}

function readBoundaries(given: unknown): ReadonlyMap<string, string> | undefined {
  if (given === 'reflect') return refuse('unsupported', 'boundaries', 'reflect')
  return given === undefined ? undefined : readNames('boundaries', given)
}

function readNames(option: string, given: unknown): ReadonlyMap<string, string> {
  if (!isPlainObject(given)) return refuse('invalid', option, given)
  const entries: [string, string][] = []
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string' || value === '') return refuse('invalid', option, given)
    entries.push([name, value])
  }
  return new Map(entries)
}

function readStrings(option: string, given: unknown): readonly string[] {
  if (!Array.isArray(given)) return refuse('invalid', option, given)
  const strings = Array.from(given, (one: unknown) => one)
  if (!strings.every((one) => typeof one === 'string')) return refuse('invalid', option, given)
  return strings
}

function readScope(given: unknown): EntryScope | ManifestScope {
  if (given === undefined) return refuse('missing', 'scope')
  if (!isPlainObject(given)) return refuse('invalid', 'scope', given)
  const unknown = unknownKey(given, ['entries', 'packages', 'manifests'])
  if (unknown !== undefined) return refuse('invalid', 'scope', given)
  const { entries, packages, manifests } = given
  const isByEntry = entries !== undefined || packages !== undefined
  if (isByEntry && manifests !== undefined) {
    return refuse('invalid', 'scope', 'both_entries_and_manifests')
  }
  if (manifests !== undefined) return { manifests: readPaths('manifests', manifests) }
  if (!isByEntry) return refuse('missing', 'scope')
  const paths = readPaths('entries', entries)
  return { entries: paths, packages: readStrings('packages', packages) }
}

/** @throws ConnectomeError `['invalid', option, given]` for what is no list of absolute paths and `file:` URLs */
export function readPaths(option: string, given: unknown): readonly string[] {
  const paths = readStrings(option, given)
  if (paths.length === 0) return refuse('invalid', option, given)
  return paths.map((path) => readPath(option, path))
}

/** A path in this platform's own form; a relative one would depend on where the process stands. */
function readPath(option: string, path: string): string {
  if (path.startsWith('file:')) {
    try {
      return fileURLToPath(path)
    } catch {
      return refuse('invalid', option, path)
    }
  }
  return isAbsolute(path) ? path : refuse('invalid', option, path)
}
