// SPDX-License-Identifier: Apache-2.0
import { lowerCall, lowerImport, lowerNew, lowerTag } from './lower-call.ts'
import { ELEMENTS, lowerKey, nameOfKey } from './lower-key.ts'
import { lowerMarkup } from './lower-markup.ts'
import { either, elementOf } from './lower-pattern.ts'
import { copy, emit, enter, find, fresh, type Lowering, newObject, text } from './lowering.ts'
import { NOTHING, OP, PLAIN, SHAPE, UNKNOWN } from './module-facts.ts'
import type {
  AssignmentTarget,
  Expression,
  MemberExpression,
  ObjectExpression,
} from './parse-source.ts'

/** Reads an expression and answers the variable of its value. The name is for a function written there. */
export function expression(low: Lowering, node: Expression, name?: string): number {
  enter(low, node.start)
  const value = read(low, node, name)
  low.depth--
  return value
}

function read(low: Lowering, node: Expression, name: string | undefined): number {
  switch (node.type) {
    case 'Literal':
      return node.value === null && !('regex' in node) && !('bigint' in node) ? NOTHING : PLAIN
    case 'Identifier':
      return lowerName(low, node.name)
    case 'MemberExpression':
      return lowerMember(low, node)
    case 'CallExpression':
      return lowerCall(low, node)
    case 'NewExpression':
      return lowerNew(low, node)
    case 'FunctionExpression':
    case 'FunctionDeclaration':
    case 'ArrowFunctionExpression':
      return low.functionValue(low, node, { name: name ?? node.id?.name }).variable
    case 'ObjectExpression':
      return lowerObject(low, node, name)
    case 'ArrayExpression':
      return lowerList(low, node.elements)
    case 'AssignmentExpression':
      return lowerAssignment(low, node.operator, node.left, node.right)
    case 'ClassExpression':
    case 'ClassDeclaration':
      return low.classValue(low, node, name)
    case 'ConditionalExpression':
      low.expression(low, node.test)
      return either(
        low,
        low.expression(low, node.consequent, name),
        low.expression(low, node.alternate, name),
      )
    case 'LogicalExpression': {
      const left = low.expression(low, node.left)
      const right = low.expression(low, node.right, name)
      return node.operator === '&&' ? right : either(low, left, right)
    }
    case 'ThisExpression':
      return low.frame.self
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSNonNullExpression':
    case 'TSInstantiationExpression':
      return low.expression(low, node.expression, name)
    default:
      return readRare(low, node)
  }
}

function readRare(low: Lowering, node: Expression): number {
  switch (node.type) {
    case 'TemplateLiteral':
      for (const part of node.expressions) low.expression(low, part)
      return PLAIN
    case 'BinaryExpression':
      return lowerChain(low, node)
    case 'UnaryExpression':
      low.expression(low, node.argument)
      return node.operator === 'void' ? NOTHING : PLAIN
    case 'UpdateExpression':
      low.expression(low, node.argument as Expression) // its targets are expressions too
      return PLAIN
    case 'SequenceExpression': {
      let last = NOTHING
      for (const part of node.expressions) last = low.expression(low, part)
      return last
    }
    case 'AwaitExpression': {
      const from = low.expression(low, node.argument)
      if (from < 0) return from
      const to = fresh(low)
      emit(low, OP.awaited, to, from)
      return to
    }
    case 'YieldExpression': {
      const from = node.argument === null ? NOTHING : low.expression(low, node.argument)
      copy(low, low.frame.yields, node.delegate ? elementOf(low, from) : from)
      return UNKNOWN
    }
    case 'TaggedTemplateExpression':
      return lowerTag(low, node)
    case 'ImportExpression':
      return lowerImport(low, node)
    case 'MetaProperty':
      return node.meta.name === 'import' ? PLAIN : UNKNOWN
    case 'JSXElement':
    case 'JSXFragment':
      return lowerMarkup(low, node)
    case 'V8IntrinsicExpression':
      return UNKNOWN
    default:
      return UNKNOWN
  }
}

export function lowerName(low: Lowering, name: string): number {
  const variable = find(low, name)
  if (variable !== undefined) return variable
  if (name === 'undefined') return NOTHING
  const { all } = low.frame
  if (name === 'arguments' && low.frame.self >= 0) {
    if (all.variable < 0) all.variable = newObject(low, SHAPE.list)
    return all.variable
  }
  const to = fresh(low)
  emit(low, OP.global, to, text(low, name))
  return to
}

