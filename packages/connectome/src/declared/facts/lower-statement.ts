// SPDX-License-Identifier: Apache-2.0
import { declareAll, declarePattern, hoistLexical } from './hoist.ts'
import { lowerModuleStatement } from './lower-module-statement.ts'
import { elementOf } from './lower-pattern.ts'
import {
  copy,
  declare,
  emit,
  enter,
  find,
  fresh,
  type Lowering,
  narrowName,
  openScope,
  originOf,
} from './lowering.ts'
import { NOTHING, OP, PLAIN, UNKNOWN } from './module-facts.ts'
import type { Expression, Statement, VariableDeclaration } from './parse-source.ts'

/** Reads statements whose names are declared in the scope that is current. */
export function statements(low: Lowering, list: readonly Statement[]): void {
  hoistLexical(low, list)
  for (const node of list) if (node.type === 'FunctionDeclaration') lowerStatement(low, node)
  for (const node of list) if (node.type !== 'FunctionDeclaration') lowerStatement(low, node)
}

function block(low: Lowering, list: readonly Statement[]): void {
  const outer = openScope(low)
  statements(low, list)
  low.scope = outer
}

function lowerStatement(low: Lowering, node: Statement): void {
  enter(low, node.start)
  lowerOne(low, node)
  low.depth--
}

function lowerOne(low: Lowering, node: Statement): void {
  switch (node.type) {
    case 'ExpressionStatement':
      if (!lowerReplacement(low, node.expression)) low.expression(low, node.expression)
      return
    case 'VariableDeclaration':
      return lowerVariables(low, node)
    case 'ReturnStatement':
      if (node.argument !== null) {
        const from = low.expression(low, node.argument)
        copy(low, low.frame.isGenerator ? low.frame.yields : low.frame.result, from)
      }
      return
    case 'IfStatement':
      return lowerIf(low, node)
    case 'BlockStatement':
      return block(low, node.body)
    case 'FunctionDeclaration':
      if (node.id === null) return
      copy(
        low,
        declare(low, node.id.name),
        low.functionValue(low, node, { name: node.id.name }).variable,
      )
      return
    case 'ClassDeclaration':
      if (node.id !== null) copy(low, declare(low, node.id.name), low.classValue(low, node))
      return
    case 'ThrowStatement': {
      const from = low.expression(low, node.argument)
      if (from >= 0) emit(low, OP.escape, from)
      return
    }
    case 'LabeledStatement':
      return lowerStatement(low, node.body)
    default:
      return isFlow(node) ? lowerFlow(low, node) : lowerModuleStatement(low, node)
  }
}

type Flow = Extract<
  Statement,
  {
    type:
      | 'ForStatement'
      | 'ForInStatement'
      | 'ForOfStatement'
      | 'WhileStatement'
      | 'DoWhileStatement'
      | 'TryStatement'
      | 'SwitchStatement'
      | 'WithStatement'
  }
>

const FLOW: ReadonlySet<string> = new Set([
  ...['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'],
  ...['TryStatement', 'SwitchStatement', 'WithStatement'],
])

const isFlow = (node: Statement): node is Flow => FLOW.has(node.type)

function lowerFlow(low: Lowering, node: Flow): void {
  switch (node.type) {
    case 'ForStatement':
      return lowerLoop(low, node)
    case 'ForInStatement':
    case 'ForOfStatement':
      return lowerEach(low, node)
    case 'WhileStatement':
    case 'DoWhileStatement':
      low.expression(low, node.test)
      return lowerStatement(low, node.body)
    case 'WithStatement':
      low.expression(low, node.object)
      return lowerStatement(low, node.body)
    case 'TryStatement':
      block(low, node.block.body)
      if (node.handler !== null) {
        const { param, body } = node.handler
        const outer = openScope(low)
        if (param !== null) {
          declarePattern(low, param, low.scope)
          low.bind(low, param, UNKNOWN)
        }
        block(low, body.body)
        low.scope = outer
      }
      if (node.finalizer !== null) block(low, node.finalizer.body)
      return
    case 'SwitchStatement':
      low.expression(low, node.discriminant)
      for (const { test } of node.cases) if (test !== null) low.expression(low, test)
      return block(
        low,
        node.cases.flatMap(({ consequent }) => consequent),
      )
  }
}

function lowerEach(
  low: Lowering,
  node: Extract<Statement, { type: 'ForInStatement' | 'ForOfStatement' }>,
): void {
  const list = low.expression(low, node.right)
  const from = node.type === 'ForInStatement' ? PLAIN : elementOf(low, list)
  const outer = openScope(low)
  if (node.left.type === 'VariableDeclaration') {
    if (node.left.kind !== 'var') declareAll(low, node.left, low.scope)
    for (const { id } of node.left.declarations) low.bind(low, id, from)
    if (node.type === 'ForOfStatement') noteLooped(low, node.left, node.right)
  } else low.assign(low, node.left, from)
  lowerStatement(low, node.body)
  low.scope = outer
}

