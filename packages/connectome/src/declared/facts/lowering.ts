// SPDX-License-Identifier: Apache-2.0
import {
  type ClassFact,
  type FunctionFact,
  NOTHING,
  OP,
  type RequestFact,
  type RequestKind,
  SHAPE,
  type SiteFact,
  type SiteKind,
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
  readonly names: Map<string, number>
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
  readonly lineStarts: readonly number[]
  readonly strings: string[]
  readonly stringPlaces: Map<string, number>
  readonly code: number[]
  readonly functions: FunctionFact[]
  readonly classes: ClassFact[]
  readonly units: UnitFact[]
  readonly requests: RequestFact[]
  readonly sites: SiteFact[]
  readonly tools: ToolFact[]
  /** Text that a constant binding holds. */
  readonly literals: Map<number, string>
  /** The place in `requests` of what a binding was required from. */
  readonly requiredFrom: Map<number, number>
  /** Bindings that hold a `require` function. */
  readonly requirers: Set<number>
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

export function emit(low: Lowering, ...words: readonly number[]): void {
  for (const word of words) low.code.push(word)
}

/** Everything that may stand in one variable may stand in another. */
export function copy(low: Lowering, to: number, from: number): void {
  if (from !== NOTHING && to >= 0 && to !== from) low.code.push(OP.copy, to, from)
}

export function newObject(low: Lowering, shape: number = SHAPE.object): number {
  const to = fresh(low)
  low.code.push(OP.object, to, shape)
  return to
}

export function load(low: Lowering, object: number, name: string): number {
  const to = fresh(low)
  low.code.push(OP.load, to, object, text(low, name))
  return to
}

export function placeOf(low: Lowering, offset: number): { line: number; column: number } {
  const { lineStarts } = low
  let from = 0
  let to = lineStarts.length - 1
  while (from < to) {
    const middle = (from + to + 1) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) from = middle
    else to = middle - 1
  }
  return { line: from + 1, column: offset - (lineStarts[from] ?? 0) }
}

export function addRequest(
  low: Lowering,
  specifier: string,
  kind: RequestKind,
  offset: number,
): number {
  return low.requests.push({ specifier, kind, ...placeOf(low, offset) }) - 1
}

export function addSite(
  low: Lowering,
  kind: SiteKind,
  node: { readonly start: number; readonly end: number },
  callee: { readonly end: number },
  about: { readonly reason?: string; readonly request?: number } = NOTHING_SAID,
): number {
  const { line, column } = placeOf(low, node.start)
  const site: SiteFact = {
    kind,
    start: node.start,
    end: node.end,
    calleeEnd: callee.end,
    line,
    column,
    unit: low.frame.unit,
    reason: about.reason ?? '',
    request: about.request ?? -1,
  }
  return low.sites.push(site) - 1
}

const NOTHING_SAID = {}

export function declare(low: Lowering, name: string, scope: Scope = low.scope): number {
  const known = scope.names.get(name)
  if (known !== undefined) return known
  const variable = fresh(low)
  scope.names.set(name, variable)
  return variable
}

export function find(low: Lowering, name: string): number | undefined {
  for (let scope: Scope | undefined = low.scope; scope !== undefined; scope = scope.parent) {
    const variable = scope.names.get(name)
    if (variable !== undefined) return variable
  }
  return undefined
}

/** Reads something in a scope of its own. */
export function within(low: Lowering, isFunction: boolean, read: () => void): void {
  const outer = low.scope
  low.scope = { names: new Map(), parent: outer, isFunction }
  read()
  low.scope = outer
}
