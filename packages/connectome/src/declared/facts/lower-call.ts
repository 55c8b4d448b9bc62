// SPDX-License-Identifier: Apache-2.0
import { isHelper, lowerHelper } from './lower-helper.ts'
import { type Key, lowerKey } from './lower-key.ts'
import {
  addRequest,
  addSite,
  emit,
  emitList,
  find,
  fresh,
  type Lowering,
  load,
  placeOf,
  push,
  text,
} from './lowering.ts'
import { OP, PLAIN, type SiteKind, type SiteReason, UNKNOWN } from './module-facts.ts'
import type { Argument, Expression } from './parse-source.ts'

type CallNode = Extract<Expression, { type: 'CallExpression' }>
type NewNode = Extract<Expression, { type: 'NewExpression' }>

export function lowerCall(low: Lowering, node: CallNode): number {
  const { callee } = node
  if (callee.type === 'Super') return lowerSuper(low, node)
  if (callee.type === 'Identifier') {
    if (isRequire(low, callee.name)) return lowerRequire(low, node)
    if (find(low, callee.name) === undefined) {
      if (callee.name === 'eval' || callee.name === 'Function') return opaque(low, node, 'eval')
      if (callee.name === 'Symbol') return lowerSymbol(low, node)
    }
  }
  if (isHelper(callee)) return lowerHelper(low, node)
  if (callee.type === 'MemberExpression') return lowerMethod(low, node, callee)
  const variable = calleeOf(low, callee)
  return finish(low, node, low.looped.has(variable) ? 'each' : 'call', callee, variable)
}

/** A function that is called where it stands counts as the code around it. */
function calleeOf(low: Lowering, callee: Expression): number {
  if (callee.type !== 'FunctionExpression' && callee.type !== 'ArrowFunctionExpression') {
    return low.expression(low, callee)
  }
  const name = callee.id?.name
  return low.functionValue(low, callee, { name, isImmediate: true }).variable
}

function finish(
  low: Lowering,
  node: CallNode | NewNode,
  kind: SiteKind,
  callee: Expression,
  variable: number,
): number {
  const given = lowerArguments(low, node.arguments)
  const site = addSite(low, kind, node, callee.end)
  const result = fresh(low)
  const op = kind === 'new' ? OP.construct : OP.call
  emit(low, op, site, variable, result)
  emitList(low, given)
  if (node.type === 'CallExpression') noteTool(low, node, variable, given[0])
  return result
}

/** Arguments as variables, each doubled, plus one where it is spread. */
export function lowerArguments(low: Lowering, list: readonly Argument[]): number[] {
  const given: number[] = []
  for (const argument of list) {
    const isSpread = argument.type === 'SpreadElement'
    const from = low.expression(low, isSpread ? argument.argument : argument)
    given.push(from * 2 + (isSpread ? 1 : 0))
  }
  return given
}

function lowerMethod(
  low: Lowering,
  node: CallNode,
  callee: Extract<Expression, { type: 'MemberExpression' }>,
): number {
  const { home, self } = low.frame
  if (callee.object.type === 'Super') {
    const key = lowerKey(low, callee.property, callee.computed)
    const given = lowerArguments(low, node.arguments)
    const isKnown = home !== undefined && 'name' in key
    const site = addSite(low, 'super', node, callee.end, isKnown ? '' : 'computed_member')
    if (!isKnown) return UNKNOWN
    const result = fresh(low)
    emit(low, OP.superMethod, site, home.variable, home.isStatic ? 1 : 0, self, text(low, key.name))
    push(low.code, result)
    emitList(low, given)
    return result
  }
  if (isDefinition(low, callee)) return lowerDefinition(low, node)
  const { object: owner } = callee
  const object = callee.computed ? low.expression(low, owner) : calleeOf(low, owner)
  const key = lowerKey(low, callee.property, callee.computed)
  const given = lowerArguments(low, node.arguments)
  const site = addSite(low, 'call', node, callee.end)
  const result = fresh(low)
  emitMember(low, site, object, key, result)
  emitList(low, given)
  noteTool(low, node, object, given[0])
  return result
}

/** The head of a call of a member; the arguments follow. */
function emitMember(low: Lowering, site: number, object: number, key: Key, result: number): void {
  if ('name' in key) emit(low, OP.method, site, object, text(low, key.name), result)
  else emit(low, OP.keyed, site, object, key.variable, result)
}

/** `Object.defineProperty` and `Reflect.defineProperty`, which set a member by what a descriptor says. */
function isDefinition(
  low: Lowering,
  { object, property, computed }: Extract<Expression, { type: 'MemberExpression' }>,
): boolean {
  if (computed || property.type !== 'Identifier' || property.name !== 'defineProperty') return false
  if (object.type !== 'Identifier' || find(low, object.name) !== undefined) return false
  return object.name === 'Object' || object.name === 'Reflect'
}

