// SPDX-License-Identifier: Apache-2.0
import type { Splices } from './splices.ts'
import { isNode, nodeAt, nodesAt, type SyntaxNode, skipTrivia } from './syntax.ts'

const DECLARATIONS =
  /^(TSInterfaceDeclaration|TSTypeAliasDeclaration|TSDeclareFunction|TSAbstract\w+|TSEmptyBodyFunctionExpression|TSIndexSignature|TSDeclare\w*)$/
const TYPES =
  /^(TSTypeAnnotation|TSTypeParameterDeclaration|TSTypeParameterInstantiation|TSClassImplements)$/

/**
 * Blanks what is of types alone, for sources whose types can be erased.
 *
 * @returns whether nothing of the node is left to look at
 */
export function stripTypes(node: SyntaxNode, source: string, splices: Splices): boolean {
  const isDeclared = node['declare'] === true || isTypeOnly(node)
  if (isDeclared || DECLARATIONS.test(node.type) || TYPES.test(node.type)) {
    const after = skipTrivia(source, node.end)
    const isListed = /^(Im|Ex)portSpecifier$/.test(node.type) && source[after] === ','
    splices.blank(node.start, isListed ? after + 1 : node.end)
    return true
  }
  stripAssertion(node, splices)
  stripModifiers(node, source, splices)
  return false
}

function isTypeOnly(node: SyntaxNode): boolean {
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return true
  const declaration = node.type === 'ExportNamedDeclaration' ? node['declaration'] : undefined
  if (
    isNode(declaration) &&
    (DECLARATIONS.test(declaration.type) || declaration['declare'] === true)
  )
    return true
  return node.type === 'MethodDefinition' && !isNode(nodeAt(node, 'value')['body'])
}

function stripAssertion(node: SyntaxNode, splices: Splices): void {
  if (/^TS(As|Satisfies|NonNull)Expression$/.test(node.type)) {
    splices.blank(nodeAt(node, 'expression').end, node.end)
  }
}

function stripModifiers(node: SyntaxNode, source: string, splices: Splices): void {
  const implemented = nodesAt(node, 'implements')
  const first = implemented[0]
  if (first !== undefined) {
    const at = source.lastIndexOf('implements', first.start)
    splices.blank(at, implemented.at(-1)?.end ?? at)
  }
  if (node.type === 'PropertyDefinition' || node.type === 'MethodDefinition') {
    stripWords(node.start, nodeAt(node, 'key').start, source, splices)
  }
  if (
    node['optional'] === true &&
    /^(Identifier|PropertyDefinition|ArrayPattern|ObjectPattern)$/.test(node.type)
  ) {
    const end = isNode(node['key']) ? nodeAt(node, 'key').end : endOfName(node)
    const at = skipTrivia(source, end)
    if (source[at] === '?') splices.blank(at, at + 1)
  }
  if (node['definite'] === true) {
    const at = source.indexOf('!', node.start)
    splices.blank(at, at + 1)
  }
}

function endOfName(node: SyntaxNode): number {
  return node.type === 'Identifier' ? node.start + String(node['name']).length : node.end
}

function stripWords(start: number, end: number, source: string, splices: Splices): void {
  const words = source.slice(start, end)
  for (const found of words.matchAll(
    /\b(?:public|private|protected|readonly|override|abstract)\b/g,
  )) {
    splices.blank(start + found.index, start + found.index + found[0].length)
  }
}
