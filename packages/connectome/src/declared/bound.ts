// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from '../graph/code-points.ts'

/** A place in a module: `line` from 1, `column` from 0 in UTF-16 code units. */
export interface SourcePlace {
  /** The module's id. */
  readonly module: string
  readonly line: number
  readonly column: number
}

/** A call expression, by its first character. */
export interface CallPlace extends SourcePlace {
  /** The function of the graph that it stands in: `(module)` for a module's own statements. */
  readonly function: string
}

/** A call of which it is not known, or not known in full, where it leads. */
export interface UnresolvedCall extends CallPlace {
  /** One of `UNRESOLVED_REASONS`. */
  readonly reason: string
}

/** A call that leads out of the scope. */
export interface ExternalCall extends CallPlace {
  /** The package, or `node:` and a module of the platform. Empty for a member of an unknown value. */
  readonly package: string
  /** What is called there, as far as the source says it; empty for the module itself. */
  readonly callee: string
}

/** A name that a module asks for and that leads to no source. */
export interface MissingSource extends SourcePlace {
  readonly specifier: string
}

/** A file that could not be read as code, and why: `syntax`, `too_deep` or `unreadable`. */
export interface UnparsedModule extends SourcePlace {
  readonly reason: string
}

/** An entry of the catalog that is no node. */
export interface UnreadableEntry {
  readonly kind: 'resource_template'
  readonly name: string
}

/** A tool without an implementation in the graph. */
export interface UnplacedTool {
  readonly tool: string
}

/** A call between modules of which one has no boundary in the host's map. */
export interface UngroupedCall extends CallPlace {
  readonly to: string
}

/** What the build could not see, as sorted lists. */
export interface DeclaredBound {
  /** Calls that may lead into the scope to a function that no edge shows. */
  readonly unresolved_calls: readonly UnresolvedCall[]
  /** The same, from callers that the host vouches for. */
  readonly allowlisted_calls: readonly UnresolvedCall[]
  /** Calls of packages and of modules of the platform. */
  readonly external_callees: readonly ExternalCall[]
  readonly modules_without_source: readonly MissingSource[]
  readonly unparsed_modules: readonly UnparsedModule[]
  readonly unreadable_catalog_entries: readonly UnreadableEntry[]
  readonly tools_without_module: readonly UnplacedTool[]
  /** Modules that the host's map of boundaries leaves out. */
  readonly ungrouped_modules: readonly string[]
  readonly ungrouped_calls: readonly UngroupedCall[]
  /** `import()` and `require()` of a name that only running tells. */
  readonly dynamic_imports: readonly CallPlace[]
  /** What the graph was made from: of `catalog`, `define_tool`, `tool_modules`, `source`, and `application` or `boundary_map`. */
  readonly sources_used: readonly string[]
}

/** Sorts entries by module, place and the rest. Two calls of a chain begin at one place: both stay. */
export function sortPlaces<Place extends SourcePlace>(list: readonly Place[]): readonly Place[] {
  const sorted = [...list].sort(
    (a, b) =>
      (a.module === b.module ? 0 : compareCodePoints(a.module, b.module)) ||
      a.line - b.line ||
      a.column - b.column ||
      compareCodePoints(JSON.stringify(a), JSON.stringify(b)),
  )
  for (const place of sorted) Object.freeze(place)
  return sorted
}

export function sortNames(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].sort(compareCodePoints)
}
