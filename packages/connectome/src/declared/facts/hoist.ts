// SPDX-License-Identifier: Apache-2.0
import { declare, type Lowering, type Scope } from './lowering.ts'
import type { BindingPattern, Statement, VariableDeclaration } from './parse-source.ts'

/** Declares the `var` names of a function's body; nested functions keep their own. */
export function hoistVariables(low: Lowering, list: readonly Statement[], scope: Scope): void {
  const queue: Statement[] = [...list]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const inner of statementsIn(node)) queue.push(inner)
    const found = declarationIn(node)
    if (found?.kind === 'var') declareAll(low, found, scope)
  }
}

/** Declares what a block declares itself: functions, classes, constants, imports. */
export function hoistLexical(low: Lowering, list: readonly Statement[]): void {
  for (const statement of list) if (DECLARING.has(statement.type)) hoistOne(low, statement)
}

/** Few statements declare anything: the others are passed over by their kind alone. */
const DECLARING: ReadonlySet<string> = new Set([
  ...['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration', 'ImportDeclaration'],
  ...['ExportNamedDeclaration', 'ExportDefaultDeclaration'],
  ...['TSEnumDeclaration', 'TSImportEqualsDeclaration', 'TSModuleDeclaration'],
])

function hoistOne(low: Lowering, statement: Statement): void {
  const node =
    (statement.type === 'ExportNamedDeclaration' && statement.declaration) ||
    (statement.type === 'ExportDefaultDeclaration' && statement.declaration) ||
    statement
  switch (node.type) {
    case 'VariableDeclaration':
      if (node.kind !== 'var') declareAll(low, node, low.scope)
      return
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      if (node.id !== null) declare(low, node.id.name)
      return
    case 'TSEnumDeclaration':
    case 'TSImportEqualsDeclaration':
      declare(low, node.id.name)
      return
    case 'TSModuleDeclaration':
      if (node.id.type === 'Identifier') declare(low, node.id.name)
      return
    case 'ImportDeclaration':
      for (const { local } of node.specifiers) declare(low, local.name)
  }
}

export function declareAll(low: Lowering, node: VariableDeclaration, scope: Scope): void {
  for (const { id } of node.declarations) declarePattern(low, id, scope)
}

export function declarePattern(low: Lowering, pattern: BindingPattern, scope: Scope): void {
  switch (pattern.type) {
    case 'Identifier':
      declare(low, pattern.name, scope)
      return
    case 'AssignmentPattern':
      return declarePattern(low, pattern.left, scope)
    case 'ArrayPattern':
      for (const element of pattern.elements) {
        if (element === null) continue
        declarePattern(low, element.type === 'RestElement' ? element.argument : element, scope)
      }
      return
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        const inner = property.type === 'RestElement' ? property.argument : property.value
        declarePattern(low, inner, scope)
      }
  }
}

function declarationIn(node: Statement): VariableDeclaration | undefined {
  const found =
    node.type === 'ForStatement'
      ? node.init
      : node.type === 'ForInStatement' || node.type === 'ForOfStatement'
        ? node.left
        : node.type === 'ExportNamedDeclaration'
          ? node.declaration
          : node
  return found?.type === 'VariableDeclaration' ? found : undefined
}

/** The statements directly inside a statement. */
function statementsIn(node: Statement): readonly Statement[] {
  switch (node.type) {
    case 'BlockStatement':
      return node.body
    case 'IfStatement':
      return node.alternate === null ? [node.consequent] : [node.consequent, node.alternate]
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement':
    case 'WithStatement':
      return [node.body]
    case 'SwitchStatement':
      return node.cases.flatMap(({ consequent }) => consequent)
    case 'TryStatement':
      return [node.block, node.handler?.body, node.finalizer].filter((one) => !!one)
    default:
      return []
  }
}
