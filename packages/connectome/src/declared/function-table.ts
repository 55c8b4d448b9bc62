// SPDX-License-Identifier: Apache-2.0

/**
 * Where the functions of some modules stand, by the names they have in a declared graph of level `mfa`.
 * Plain data: it survives `JSON.stringify` and may be read in a process without the parser.
 */
export interface FunctionTable {
  /** One for each module, in the order of their ids. */
  readonly modules: readonly ModuleFunctions[]
}

export interface ModuleFunctions {
  /** The module's id, `<package>/<path from its package.json>`. */
  readonly module: string
  /** How long its source is, in UTF-16 code units, by which a copy that is not the same is told. */
  readonly length: number
  /** The module itself first; each stands behind those that it is within. */
  readonly places: readonly FunctionPlace[]
}

/**
 * From where to where code counts as one function of the graph, where nothing within says otherwise.
 * Lines count from 1, columns from 0 in UTF-16 code units, both as V8 counts them; the end is the first
 * place behind.
 */
export interface FunctionPlace {
  readonly kind: PlaceKind
  readonly function: string
  readonly arity: number
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/**
 * `field` is the initialiser of an instance's field, which counts as the constructor. A `class`, from its
 * keyword on, and `static` initialisers count as the code around the class; no call enters them.
 */
export const PLACE_KINDS = ['module', 'function', 'class', 'field', 'static'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]
