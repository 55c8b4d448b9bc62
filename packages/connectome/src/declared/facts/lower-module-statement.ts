// SPDX-License-Identifier: Apache-2.0
import { hoistVariables } from './hoist.ts'
import {
  addRequest,
  addSite,
  copy,
  declare,
  emit,
  find,
  fresh,
  type Lowering,
  newObject,
  openScope,
  text,
} from './lowering.ts'
import { NOTHING, OP, PLAIN } from './module-facts.ts'
import type {
  BindingPattern,
  ModuleExportName,
  Statement,
  TSModuleDeclaration,
} from './parse-source.ts'

/** Reads what stands between modules: imports, exports, enums and namespaces. */
export function lowerModuleStatement(low: Lowering, node: Statement): void {
  switch (node.type) {
    case 'ImportDeclaration':
      return lowerImports(low, node)
    case 'ExportNamedDeclaration':
      return lowerExports(low, node)
    case 'ExportDefaultDeclaration':
      return lowerDefault(low, node)
    case 'ExportAllDeclaration': {
      if (node.exportKind === 'type') return
      const request = addRequest(low, node.source.value, 'import', node.start)
      if (node.exported === null) emit(low, OP.exportAll, request)
      else emit(low, OP.reexported, text(low, nameOf(node.exported)), request, text(low, '*'))
      return
    }
    case 'TSExportAssignment':
      emit(low, OP.exported, text(low, '='), low.expression(low, node.expression, 'default'))
      return
    case 'TSImportEqualsDeclaration':
      return lowerImportEquals(low, node)
    case 'TSEnumDeclaration':
      for (const { initializer } of node.body.members) {
        if (initializer) low.expression(low, initializer)
      }
      copy(low, declare(low, node.id.name), PLAIN)
      return
    case 'TSModuleDeclaration':
      if (node.kind !== 'global') lowerNamespace(low, node)
  }
}

const nameOf = (name: ModuleExportName): string =>
  name.type === 'Literal' ? name.value : name.name

function lowerImports(
  low: Lowering,
  node: Extract<Statement, { type: 'ImportDeclaration' }>,
): void {
  const isType =
    node.importKind === 'type' ||
    (node.specifiers.length > 0 &&
      node.specifiers.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type'))
  const request = addRequest(low, node.source.value, isType ? 'type' : 'import', node.start)
  for (const one of node.specifiers) {
    const name =
      one.type === 'ImportSpecifier'
        ? nameOf(one.imported)
        : one.type === 'ImportDefaultSpecifier'
          ? 'default'
          : '*'
    emit(low, OP.imported, declare(low, one.local.name), request, text(low, name))
  }
}

function lowerExports(
  low: Lowering,
  node: Extract<Statement, { type: 'ExportNamedDeclaration' }>,
): void {
  if (node.exportKind === 'type') return
  const { declaration } = node
  if (declaration !== null) {
    low.statements(low, [declaration])
    for (const name of declaredNames(declaration)) {
      emit(low, OP.exported, text(low, name), find(low, name) ?? NOTHING)
    }
    return
  }
  const specifiers = node.specifiers.filter(({ exportKind }) => exportKind !== 'type')
  if (node.source !== null) {
    const request = addRequest(low, node.source.value, 'import', node.start)
    for (const { local, exported } of specifiers) {
      emit(low, OP.reexported, text(low, nameOf(exported)), request, text(low, nameOf(local)))
    }
    return
  }
  for (const { local, exported } of specifiers) {
    const variable = find(low, nameOf(local))
    if (variable !== undefined) emit(low, OP.exported, text(low, nameOf(exported)), variable)
  }
}

function declaredNames(node: Statement): readonly string[] {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return node.id === null ? [] : [node.id.name]
    case 'TSEnumDeclaration':
    case 'TSImportEqualsDeclaration':
      return [node.id.name]
    case 'TSModuleDeclaration':
      return node.id.type === 'Identifier' ? [node.id.name] : []
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => patternNames(id))
    default:
      return []
  }
}

function patternNames(pattern: BindingPattern): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'AssignmentPattern':
      return patternNames(pattern.left)
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) =>
        one === null ? [] : patternNames(one.type === 'RestElement' ? one.argument : one),
      )
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) =>
        patternNames(one.type === 'RestElement' ? one.argument : one.value),
      )
  }
}

function lowerDefault(
  low: Lowering,
  node: Extract<Statement, { type: 'ExportDefaultDeclaration' }>,
): void {
  const { declaration } = node
  let from = NOTHING
  if (declaration.type === 'FunctionDeclaration') {
    from = low.functionValue(low, declaration, { name: 'default' }).variable
    if (declaration.id !== null) copy(low, declare(low, declaration.id.name), from)
  } else if (declaration.type === 'ClassDeclaration') {
    from = low.classValue(low, declaration, declaration.id?.name ?? 'default')
    if (declaration.id !== null) copy(low, declare(low, declaration.id.name), from)
  } else if (
    declaration.type !== 'TSInterfaceDeclaration' &&
    declaration.type !== 'TSDeclareFunction' &&
    declaration.type !== 'TSEmptyBodyFunctionExpression'
  ) {
    from = low.expression(low, declaration, 'default')
  }
  emit(low, OP.exported, text(low, 'default'), from)
}

function lowerImportEquals(
  low: Lowering,
  node: Extract<Statement, { type: 'TSImportEqualsDeclaration' }>,
): void {
  const to = declare(low, node.id.name)
  const { moduleReference: from } = node
  if (from.type === 'TSExternalModuleReference') {
    const kind = node.importKind === 'type' ? 'type' : 'require'
    const request = addRequest(low, from.expression.value, kind, node.start)
    if (kind === 'require') addSite(low, 'import', node, from.end, '', request)
    emit(low, OP.required, to, request)
    return
  }
  const path: string[] = []
  let part = from
  while (part.type === 'TSQualifiedName') {
    path.unshift(part.right.name)
    part = part.left as typeof from // a qualified name or the identifier it begins with
  }
  let value = part.type === 'Identifier' ? low.expression(low, part) : NOTHING
  for (const name of path) {
    const next = fresh(low)
    if (value !== NOTHING) emit(low, OP.load, next, value, text(low, name))
    value = next
  }
  copy(low, to, value)
}

function lowerNamespace(low: Lowering, node: TSModuleDeclaration): void {
  const { body } = node
  if (node.declare === true || node.id.type !== 'Identifier' || !body) return
  const to = declare(low, node.id.name)
  const space = newObject(low)
  copy(low, to, space)
  if (body.type !== 'TSModuleBlock') return
  const outer = openScope(low)
  hoistVariables(low, body.body, low.scope)
  const locals = body.body.map((one) =>
    one.type === 'ExportNamedDeclaration' && one.declaration !== null ? one.declaration : one,
  )
  low.statements(low, locals)
  for (const one of body.body) {
    if (one.type !== 'ExportNamedDeclaration' || one.declaration === null) continue
    for (const name of declaredNames(one.declaration)) {
      const variable = find(low, name)
      if (variable !== undefined) emit(low, OP.store, space, text(low, name), variable)
    }
  }
  low.scope = outer
}
