// SPDX-License-Identifier: Apache-2.0

/**
 * What a module does, as a flat program over numbered variables. A variable holds every value that
 * may stand in one place of the source: a binding, a parameter, a result. Variables from 0 are the
 * module's own; the three below 0 are the same in every module.
 */
export const NOTHING = -1
/** A value that holds nothing of the scope: text, number, regular expression, date and so on. */
export const PLAIN = -2
/** A value of which nothing is known. */
export const UNKNOWN = -3

/** The instructions; the comment has the operands that follow each in `code`. */
export const OP = {
  copy: 0, // to, from
  func: 1, // to, function
  cls: 2, // to, class
  object: 3, // to, shape
  load: 4, // to, object, name
  store: 5, // object, name, from
  loadKey: 6, // to, object, key
  storeKey: 7, // object, key, from
  element: 8, // to, list
  global: 9, // to, name
  setGlobal: 10, // name, from
  imported: 11, // to, request, name
  required: 12, // to, request
  exported: 13, // name, from
  reexported: 14, // name, request, name there
  exportAll: 15, // request
  call: 16, // site, callee, result, count, arguments
  method: 17, // site, object, name, result, count, arguments
  construct: 18, // site, callee, result, count, arguments
  superCall: 19, // site, class, this, result, count, arguments
  superMethod: 20, // site, class, is static, this, name, result, count, arguments
  escape: 21, // from
  promise: 22, // to, from
  awaited: 23, // to, from
  define: 24, // object, name, descriptor
  spread: 25, // object, from
  symbol: 26, // to
  interop: 27, // to, from, request or -1
  accessor: 28, // object, name, function, is setter
  superLoad: 29, // to, class, is static, name
  typed: 30, // variable, class
  publish: 31, // object with functions that answer members
  exportFrom: 32, // object, from
  member: 33, // object, name, from: an own member for certain
  keyed: 34, // site, object, key, result, count, arguments
  answer: 35, // to, function whose result it is
  narrowed: 36, // to, from, class: what of it is an instance of the class
} as const

/**
 * What the operands of each instruction are, in the order of their numbers: `t` a variable that it writes,
 * `r` one that it writes what a call gives, `u` one that it reads, `h` one that others write too, `w` a
 * number of another kind, `*` how many arguments follow, and those, each `variable * 2`, plus 1 for a spread.
 */
export const OPERANDS: readonly string[] = byNumber({
  copy: 'tu',
  func: 'tw',
  cls: 'tw',
  object: 'tw',
  load: 'tuw',
  store: 'uwu',
  loadKey: 'tuu',
  storeKey: 'uuu',
  element: 'tu',
  global: 'tw',
  setGlobal: 'wu',
  imported: 'tww',
  required: 'tw',
  exported: 'wu',
  reexported: 'www',
  exportAll: 'w',
  call: 'wur*',
  method: 'wuwr*',
  construct: 'wur*',
  superCall: 'wuur*',
  superMethod: 'wuwuwr*',
  escape: 'u',
  promise: 'tu',
  awaited: 'tu',
  define: 'uwu',
  spread: 'uu',
  symbol: 't',
  interop: 'tuw',
  accessor: 'uwww',
  superLoad: 'tuww',
  typed: 'hu',
  publish: 'uu',
  exportFrom: 'uu',
  member: 'uwu',
  keyed: 'wuur*',
  answer: 'tu',
  narrowed: 'tuu',
})

function byNumber(operands: Readonly<Record<keyof typeof OP, string>>): readonly string[] {
  const list: string[] = []
  for (const [name, roles] of Object.entries(operands)) list[OP[name as keyof typeof OP]] = roles // its own keys
  return list
}

/** The shapes of a new object. */
export const SHAPE = { object: 0, list: 1, promise: 2, exports: 3, module: 4 } as const

/** What kind of expression a call site is; `each` calls what `for (const name of …)` named. */
export const SITE_KINDS = ['call', 'new', 'tag', 'super', 'import', 'eval', 'each'] as const
export type SiteKind = (typeof SITE_KINDS)[number]

/** A function of the source, of whatever form. */
export interface FunctionFact {
  /** Place in `units`. */
  readonly unit: number
  /** Offset of the first and after the last character. */
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
  readonly parameters: readonly number[]
  /** The variable of all arguments beyond the parameters, or -1. */
  readonly rest: number
  /** The variable of `arguments`, or -1 where the function does not name it. */
  readonly all: number
  /** The variable of `this`, or -1 for an arrow. */
  readonly self: number
  readonly result: number
  /** Whether it is written as a method of a class, so that `this` is an instance. */
  readonly isMethod: boolean
}

