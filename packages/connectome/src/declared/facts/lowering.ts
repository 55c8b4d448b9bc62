// SPDX-License-Identifier: Apache-2.0
import {
  type ClassFact,
  type ClassPlaceFact,
  type FunctionFact,
  NOTHING,
  OP,
  type RequestFact,
  type RequestKind,
  SHAPE,
  SITE_KINDS,
  SITE_REASONS,
  SITE_WORDS,
  type SiteKind,
  type SiteReason,
  type ToolFact,
  type UnitFact,
} from './module-facts.ts'
import type {
  ArrowFunctionExpression,
  AssignmentTarget,
  AssignmentTargetMaybeDefault,
  BindingPattern,
  Class,
  Expression,
  FunctionNode,
  Statement,
} from './parse-source.ts'

/** Bindings of one block or function, to variables. */
export interface Scope {
  names: Map<string, number> | undefined
  readonly parent: Scope | undefined
  readonly isFunction: boolean
}

/** The class around the code being read. */
export interface ClassFrame {
  readonly variable: number
  readonly isStatic: boolean
}

/** The function around the code being read; arrows share `self` and `all` with the one around them. */
export interface Frame {
  readonly unit: number
  /** Whether functions written here are units of their own. */
  readonly isTop: boolean
  readonly self: number
  readonly result: number
  readonly yields: number
  readonly isGenerator: boolean
  readonly all: { variable: number }
  readonly home: ClassFrame | undefined
}

/** A module being read: what is known so far, and the readers of each kind of syntax. */
export interface Lowering {
  readonly text: string
  readonly lineStarts: Int32Array
  readonly strings: string[]
  readonly stringPlaces: Map<string, number>
  readonly code: Words
  readonly functions: FunctionFact[]
  readonly classes: ClassFact[]
  readonly classPlaces: ClassPlaceFact[]
  readonly units: UnitFact[]
  readonly requests: RequestFact[]
  readonly sites: Words
  readonly tools: ToolFact[]
  /** Text that a constant binding holds. */
  readonly literals: Map<number, string>
  /** The place in `requests` of what a binding was required from. */
  readonly requiredFrom: Map<number, number>
  /** Variables of names where more is known of what they hold, to what the names hold everywhere. */
  readonly narrowed: Map<number, number>
  /** The other way round, and whether a function inside gives the name something else. */
  readonly narrowings: Map<number, Narrowings>
  /** Bindings that hold a `require` function. */
  readonly requirers: Set<number>
  /** Constants that hold what a loop goes through, one after the other. */
  readonly looped: Set<number>
  readonly isModule: boolean
  /** The variable of `exports`, or -1 in an ES module. */
  exportsVariable: number
  moduleVariable: number
  variables: number
  isCompiled: boolean
  scope: Scope
  frame: Frame
  depth: number
  readonly expression: (low: Lowering, node: Expression, name?: string) => number
  readonly statements: (low: Lowering, list: readonly Statement[]) => void
  readonly functionValue: (
    low: Lowering,
    node: FunctionNode | ArrowFunctionExpression,
    options: FunctionOptions,
  ) => { readonly variable: number; readonly place: number }
  readonly classValue: (low: Lowering, node: Class, name?: string) => number
  readonly bind: (low: Lowering, pattern: BindingPattern, from: number) => void
  readonly assign: (
    low: Lowering,
    target: AssignmentTarget | AssignmentTargetMaybeDefault,
    from: number,
  ) => void
}

export interface Narrowings {
  readonly variables: number[]
  isSetInside: boolean
}

export interface FunctionOptions {
  readonly name: string | undefined
  /** The class whose method it is. */
  readonly home?: ClassFrame
  /** Run where it stands, so that what it holds counts as the code around it. */
  readonly isImmediate?: boolean
}

/** Nested deeper than this, a module is reported and not read: the stack is bounded. */
const MAX_DEPTH = 700

/** Thrown inside the reader of a module alone, and caught there. */
export class TooDeep extends Error {
  readonly offset: number

  constructor(offset: number) {
    super('too deep')
    this.offset = offset
  }
}

export function enter(low: Lowering, offset: number): void {
  if (++low.depth > MAX_DEPTH) throw new TooDeep(offset)
}

export function fresh(low: Lowering): number {
  return low.variables++
}

export function text(low: Lowering, string: string): number {
  const known = low.stringPlaces.get(string)
  if (known !== undefined) return known
  low.stringPlaces.set(string, low.strings.length)
  return low.strings.push(string) - 1
}

/** Numbers that are appended to, in an array that grows. */
export interface Words {
  size: number
  list: Int32Array
}

export const createWords = (): Words => ({ size: 0, list: new Int32Array(1 << 10) })

export function push(words: Words, word: number): void {
  makeRoom(words, 1)
  words.list[words.size++] = word
}

function makeRoom(words: Words, count: number): void {
  if (words.size + count > words.list.length) grow(words, count)
}

function grow(words: Words, count: number): void {
  const more = new Int32Array(words.list.length * 2 + count)
  more.set(words.list)
  words.list = more
}

