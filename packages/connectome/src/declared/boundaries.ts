// SPDX-License-Identifier: Apache-2.0
import type { AnalysedScope } from './analyse-scope.ts'
import { sortNames } from './bound.ts'

export interface Boundary {
  readonly source: 'application' | 'boundary_module'
  readonly name: string
}

/** The boundary of each module, and the modules that have none. */
export interface Boundaries {
  readonly of: ReadonlyMap<string, Boundary>
  readonly ungrouped: readonly string[]
}

/** A module's boundary is its package, or what the host's map says and nothing else. */
export function groupModules(
  { modules }: AnalysedScope,
  map: ReadonlyMap<string, string> | undefined,
): Boundaries {
  const of = new Map<string, Boundary>()
  const ungrouped: string[] = []
  for (const { source } of modules) {
    const { id, packageName } = source
    if (map === undefined) {
      of.set(id, { source: 'application', name: packageName })
      continue
    }
    const name = longestFit(map, id)
    if (name === undefined) ungrouped.push(id)
    else of.set(id, { source: 'boundary_module', name })
  }
  return { of, ungrouped: sortNames(ungrouped) }
}

/** The entry for a module's id, or for the deepest folder that holds it. */
function longestFit(map: ReadonlyMap<string, string>, id: string): string | undefined {
  for (let key = id; key !== ''; key = key.slice(0, key.lastIndexOf('/', key.length - 2) + 1)) {
    const name = map.get(key)
    if (name !== undefined) return name
  }
  return undefined
}
