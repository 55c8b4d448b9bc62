// SPDX-License-Identifier: Apache-2.0
import { type CallSite, markCall } from './mark-call.ts'
import { type FunctionEntry, markFields, markFunction } from './mark-function.ts'
import { createSplices, lastUpTo, type Spliced } from './splices.ts'
import { stripTypes } from './strip-types.ts'
import { childrenOf, isFunction, nodeAt, nodesAt, parseFile, type SyntaxNode } from './syntax.ts'

/** A call site of the source, and where V8 says a call from it stands in the code. */
export interface Site extends CallSite {
  /** From 1. */
  readonly line: number
  /** From 0, in UTF-16 units. */
  readonly column: number
  readonly positions: readonly number[]
}

export interface Instrumented {
  readonly code: string
  readonly program: SyntaxNode
  readonly functions: readonly FunctionEntry[]
  /** Where each function ends in the code, which is how V8's coverage names it. */
  readonly ends: readonly number[]
  readonly sites: readonly Site[]
  /** Where classes without a constructor of their own begin in the source. */
  readonly classes: ReadonlySet<number>
  /** The offset in the source that a place in the code came from. */
  readonly sourceOffset: (place: number) => number
}

/** What a marker says of its place: the module's id, then the index of the function or the site. */
export interface Marker {
  readonly module: string
  readonly source: string
}

/**
 * Puts a mark at the begin of every function and as the last argument of every call: the spread of
 * an empty list, which is evaluated after all arguments and adds none. `this`, `arguments`, `super`,
 * `new.target`, optional chains and direct `eval` stay as they were.
 */
export function instrument(
  file: string,
  module: string,
  source: string,
  isModule: boolean,
): Instrumented {
  const program = parseFile(file, source, isModule)
  const splices = createSplices(source)
  const functions: FunctionEntry[] = []
  const calls: CallSite[] = []
  const marker = { module, source }
  const classes = new Set<number>()
  const makers = new Set<SyntaxNode>()
  const visit = (node: SyntaxNode): void => {
    if (stripTypes(node, source, splices)) return
    if (node['kind'] === 'constructor') makers.add(nodeAt(node, 'value'))
    if (isPlainClass(node)) classes.add(node.start)
    if (node.type === 'ClassBody') markFields(node, functions, module, splices)
    const closeCall = markCall(node, calls, marker, splices)
    const closeFunction = isFunction(node)
      ? markFunction(node, functions, { ...marker, isMaker: makers.has(node) }, splices)
      : undefined
    for (const child of childrenOf(node)) visit(child)
    closeCall?.()
    closeFunction?.()
  }
  visit(program)
  const spliced = splices.finish()
  const sites = locate(source, calls, spliced)
  const { code, sourceOffset } = spliced
  const ends = functions.map(endIn(spliced))
  return { code, program, functions, ends, sites, classes, sourceOffset }
}

function isPlainClass(node: SyntaxNode): boolean {
  if (!/^Class(Declaration|Expression)$/.test(node.type)) return false
  return !nodesAt(nodeAt(node, 'body'), 'body').some(({ kind }) => kind === 'constructor')
}

function endIn({ offsetOf, endOf }: Spliced): (entry: FunctionEntry) => number {
  return ({ end, close }) => (close === undefined ? offsetOf(end - 1) + 1 : endOf(close))
}

function locate(source: string, calls: readonly CallSite[], spliced: Spliced): readonly Site[] {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return calls.map((call) => {
    const line = lastUpTo(starts, call.start)
    const column = call.start - (starts[line] ?? 0)
    return { ...call, line: line + 1, column, positions: call.anchors.map(spliced.offsetOf) }
  })
}