function lowerDefinition(low: Lowering, node: CallNode): number {
  const [target, key, descriptor] = node.arguments
  const isShort = target === undefined || key === undefined || descriptor === undefined
  const given = lowerArguments(low, node.arguments)
  addSite(low, 'call', node, node.callee.end, 'builtin')
  const [object = 0, , described = 0] = given
  if (isShort || object < 0 || described < 0) return isShort ? UNKNOWN : object >> 1
  const name = literalOf(low, key)
  if (name !== undefined) emit(low, OP.define, object >> 1, text(low, name), described >> 1)
  else {
    const value = load(low, described >> 1, 'value')
    emit(low, OP.storeKey, object >> 1, (given[1] ?? PLAIN * 2) >> 1, value)
    const getter = load(low, described >> 1, 'get')
    const answer = fresh(low)
    emit(low, OP.answer, answer, getter)
    emit(low, OP.storeKey, object >> 1, (given[1] ?? PLAIN * 2) >> 1, answer)
  }
  return object >> 1
}

function lowerSuper(low: Lowering, node: CallNode): number {
  const given = lowerArguments(low, node.arguments)
  const { home, self } = low.frame
  const site = addSite(low, 'super', node, node.callee.end, home === undefined ? 'value' : '')
  if (home === undefined) return UNKNOWN
  emit(low, OP.superCall, site, home.variable, self, fresh(low))
  emitList(low, given)
  return self
}

export function lowerNew(
  low: Lowering,
  node: Extract<Expression, { type: 'NewExpression' }>,
): number {
  const { callee } = node
  if (
    callee.type === 'Identifier' &&
    callee.name === 'Function' &&
    find(low, 'Function') === undefined
  ) {
    return opaque(low, node, 'eval')
  }
  return finish(low, node, 'new', callee, low.expression(low, callee))
}

export function lowerTag(
  low: Lowering,
  node: Extract<Expression, { type: 'TaggedTemplateExpression' }>,
): number {
  const { expressions } = node.quasi
  if (node.tag.type === 'MemberExpression' && node.tag.object.type !== 'Super') {
    const object = low.expression(low, node.tag.object)
    const key = lowerKey(low, node.tag.property, node.tag.computed)
    const given = [PLAIN * 2, ...lowerArguments(low, expressions)]
    const site = addSite(low, 'tag', node, node.tag.end)
    const result = fresh(low)
    emitMember(low, site, object, key, result)
    emitList(low, given)
    return result
  }
  const callee = low.expression(low, node.tag)
  const given = [PLAIN * 2, ...lowerArguments(low, expressions)]
  const site = addSite(low, 'tag', node, node.tag.end)
  const result = fresh(low)
  emit(low, OP.call, site, callee, result)
  emitList(low, given)
  return result
}

/** A call whose effect nobody can read: its arguments are given away. */
function opaque(low: Lowering, node: CallNode | NewNode, reason: SiteReason): number {
  for (const given of lowerArguments(low, node.arguments)) {
    if (given >= 0) emit(low, OP.escape, given >> 1)
  }
  addSite(low, 'eval', node, node.callee.end, reason)
  return UNKNOWN
}

function lowerSymbol(low: Lowering, node: CallNode): number {
  lowerArguments(low, node.arguments)
  addSite(low, 'call', node, node.callee.end, 'builtin')
  const to = fresh(low)
  emit(low, OP.symbol, to)
  return to
}

function isRequire(low: Lowering, name: string): boolean {
  const variable = find(low, name)
  return variable === undefined ? name === 'require' : low.requirers.has(variable)
}

/** Text that an argument is certain to be. */
function literalOf(low: Lowering, node: Argument | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) {
    return node.quasis[0]?.value.cooked ?? undefined
  }
  if (node?.type === 'Identifier') return low.literals.get(find(low, node.name) ?? -1)
  return undefined
}

function lowerRequire(low: Lowering, node: CallNode): number {
  const specifier = literalOf(low, node.arguments[0])
  if (specifier === undefined) {
    lowerArguments(low, node.arguments)
    addSite(low, 'import', node, node.callee.end, 'dynamic_import')
    return UNKNOWN
  }
  const request = addRequest(low, specifier, 'require', node.start)
  addSite(low, 'import', node, node.callee.end, '', request)
  const to = fresh(low)
  emit(low, OP.required, to, request)
  low.requiredFrom.set(to, request)
  return to
}

export function lowerImport(
  low: Lowering,
  node: Extract<Expression, { type: 'ImportExpression' }>,
): number {
  const specifier = literalOf(low, node.source)
  if (node.options !== null) low.expression(low, node.options)
  if (specifier === undefined) {
    low.expression(low, node.source)
    addSite(low, 'import', node, node.source.end, 'dynamic_import')
    return UNKNOWN
  }
  const request = addRequest(low, specifier, 'dynamic', node.start)
  addSite(low, 'import', node, node.source.end, '', request)
  const space = fresh(low)
  const to = fresh(low)
  emit(low, OP.imported, space, request, text(low, '*'))
  emit(low, OP.promise, to, space)
  return to
}

/**
 * Notes a call like `defineTool({ name: '…', handler })`; whose function is called, and what the
 * handler is, is asked when values are known.
 */
function noteTool(low: Lowering, node: CallNode, callee: number, given: number | undefined): void {
  const spec = node.arguments[0]
  if (spec?.type !== 'ObjectExpression' || given === undefined) return
  const values = new Map<string, Expression>()
  for (const one of spec.properties) {
    if (one.type === 'Property' && one.key.type === 'Identifier')
      values.set(one.key.name, one.value)
  }
  const name = literalOf(low, values.get('name'))
  if (name === undefined || !values.has('handler')) return
  const handler = load(low, given >> 1, 'handler')
  const { line, column } = placeOf(low, node.start)
  low.tools.push({ name, callee, handler, line, column })
}
