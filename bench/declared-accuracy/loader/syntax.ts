// SPDX-License-Identifier: Apache-2.0
import { type ParserOptions, parseSync, visitorKeys } from 'oxc-parser'

/** A node of the syntax tree, read by name; offsets are UTF-16 units of the source. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** Parses a file of any form; throws where it does not parse. */
export function parseFile(file: string, source: string, isModule: boolean): SyntaxNode {
  const options: ParserOptions = { sourceType: isModule ? 'module' : 'commonjs' }
  const { program, errors } = parseSync(file, source, options)
  const fatal = errors.find(({ severity }) => severity === 'Error')
  if (fatal !== undefined) throw new SyntaxError(`${file}: ${fatal.message}`)
  return program as unknown as SyntaxNode
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** The nodes directly below, in the order of the source's grammar. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (const key of visitorKeys[node.type] ?? []) {
    const value = node[key]
    if (Array.isArray(value)) found.push(...value.filter(isNode))
    else if (isNode(value)) found.push(value)
  }
  return found
}

/** The node that a member holds; throws where it holds none. */
export function nodeAt(node: SyntaxNode, member: string): SyntaxNode {
  const value = node[member]
  if (!isNode(value)) throw new TypeError(`${node.type} has no ${member}`)
  return value
}

/** The nodes that a member lists; holes are left out. */
export function nodesAt(node: SyntaxNode, member: string): readonly SyntaxNode[] {
  const value = node[member]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** The name of an identifier or of a literal key. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type === 'PrivateIdentifier') return `#${String(node['name'])}`
  return node.type === 'Literal' ? String(node['value']) : undefined
}

const TRIVIA = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y

/** The offset of the next character that is neither white space nor in a comment. */
export function skipTrivia(source: string, offset: number): number {
  TRIVIA.lastIndex = offset
  TRIVIA.exec(source)
  return TRIVIA.lastIndex
}

export function isFunction({ type, body }: SyntaxNode): boolean {
  const hasForm =
    type === 'ArrowFunctionExpression' || /^Function(Expression|Declaration)$/.test(type)
  return hasForm && isNode(body)
}

/** Expressions inside their parentheses and type assertions. */
export function unwrap(node: SyntaxNode): SyntaxNode {
  const wrappers =
    /^(ParenthesizedExpression|ChainExpression|TS(As|Satisfies|NonNull|Instantiation)\w*|TSTypeAssertion)$/
  let inner = node
  while (wrappers.test(inner.type)) inner = nodeAt(inner, 'expression')
  return inner
}
