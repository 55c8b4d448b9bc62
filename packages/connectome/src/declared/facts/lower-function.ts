// SPDX-License-Identifier: Apache-2.0

import { declaredType } from './declared-type.ts'
import { declarePattern, hoistVariables } from './hoist.ts'
import { ELEMENTS } from './lower-key.ts'
import {
  copy,
  emit,
  enter,
  type Frame,
  type FunctionOptions,
  fresh,
  type Lowering,
  newObject,
  openScope,
  placeOf,
  setName,
  text,
} from './lowering.ts'
import { OP, PLAIN, SHAPE, UNKNOWN } from './module-facts.ts'
import type { ArrowFunctionExpression, FunctionNode, ParamPattern } from './parse-source.ts'

/** Reads a function; the variable holds it, the place is its own among the functions. */
export function functionValue(
  low: Lowering,
  node: FunctionNode | ArrowFunctionExpression,
  options: FunctionOptions,
): { readonly variable: number; readonly place: number } {
  enter(low, node.start)
  const outer = low.frame
  const place = low.functions.length
  const variable = fresh(low)
  const isArrow = node.type === 'ArrowFunctionExpression'
  const { unit, isTop } = unitOf(low, node, options)
  const frame: Frame = {
    unit,
    isTop,
    self: isArrow ? outer.self : fresh(low),
    result: fresh(low),
    yields: node.generator ? fresh(low) : -1,
    isGenerator: node.generator,
    all: isArrow ? outer.all : { variable: -1 },
    home: options.home ?? (isArrow ? outer.home : undefined),
  }
  const parameters: number[] = []
  const { line, column } = placeOf(low, node.start)
  const fact = {
    unit,
    start: node.start,
    end: node.end,
    line,
    column,
    parameters,
    result: answerOf(low, node, frame),
    rest: -1,
    all: -1,
    self: isArrow ? -1 : frame.self,
    isMethod: options.home !== undefined,
  }
  low.functions.push(fact)
  emit(low, OP.func, variable, place)
  low.frame = frame
  const around = openScope(low, true)
  if (node.type === 'FunctionExpression' && node.id !== null) {
    setName(low.scope, node.id.name, variable)
    openScope(low)
  }
  readBody(low, node, parameters, fact)
  low.scope = around
  low.frame = outer
  if (!isArrow) fact.all = frame.all.variable
  low.depth--
  return { variable, place }
}

function unitOf(
  low: Lowering,
  node: FunctionNode | ArrowFunctionExpression,
  { name, isImmediate = false }: FunctionOptions,
): Pick<Frame, 'unit' | 'isTop'> {
  const { unit, isTop } = low.frame
  if (!isTop || isImmediate || name === undefined) return { unit, isTop: isTop && isImmediate }
  return { unit: low.units.push({ name, arity: arityOf(node.params) }) - 1, isTop: false }
}

/** What `length` of the function is: parameters before the first with a default, without rest. */
export function arityOf(params: readonly ParamPattern[]): number {
  let arity = 0
  for (const param of params) {
    const inner = param.type === 'TSParameterProperty' ? param.parameter : param
    if (inner.type === 'AssignmentPattern' || inner.type === 'RestElement') break
    if (inner.type !== 'Identifier' || inner.name !== 'this') arity++
  }
  return arity
}

/** The variable of what a caller gets: a promise of it, or the list of what is yielded. */
function answerOf(
  low: Lowering,
  node: FunctionNode | ArrowFunctionExpression,
  frame: Frame,
): number {
  if (node.generator) {
    const list = newObject(low, SHAPE.list)
    emit(low, OP.store, list, text(low, ELEMENTS), frame.yields)
    return list
  }
  if (!node.async) return frame.result
  const answer = fresh(low)
  emit(low, OP.promise, answer, frame.result)
  return answer
}

function readBody(
  low: Lowering,
  node: FunctionNode | ArrowFunctionExpression,
  parameters: number[],
  fact: { rest: number },
): void {
  for (const param of node.params) {
    const inner = param.type === 'TSParameterProperty' ? param.parameter : param
    declarePattern(low, inner.type === 'RestElement' ? inner.argument : inner, low.scope)
  }
  for (const param of node.params) readParameter(low, param, parameters, fact)
  if (node.body === null) return
  if (node.body.type !== 'BlockStatement') {
    copy(low, low.frame.result, low.expression(low, node.body))
    return
  }
  hoistVariables(low, node.body.body, low.scope)
  low.statements(low, node.body.body)
}

function readParameter(
  low: Lowering,
  param: ParamPattern,
  parameters: number[],
  fact: { rest: number },
): void {
  if (param.type === 'RestElement') {
    fact.rest = fresh(low)
    low.bind(low, param.argument, fact.rest)
    return
  }
  const inner = param.type === 'TSParameterProperty' ? param.parameter : param
  if (inner.type === 'Identifier' && inner.name === 'this') return
  const variable = fresh(low)
  parameters.push(variable)
  const named = inner.type === 'AssignmentPattern' ? inner.left : inner
  const type = declaredType(low, named.typeAnnotation?.typeAnnotation)
  if (type >= 0) emit(low, OP.typed, variable, type)
  low.bind(low, inner, type === PLAIN ? PLAIN : variable)
  if (param.type === 'TSParameterProperty' && named.type === 'Identifier') {
    const from = low.scope.names?.get(named.name) ?? UNKNOWN
    emit(low, OP.store, low.frame.self, text(low, named.name), from)
  }
}
