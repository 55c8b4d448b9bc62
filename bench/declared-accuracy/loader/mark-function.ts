// SPDX-License-Identifier: Apache-2.0
import type { Marker } from './instrument.ts'
import type { Insertion, Splices } from './splices.ts'
import { isNode, nameOf, nodeAt, nodesAt, type SyntaxNode, skipTrivia } from './syntax.ts'

/** A function of the source that has a body, or the initialisers of a class's fields, which V8 runs as one. */
export interface FunctionEntry {
  readonly node: SyntaxNode
  readonly start: number
  readonly end: number
  /** The insertion that ends it, where its body is an expression. */
  close: Insertion | undefined
  /** Set where it is a generator whose mark runs at the first step, not at the call. */
  readonly isLate: boolean
  /** Set where parameters or fields compute something, so that other marks may be passed before its own. */
  readonly computes: boolean
}

/**
 * Marks the initialisers of fields, before the first that has one, by a private field of its own: a
 * comma in the initialiser would take the name from a function there.
 */
export function markFields(
  body: SyntaxNode,
  functions: FunctionEntry[],
  module: string,
  splices: Splices,
): void {
  const field = nodesAt(body, 'body').find(isInitialised)
  if (field === undefined) return
  const mark = `__bmEnter(${JSON.stringify(module)},${functions.length})`
  const { start, end } = field
  functions.push({ node: field, start, end, close: undefined, isLate: false, computes: true })
  splices.insert(start, `#__bm=${mark};`)
}

function isInitialised({ type, value, ...field }: SyntaxNode): boolean {
  return type === 'PropertyDefinition' && field['static'] === false && isNode(value)
}

/** Marks the begin of a function; answers what is to be done after the nodes below it. */
export function markFunction(
  node: SyntaxNode,
  functions: FunctionEntry[],
  { module, source, isMaker }: Marker & { readonly isMaker: boolean },
  splices: Splices,
): (() => void) | undefined {
  const mark = `__bmEnter(${JSON.stringify(module)},${functions.length})`
  const body = nodeAt(node, 'body')
  const isGenerator = node['generator'] === true
  const takesRest = isGenerator && mayTakeRest(node, body, source)
  const entry: FunctionEntry = {
    node,
    start: node.start,
    end: node.end,
    close: undefined,
    isLate: isGenerator && !takesRest,
    computes: isMaker || nodesAt(node, 'params').some(({ type }) => type !== 'Identifier'),
  }
  functions.push(entry)
  if (body.type !== 'BlockStatement') {
    splices.insert(body.start, `(${mark},`)
    return () => {
      entry.close = splices.insert(body.end, '/*bm1*/)')
    }
  }
  if (takesRest) markParameters(node, mark, source, splices)
  else markBody(body, mark, splices)
  return undefined
}

function markBody(body: SyntaxNode, mark: string, splices: Splices): void {
  const directives = nodesAt(body, 'body').filter(
    (statement) => typeof statement['directive'] === 'string',
  )
  const last = directives.at(-1)
  if (last === undefined) splices.insert(body.start + 1, `${mark};`)
  else splices.insert(last.end, `;${mark};`)
}

/**
 * A generator's body waits for the first step, its parameters do not. A rest pattern may stand
 * beside no other rest, no directive, and changes what `arguments` is tied to.
 */
function mayTakeRest(node: SyntaxNode, body: SyntaxNode, source: string): boolean {
  const hasRest = nodesAt(node, 'params').some(({ type }) => type === 'RestElement')
  const hasDirective = typeof nodesAt(body, 'body')[0]?.['directive'] === 'string'
  return !hasRest && !hasDirective && !/\barguments\b/.test(source.slice(node.start, node.end))
}

function markParameters(node: SyntaxNode, mark: string, source: string, splices: Splices): void {
  const last = nodesAt(node, 'params').at(-1)
  const after = skipTrivia(source, last?.end ?? firstParenthesis(node, source) + 1)
  const hasComma = source[after] === ','
  const at = hasComma ? skipTrivia(source, after + 1) : after
  const comma = last !== undefined && !hasComma ? ',' : ''
  splices.insert(at, `${comma}...{[${mark}]:__bm}`)
}

function firstParenthesis(node: SyntaxNode, source: string): number {
  const id = node['id']
  const from = nameOf(id) === undefined ? node.start : (id as SyntaxNode).end
  return source.indexOf('(', from)
}
