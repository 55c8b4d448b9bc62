// SPDX-License-Identifier: Apache-2.0

// The subpath `@beam-mcp/connectome/declared`. It alone loads the parser and the resolver.
export type {
  CallPlace,
  DeclaredBound,
  ExternalCall,
  MissingSource,
  SourcePlace,
  UngroupedCall,
  UnparsedModule,
  UnplacedTool,
  UnreadableEntry,
  UnresolvedCall,
} from './bound.ts'
export { buildDeclared, type Declared } from './build-declared.ts'
export type { DeclaredCatalog } from './catalog.ts'
export type { FunctionPlace, FunctionTable, ModuleFunctions, PlaceKind } from './function-table.ts'
export {
  DECLARED_LEVELS,
  type DeclaredLevel,
  type DeclaredOptions,
  type EntryScope,
  type ManifestScope,
} from './options.ts'
export { readFunctions } from './read-functions.ts'
export { UNRESOLVED_REASONS, type UnresolvedReason } from './verdicts.ts'
