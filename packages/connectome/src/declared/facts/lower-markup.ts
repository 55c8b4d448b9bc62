// SPDX-License-Identifier: Apache-2.0
import { emit, type Lowering } from './lowering.ts'
import { OP, UNKNOWN } from './module-facts.ts'
import type { Expression, JSXElement, JSXFragment } from './parse-source.ts'

/** JSX hands its component and its properties to a library that is not followed. */
export function lowerMarkup(low: Lowering, node: JSXElement | JSXFragment): number {
  if (node.type === 'JSXElement') {
    const { name, attributes } = node.openingElement
    if (name.type === 'JSXIdentifier' && /^[A-Z_$]/.test(name.name)) {
      give(low, low.expression(low, { ...name, type: 'Identifier' }))
    }
    for (const attribute of attributes) {
      if (attribute.type === 'JSXSpreadAttribute') {
        give(low, low.expression(low, attribute.argument))
      } else if (attribute.value?.type === 'JSXExpressionContainer') {
        readInside(low, attribute.value.expression)
      }
    }
  }
  for (const child of node.children) {
    if (child.type === 'JSXExpressionContainer' || child.type === 'JSXSpreadChild') {
      readInside(low, child.expression)
    } else if (child.type === 'JSXElement' || child.type === 'JSXFragment') {
      low.expression(low, child)
    }
  }
  return UNKNOWN
}

function readInside(low: Lowering, inner: Expression | { type: 'JSXEmptyExpression' }): void {
  if (inner.type !== 'JSXEmptyExpression') give(low, low.expression(low, inner))
}

function give(low: Lowering, variable: number): void {
  if (variable >= 0) emit(low, OP.escape, variable)
}