export interface ClassFact {
  readonly name: string
  readonly line: number
  readonly column: number
  /** The variable of what it extends, or -1. */
  readonly base: number
  /** The place of its constructor in `functions`, or -1. */
  readonly maker: number
  /** The place of the function that stands for its fields' initialisers, or -1. */
  readonly fields: number
  /** The variables of the prototype and of an instance. */
  readonly prototype: number
  readonly instance: number
}

/**
 * A place of a class that holds code of no function: the whole class, which counts as the code around it,
 * the initialiser of an instance's field, and the initialiser of a static one or a static block.
 */
export interface ClassPlaceFact {
  readonly kind: 'class' | 'field' | 'static'
  /** Place in `units`. */
  readonly unit: number
  /** Offset of the first and after the last character. */
  readonly start: number
  readonly end: number
}

/** A function as the graph names it: everything nested in it counts as its own. */
export interface UnitFact {
  readonly name: string
  readonly arity: number
}

/** `type` asks for types alone, so nothing is loaded for it. */
export type RequestKind = 'import' | 'require' | 'dynamic' | 'type'

/** A module asked for by name. */
export interface RequestFact {
  readonly specifier: string
  readonly kind: RequestKind
  readonly line: number
  readonly column: number
}

/** A call expression. `line` from 1, `column` from 0 in UTF-16 code units, of its first character. */
export interface SiteFact {
  readonly kind: SiteKind
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
  readonly unit: number
  readonly reason: SiteReason
  /** Place in `requests` of an `import()` or `require()` with a literal, or -1. */
  readonly request: number
  /** Offset after the last character of what is called. */
  readonly calleeEnd: number
}

/** Why nothing can be known of a site, where the source alone says so; the first says nothing. */
export const SITE_REASONS = [
  '',
  'builtin',
  'computed_member',
  'dynamic_import',
  'eval',
  'value',
] as const
export type SiteReason = (typeof SITE_REASONS)[number]

/** Numbers of a site: kind, start, end, end of the callee, line, column, unit, reason, request. */
export const SITE_WORDS = 9

/** The call expression at a place among those of a module. */
export function siteAt(sites: Int32Array, place: number): SiteFact {
  const at = (word: number): number => sites[place * SITE_WORDS + word] ?? 0
  return {
    kind: SITE_KINDS[at(0)] ?? 'call',
    ...{ start: at(1), end: at(2), calleeEnd: at(3), ...positionAt(sites, place) },
    reason: SITE_REASONS[at(7)] ?? '',
    request: at(8),
  }
}

/** Where a call expression stands; all that most readers ask of it. */
export type SitePosition = Pick<SiteFact, 'line' | 'column' | 'unit'>

export function positionAt(sites: Int32Array, place: number): SitePosition {
  const at = place * SITE_WORDS
  return { line: sites[at + 4] ?? 0, column: sites[at + 5] ?? 0, unit: sites[at + 6] ?? 0 }
}

export const kindAt = (sites: Int32Array, place: number): SiteKind =>
  SITE_KINDS[sites[place * SITE_WORDS] ?? 0] ?? 'call'

export const reasonAt = (sites: Int32Array, place: number): SiteReason =>
  SITE_REASONS[sites[place * SITE_WORDS + 7] ?? 0] ?? ''

export const requestAt = (sites: Int32Array, place: number): number =>
  sites[place * SITE_WORDS + 8] ?? -1

export const countSites = (sites: Int32Array): number => sites.length / SITE_WORDS

/** A call that defines a tool: its name and the variable of its handler. */
export interface ToolFact {
  readonly name: string
  /** The variable of the function called, or -1. */
  readonly callee: number
  readonly handler: number
  readonly line: number
  readonly column: number
}

export interface ModuleFacts {
  readonly strings: readonly string[]
  readonly code: Int32Array
  readonly variables: number
  readonly functions: readonly FunctionFact[]
  readonly classes: readonly ClassFact[]
  readonly classPlaces: readonly ClassPlaceFact[]
  readonly units: readonly UnitFact[]
  readonly requests: readonly RequestFact[]
  /** SITE_WORDS numbers for each call expression; `siteAt` reads them. */
  readonly sites: Int32Array
  readonly tools: readonly ToolFact[]
  /** CommonJS has `module` and `exports`; the other kind exports by statement. */
  readonly format: 'module' | 'commonjs'
  /** The variables of `module`, `exports` and the first `module.exports`, or -1 in the other kind. */
  readonly commonjs: { readonly module: number; readonly exports: number }
  /** Whether it says to be compiled from an ES module. */
  readonly isCompiled: boolean
}

/** Why a file has no facts. */
export interface ParseFault {
  readonly reason: string
  readonly line: number
  readonly column: number
}
