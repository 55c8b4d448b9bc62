// SPDX-License-Identifier: Apache-2.0
import type { Marker } from './instrument.ts'
import type { Splices } from './splices.ts'
import { nameOf, nodeAt, nodesAt, type SyntaxNode, skipTrivia } from './syntax.ts'

/** A call expression of the source. */
export interface CallSite {
  readonly form: 'call' | 'new' | 'tag' | 'import'
  readonly start: number
  readonly end: number
  /** Offsets of the tokens by which V8 may name the place of the call. */
  readonly anchors: readonly number[]
}

/** Marks a node that is a call; answers what is to be done after the nodes below it. */
export function markCall(
  node: SyntaxNode,
  calls: CallSite[],
  { module, source }: Marker,
  splices: Splices,
): (() => void) | undefined {
  const mark = (name: string): string => `${name}(${JSON.stringify(module)},${calls.length - 1}`
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const callee = nodeAt(node, 'callee')
    calls.push({
      form: node.type === 'NewExpression' ? 'new' : 'call',
      ...rangeOf(node),
      anchors: anchorsOf(node, callee, source),
    })
    // With the spread of a list, eval would stay direct; without a mark it stays plainly so.
    if (nameOf(callee) === 'eval') return undefined
    const text = `...${mark('__bmCall')})`
    return () => appendArgument(node, callee, text, source, splices)
  }
  if (node.type === 'ImportExpression') {
    calls.push({ form: 'import', ...rangeOf(node), anchors: [] })
    return wrap(nodeAt(node, 'source'), `${mark('__bmPass')},(`, splices)
  }
  if (node.type === 'TaggedTemplateExpression') {
    const tag = nodeAt(node, 'tag')
    calls.push({ form: 'tag', ...rangeOf(node), anchors: [nodeAt(node, 'quasi').start] })
    return markTag(node, tag, mark('__bmPass'), splices)
  }
  return undefined
}

function rangeOf({ start, end }: SyntaxNode): { readonly start: number; readonly end: number } {
  return { start, end }
}

function wrap(node: SyntaxNode, open: string, splices: Splices): () => void {
  splices.insert(node.start, open)
  return () => void splices.insert(node.end, '/*bm2*/))')
}

/** A template is called after its last expression; one without any, after its tag is known. */
function markTag(
  node: SyntaxNode,
  tag: SyntaxNode,
  mark: string,
  splices: Splices,
): (() => void) | undefined {
  const last = nodesAt(nodeAt(node, 'quasi'), 'expressions').at(-1)
  if (last !== undefined) return wrap(last, `${mark},(`, splices)
  if (tag.type === 'Identifier') return wrapTag(tag, mark, splices)
  if (tag.type !== 'MemberExpression') return undefined
  const object = nodeAt(tag, 'object')
  return object.type === 'Super' ? undefined : wrap(object, `${mark},(`, splices)
}

function wrapTag(tag: SyntaxNode, mark: string, splices: Splices): () => void {
  splices.insert(tag.start, `(${mark}),`)
  return () => void splices.insert(tag.end, '/*bm1*/)')
}

function appendArgument(
  node: SyntaxNode,
  callee: SyntaxNode,
  text: string,
  source: string,
  splices: Splices,
): void {
  const open = parenthesisAfter(callee, node, source)
  if (open === undefined) {
    splices.insert(node.end, `(${text}/*bm1*/)`)
    return
  }
  const last = nodesAt(node, 'arguments').at(-1)
  const needsComma = last !== undefined && source[skipTrivia(source, last.end)] !== ','
  splices.insert(node.end - 1, `${needsComma ? ',' : ''}${text}`)
}

/** The offset of the parenthesis that opens the arguments; `new X` may have none. */
function parenthesisAfter(
  callee: SyntaxNode,
  node: SyntaxNode,
  source: string,
): number | undefined {
  const types = node['typeArguments']
  const from = typeof types === 'object' && types !== null ? (types as SyntaxNode).end : callee.end
  let at = skipTrivia(source, from)
  if (source.startsWith('?.', at)) at = skipTrivia(source, at + 2)
  return source[at] === '(' && at < node.end ? at : undefined
}

/** V8 names a call by the identifier before its parenthesis, else by the parenthesis, and `new` by itself. */
function anchorsOf(node: SyntaxNode, callee: SyntaxNode, source: string): readonly number[] {
  if (node.type === 'NewExpression') return [node.start]
  const property =
    callee.type === 'MemberExpression' ? nodeAt(callee, 'property').start : callee.start
  const parenthesis = parenthesisAfter(callee, node, source)
  return [
    ...new Set([property, callee.start, callee.end - 1, parenthesis ?? callee.start, node.start]),
  ]
}