/** A list by its name holds all that was put there; what is written in the loop itself may be one picked. */
function noteLooped(
  low: Lowering,
  { kind, declarations }: VariableDeclaration,
  { type }: Expression,
): void {
  const id = declarations[0]?.id
  const isNamed = type === 'Identifier' || type === 'MemberExpression'
  if (kind !== 'const' || id?.type !== 'Identifier' || !isNamed) return
  const variable = low.scope.names?.get(id.name)
  if (variable !== undefined) low.looped.add(variable)
}

function lowerLoop(low: Lowering, node: Extract<Statement, { type: 'ForStatement' }>): void {
  const outer = openScope(low)
  if (node.init?.type === 'VariableDeclaration') {
    if (node.init.kind !== 'var') declareAll(low, node.init, low.scope)
    lowerVariables(low, node.init)
  } else if (node.init !== null) low.expression(low, node.init)
  if (node.test !== null) low.expression(low, node.test)
  if (node.update !== null) low.expression(low, node.update)
  lowerStatement(low, node.body)
  low.scope = outer
}

/** A chain of `else if` may be long, so it is walked in a loop. */
function lowerIf(low: Lowering, node: Extract<Statement, { type: 'IfStatement' }>): void {
  let next: Statement | null = node
  while (next?.type === 'IfStatement') {
    low.expression(low, next.test)
    const outer = openScope(low)
    narrow(low, next.test)
    lowerStatement(low, next.consequent)
    low.scope = outer
    next = next.alternate
  }
  if (next !== null) lowerStatement(low, next)
}

const isSetInside = (low: Lowering, variable: number): boolean =>
  low.narrowings.get(originOf(low, variable))?.isSetInside === true

/**
 * `name = …` as a statement of a function's body runs once and whatever stands before it: what follows
 * sees what it gave, and nothing that the name held before.
 */
function lowerReplacement(low: Lowering, node: Expression): boolean {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=') return false
  if (!low.scope.isFunction || low.scope.parent === undefined) return false
  const { left } = node
  const variable = left.type === 'Identifier' ? low.scope.names?.get(left.name) : undefined
  if (left.type !== 'Identifier' || variable === undefined || isSetInside(low, variable)) {
    return false
  }
  const from = low.expression(low, node.right)
  low.assign(low, left, from)
  const to = fresh(low)
  copy(low, to, from)
  narrowName(low, left.name, to, variable)
  return true
}

/** Where `name instanceof Class` holds, the name holds instances of it. */
function narrow(low: Lowering, test: Expression): void {
  if (test.type === 'LogicalExpression' && test.operator === '&&') {
    narrow(low, test.left)
    narrow(low, test.right)
    return
  }
  if (test.type !== 'BinaryExpression' || test.operator !== 'instanceof') return
  if (test.left.type !== 'Identifier' || test.right.type !== 'Identifier') return
  const from = find(low, test.left.name)
  const cls = find(low, test.right.name)
  if (from === undefined || from < 0 || cls === undefined || cls < 0) return
  if (isSetInside(low, from)) return
  const to = fresh(low)
  emit(low, OP.narrowed, to, from, cls)
  narrowName(low, test.left.name, to, from)
}

export function lowerVariables(low: Lowering, node: VariableDeclaration): void {
  if (node.declare === true) return
  for (const { id, init } of node.declarations) {
    const name = id.type === 'Identifier' ? id.name : undefined
    const from =
      init === null ? NOTHING : low.expression(low, init, low.frame.isTop ? name : undefined)
    if (name !== undefined && init !== null) noteConstant(low, node.kind, name, init, from)
    low.bind(low, id, from)
  }
}

/** What later code may take for granted of a constant: its text, or that it is a `require`. */
function noteConstant(
  low: Lowering,
  kind: VariableDeclaration['kind'],
  name: string,
  init: Expression,
  from: number,
): void {
  const variable = low.scope.names?.get(name)
  if (variable === undefined) return
  if (kind === 'const' && init.type === 'Literal' && typeof init.value === 'string') {
    low.literals.set(variable, init.value)
  }
  const request = low.requiredFrom.get(from)
  if (request !== undefined) low.requiredFrom.set(variable, request)
  if (init.type !== 'CallExpression') return
  const { callee } = init
  const last = callee.type === 'MemberExpression' && !callee.computed ? callee.property : callee
  if (last.type === 'Identifier' && last.name === 'createRequire') low.requirers.add(variable)
}