export function lowerMember(low: Lowering, node: MemberExpression): number {
  const { home, self } = low.frame
  if (node.object.type === 'Super') {
    const key = lowerKey(low, node.property, node.computed)
    if (home === undefined || !('name' in key)) return UNKNOWN
    const to = fresh(low)
    emit(low, OP.superLoad, to, home.variable, home.isStatic ? 1 : 0, text(low, key.name))
    return self < 0 ? UNKNOWN : to
  }
  if (isOwnHelper(low, node)) return NOTHING
  const object = low.expression(low, node.object)
  const key = lowerKey(low, node.property, node.computed)
  if (object === PLAIN) return PLAIN
  if (object === NOTHING || object === UNKNOWN) return object
  const to = fresh(low)
  if ('name' in key) emit(low, OP.load, to, object, text(low, key.name))
  else emit(low, OP.loadKey, to, object, key.variable)
  return to
}

/** `this.__helper` of a module that a compiler wrote is never there: the module's own one is meant. */
function isOwnHelper(low: Lowering, { object, property }: MemberExpression): boolean {
  if (object.type !== 'ThisExpression' || low.frame.unit !== 0) return false
  return property.type === 'Identifier' && /^__[a-z]/.test(property.name)
}

/** A chain of operators may be thousands long, so its left side is walked in a loop. */
function lowerChain(
  low: Lowering,
  node: Extract<Expression, { type: 'BinaryExpression' }>,
): number {
  const parts: Expression[] = []
  let left: Expression = node
  while (left.type === 'BinaryExpression') {
    parts.push(left.right)
    if (left.left.type === 'PrivateIdentifier') break
    left = left.left
  }
  if (left.type !== 'BinaryExpression') low.expression(low, left)
  for (const part of parts.reverse()) low.expression(low, part)
  return PLAIN
}

function lowerList(
  low: Lowering,
  elements: Extract<Expression, { type: 'ArrayExpression' }>['elements'],
): number {
  const list = newObject(low, SHAPE.list)
  const name = text(low, ELEMENTS)
  for (const element of elements) {
    if (element === null) continue
    const from =
      element.type === 'SpreadElement'
        ? elementOf(low, low.expression(low, element.argument))
        : low.expression(low, element)
    if (from !== NOTHING) emit(low, OP.store, list, name, from)
  }
  return list
}

function lowerObject(low: Lowering, node: ObjectExpression, name: string | undefined): number {
  const object = newObject(low)
  const outer = low.frame
  const prefix = name === undefined ? undefined : name === '' ? '' : `${name}.`
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const from = low.expression(low, property.argument)
      if (from >= 0 || from === UNKNOWN) emit(low, OP.spread, object, from)
      continue
    }
    const own = nameOfKey(low, property.key, property.computed)
    const inner = prefix === undefined || own === undefined ? undefined : prefix + own
    const key = lowerKey(low, property.key, property.computed)
    if (property.kind !== 'init' && property.value.type === 'FunctionExpression') {
      const { place } = low.functionValue(low, property.value, { name: inner })
      const isSetter = property.kind === 'set' ? 1 : 0
      if ('name' in key) emit(low, OP.accessor, object, text(low, key.name), place, isSetter)
      continue
    }
    const from = low.expression(low, property.value, inner)
    if (from === NOTHING) continue
    if (!('name' in key)) emit(low, OP.storeKey, object, key.variable, from)
    else if (key.name === '__proto__' && !property.method) emit(low, OP.spread, object, from)
    else emit(low, OP.member, object, text(low, key.name), from)
  }
  low.frame = outer
  return object
}

function lowerAssignment(
  low: Lowering,
  operator: string,
  left: AssignmentTarget,
  right: Expression,
): number {
  const name = low.frame.isTop ? nameOfTarget(low, left, right) : undefined
  const from = low.expression(low, right, name)
  const isLogical = operator === '||=' || operator === '&&=' || operator === '??='
  if (operator !== '=' && !isLogical) {
    low.assign(low, left, PLAIN)
    return PLAIN
  }
  low.assign(low, left, from)
  if (!isLogical) return from
  return left.type === 'Identifier' || left.type === 'MemberExpression'
    ? either(low, low.expression(low, left), from)
    : from
}

/** The name of a function by what it is assigned to. */
function nameOfTarget(
  low: Lowering,
  target: AssignmentTarget,
  value: Expression,
): string | undefined {
  if (target.type === 'Identifier') return target.name
  if (target.type !== 'MemberExpression') return undefined
  const own = nameOfKey(low, target.property, target.computed)
  const { object } = target
  if (own === undefined) return undefined
  if (object.type === 'Identifier') {
    if (object.name === 'exports') return own
    if (object.name !== 'module' || own !== 'exports') return `${object.name}.${own}`
    if (value.type === 'AssignmentExpression') return undefined
    return value.type === 'ObjectExpression' ? '' : 'default'
  }
  if (object.type !== 'MemberExpression' || object.object.type !== 'Identifier') return undefined
  const middle = nameOfKey(low, object.property, object.computed)
  if (object.object.name === 'module' && middle === 'exports') return own
  if (middle === 'prototype') return `${object.object.name}.${own}`
  return undefined
}
