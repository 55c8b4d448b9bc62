// SPDX-License-Identifier: Apache-2.0

import { declaredType } from './declared-type.ts'
import { lowerKey } from './lower-key.ts'
import {
  copy,
  declare,
  emit,
  find,
  fresh,
  isOfOuter,
  type Lowering,
  load,
  narrowingsOf,
  newObject,
  originOf,
  text,
} from './lowering.ts'
import { NOTHING, OP, PLAIN } from './module-facts.ts'
import type {
  AssignmentTarget,
  AssignmentTargetMaybeDefault,
  BindingPattern,
  Expression,
  PropertyKey,
} from './parse-source.ts'

/** Gives the names of a pattern what stands in a variable; the names are declared already. */
export function bind(low: Lowering, pattern: BindingPattern, from: number): void {
  switch (pattern.type) {
    case 'Identifier': {
      const variable = find(low, pattern.name) ?? declare(low, pattern.name)
      const type = declaredType(low, pattern.typeAnnotation?.typeAnnotation)
      if (type >= 0) emit(low, OP.typed, variable, type)
      const held = type === PLAIN ? PLAIN : from
      copy(low, variable, held)
      const origin = originOf(low, variable)
      if (origin !== variable) copy(low, origin, held)
      return
    }
    case 'AssignmentPattern': {
      const name = pattern.left.type === 'Identifier' ? pattern.left.name : undefined
      bind(low, pattern.left, either(low, from, low.expression(low, pattern.right, name)))
      return
    }
    case 'ArrayPattern':
      for (const element of pattern.elements) {
        if (element === null) continue
        if (element.type === 'RestElement') bind(low, element.argument, from)
        else bind(low, element, elementOf(low, from))
      }
      return
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') bind(low, property.argument, remainder(low, from))
        else bind(low, property.value, memberOf(low, from, property.key, property.computed))
      }
  }
}

/** Gives what stands in a variable to the target of an assignment. */
export function assign(
  low: Lowering,
  target: AssignmentTarget | AssignmentTargetMaybeDefault,
  from: number,
): void {
  switch (target.type) {
    case 'Identifier': {
      const variable = find(low, target.name)
      if (variable !== undefined) {
        setVariable(low, target.name, variable, from)
      } else if (from !== NOTHING) emit(low, OP.setGlobal, text(low, target.name), from)
      return
    }
    case 'MemberExpression':
      return assignMember(low, target.object, target.property, target.computed, from)
    case 'AssignmentPattern':
      return assign(low, target.left, either(low, from, low.expression(low, target.right)))
    case 'ArrayPattern':
      for (const element of target.elements) {
        if (element === null) continue
        if (element.type === 'RestElement') assign(low, element.argument, from)
        else assign(low, element, elementOf(low, from))
      }
      return
    case 'ObjectPattern':
      for (const property of target.properties) {
        if (property.type === 'RestElement') assign(low, property.argument, remainder(low, from))
        else assign(low, property.value, memberOf(low, from, property.key, property.computed))
      }
      return
    default:
      assign(low, target.expression as AssignmentTarget, from) // a type around a target
  }
}

/** Where a name is narrowed, what it is given reaches every place that may see it. */
function setVariable(low: Lowering, name: string, variable: number, from: number): void {
  copy(low, variable, from)
  const origin = originOf(low, variable)
  if (origin !== variable) copy(low, origin, from)
  if (!isOfOuter(low, name)) return
  const narrowings = narrowingsOf(low, origin)
  narrowings.isSetInside = true
  for (const one of narrowings.variables) copy(low, one, from)
}

function assignMember(
  low: Lowering,
  object: Expression,
  property: PropertyKey,
  isComputed: boolean,
  from: number,
): void {
  const owner = object.type === 'Super' ? low.frame.self : low.expression(low, object)
  const key = lowerKey(low, property, isComputed)
  if (from === NOTHING || owner === NOTHING) return
  if ('name' in key) emit(low, OP.store, owner, text(low, key.name), from)
  else emit(low, OP.storeKey, owner, key.variable, from)
}

function memberOf(low: Lowering, from: number, property: PropertyKey, isComputed: boolean): number {
  const key = lowerKey(low, property, isComputed)
  if (from === NOTHING) return NOTHING
  if ('name' in key) return load(low, from, key.name)
  const to = fresh(low)
  emit(low, OP.loadKey, to, from, key.variable)
  return to
}

export function elementOf(low: Lowering, from: number): number {
  if (from < 0) return from
  const to = fresh(low)
  emit(low, OP.element, to, from)
  return to
}

function remainder(low: Lowering, from: number): number {
  if (from < 0) return from
  const to = newObject(low)
  emit(low, OP.spread, to, from)
  return to
}

/** A variable with what stands in either of two. */
export function either(low: Lowering, one: number, other: number): number {
  if (one === NOTHING || one === other) return other
  if (other === NOTHING) return one
  const to = fresh(low)
  copy(low, to, one)
  copy(low, to, other)
  return to
}