/** Appends an instruction of up to six words. */
export function emit(
  { code }: Lowering,
  op: number,
  a: number,
  b?: number,
  c?: number,
  d?: number,
  e?: number,
): void {
  makeRoom(code, MOST_WORDS)
  const { list } = code
  let at = code.size
  list[at++] = op
  list[at++] = a
  if (b !== undefined) list[at++] = b
  if (c !== undefined) list[at++] = c
  if (d !== undefined) list[at++] = d
  if (e !== undefined) list[at++] = e
  code.size = at
}

/** Of one instruction. */
const MOST_WORDS = 6

/** Appends how many words follow, and the words. */
export function emitList({ code }: Lowering, words: readonly number[]): void {
  makeRoom(code, words.length + 1)
  const { list } = code
  list[code.size++] = words.length
  for (let i = 0; i < words.length; i++) list[code.size++] = words[i] ?? NOTHING
}

/** Everything that may stand in one variable may stand in another. */
export function copy(low: Lowering, to: number, from: number): void {
  if (from !== NOTHING && to >= 0 && to !== from) emit(low, OP.copy, to, from)
}

export function newObject(low: Lowering, shape: number = SHAPE.object): number {
  const to = fresh(low)
  emit(low, OP.object, to, shape)
  return to
}

export function load(low: Lowering, object: number, name: string): number {
  const to = fresh(low)
  emit(low, OP.load, to, object, text(low, name))
  return to
}

export function placeOf(low: Lowering, offset: number): { line: number; column: number } {
  const line = lineOf(low, offset)
  return { line, column: offset - (low.lineStarts[line - 1] ?? 0) }
}

function lineOf({ lineStarts }: Lowering, offset: number): number {
  let from = 0
  let to = lineStarts.length - 1
  while (from < to) {
    const middle = (from + to + 1) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) from = middle
    else to = middle - 1
  }
  return from + 1
}

export function addRequest(
  low: Lowering,
  specifier: string,
  kind: RequestKind,
  offset: number,
): number {
  const { line, column } = placeOf(low, offset)
  return low.requests.push({ specifier, kind, line, column }) - 1
}

/** Notes a call expression, whose callee ends at the offset `calleeEnd`; answers its place. */
export function addSite(
  low: Lowering,
  kind: SiteKind,
  { start, end }: { readonly start: number; readonly end: number },
  calleeEnd: number,
  reason: SiteReason = '',
  request = -1,
): number {
  const { sites } = low
  const line = lineOf(low, start)
  makeRoom(sites, SITE_WORDS)
  const { list, size } = sites
  list[size] = SITE_KINDS.indexOf(kind)
  list[size + 1] = start
  list[size + 2] = end
  list[size + 3] = calleeEnd
  list[size + 4] = line
  list[size + 5] = start - (low.lineStarts[line - 1] ?? 0)
  list[size + 6] = low.frame.unit
  list[size + 7] = SITE_REASONS.indexOf(reason)
  list[size + 8] = request
  sites.size = size + SITE_WORDS
  return size / SITE_WORDS
}

export function declare(low: Lowering, name: string, scope: Scope = low.scope): number {
  const known = scope.names?.get(name)
  if (known !== undefined) return known
  const variable = fresh(low)
  setName(scope, name, variable)
  return variable
}

/** Most blocks declare nothing, so that a table is made for those that do. */
export function setName(scope: Scope, name: string, variable: number): void {
  scope.names ??= new Map()
  scope.names.set(name, variable)
}

export function find(low: Lowering, name: string): number | undefined {
  let isInner = false
  for (let scope: Scope | undefined = low.scope; scope !== undefined; scope = scope.parent) {
    const variable = scope.names?.get(name)
    // A function that is written under a test may run when the test no longer holds.
    if (variable !== undefined) return isInner ? originOf(low, variable) : variable
    if (scope.isFunction) isInner = true
  }
  return undefined
}

/** The variable of a name that is narrowed by no test. */
export function originOf({ narrowed }: Lowering, variable: number): number {
  let origin = variable
  for (let next = narrowed.get(origin); next !== undefined; next = narrowed.get(origin)) {
    origin = next
  }
  return origin
}

/** Gives a name in the current scope a variable of its own, for what it holds from here on. */
export function narrowName(low: Lowering, name: string, variable: number, from: number): void {
  low.narrowed.set(variable, from)
  narrowingsOf(low, originOf(low, from)).variables.push(variable)
  setName(low.scope, name, variable)
}

export function narrowingsOf({ narrowings }: Lowering, origin: number): Narrowings {
  const known = narrowings.get(origin)
  if (known !== undefined) return known
  const made: Narrowings = { variables: [], isSetInside: false }
  narrowings.set(origin, made)
  return made
}

/** Whether a name that is found belongs to a function further out. */
export function isOfOuter({ scope }: Lowering, name: string): boolean {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    if (at.names?.has(name) === true) return false
    if (at.isFunction) return true
  }
  return true
}

/** Begins a scope of its own; answers the one around it, which `low.scope` is set to in the end. */
export function openScope(low: Lowering, isFunction = false): Scope {
  const outer = low.scope
  low.scope = { names: undefined, parent: outer, isFunction }
  return outer
}
