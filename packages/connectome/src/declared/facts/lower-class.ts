// SPDX-License-Identifier: Apache-2.0

import { declaredType } from './declared-type.ts'
import { hoistVariables } from './hoist.ts'
import { arityOf } from './lower-function.ts'
import { lowerKey, nameOfKey } from './lower-key.ts'
import {
  type ClassFrame,
  copy,
  emit,
  type Frame,
  fresh,
  type Lowering,
  openScope,
  placeOf,
  setName,
  text,
} from './lowering.ts'
import { type ClassPlaceFact, NOTHING, OP, PLAIN, UNKNOWN } from './module-facts.ts'
import type {
  Class,
  ClassElement,
  Expression,
  MethodDefinition,
  PropertyKey,
} from './parse-source.ts'

interface ClassBeingRead {
  readonly name: string | undefined
  readonly variable: number
  readonly prototype: number
  readonly instance: number
  readonly fields: { place: number; frame: Frame | undefined }
  readonly makerArity: number
  maker: number
}

/** The variable of what a class extends: one of its own for what is unknown, as below 0 there is none. */
function baseOf(low: Lowering, node: Expression): number {
  const base = low.expression(low, node)
  if (base !== UNKNOWN) return base
  const variable = fresh(low)
  copy(low, variable, UNKNOWN)
  return variable
}

/** Reads a class; the variable holds it. */
export function classValue(low: Lowering, node: Class, given?: string): number {
  const name = given ?? node.id?.name
  const base = node.superClass === null ? NOTHING : baseOf(low, node.superClass)
  const cls: ClassBeingRead = {
    name,
    variable: fresh(low),
    prototype: fresh(low),
    instance: fresh(low),
    fields: { place: -1, frame: undefined },
    makerArity: makerArity(node),
    maker: -1,
  }
  const place = low.classes.length
  const { prototype, instance } = cls
  const { line, column } = placeOf(low, node.start)
  const fact = {
    name: name ?? '',
    line,
    column,
    base,
    prototype,
    instance,
    maker: -1,
    fields: -1,
  }
  low.classes.push(fact)
  notePlace(low, 'class', node)
  emit(low, OP.cls, cls.variable, place)
  const outer = openScope(low)
  if (node.id !== null) setName(low.scope, node.id.name, cls.variable)
  for (const element of node.body.body) readElement(low, cls, element)
  low.scope = outer
  for (const { expression } of node.decorators) {
    low.expression(low, expression)
    emit(low, OP.escape, cls.variable) // what a decorator does with it is not followed
  }
  fact.maker = cls.maker
  fact.fields = cls.fields.place
  return cls.variable
}

function makerArity(node: Class): number {
  for (const element of node.body.body) {
    if (element.type !== 'MethodDefinition' || element.kind !== 'constructor') continue
    if (element.value.body !== null) return arityOf(element.value.params)
  }
  return 0
}

function readElement(low: Lowering, cls: ClassBeingRead, element: ClassElement): void {
  switch (element.type) {
    case 'MethodDefinition':
    case 'TSAbstractMethodDefinition':
      if (element.value.body !== null) readMethod(low, cls, element)
      for (const { expression } of element.decorators) low.expression(low, expression)
      return
    case 'PropertyDefinition':
    case 'AccessorProperty':
    case 'TSAbstractPropertyDefinition':
    case 'TSAbstractAccessorProperty':
      for (const { expression } of element.decorators) low.expression(low, expression)
      return readField(low, cls, element)
    case 'StaticBlock': {
      const outer = low.frame
      low.frame = { ...outer, self: cls.variable, isTop: false, home: homeOf(cls, true) }
      notePlace(low, 'static', element)
      const around = openScope(low)
      hoistVariables(low, element.body, low.scope)
      low.statements(low, element.body)
      low.scope = around
      low.frame = outer
    }
  }
}

function notePlace(
  { classPlaces, frame: { unit } }: Lowering,
  kind: ClassPlaceFact['kind'],
  { start, end }: { readonly start: number; readonly end: number },
): void {
  classPlaces.push({ kind, unit, start, end })
}

const homeOf = (cls: ClassBeingRead, isStatic: boolean): ClassFrame => ({
  variable: cls.variable,
  isStatic,
})

function memberName(
  low: Lowering,
  cls: ClassBeingRead,
  key: PropertyKey,
  isComputed: boolean,
): string | undefined {
  const own = nameOfKey(low, key, isComputed)
  return own === undefined || cls.name === undefined ? undefined : `${cls.name}.${own}`
}

function readMethod(low: Lowering, cls: ClassBeingRead, node: MethodDefinition): void {
  const isMaker = node.kind === 'constructor'
  const name = isMaker
    ? cls.name && `${cls.name}.constructor`
    : memberName(low, cls, node.key, node.computed)
  const home = homeOf(cls, node.static)
  const key = isMaker ? undefined : lowerKey(low, node.key, node.computed)
  const { variable, place } = low.functionValue(low, node.value, { name, home })
  if (key === undefined) {
    cls.maker = place
    return
  }
  const owner = node.static ? cls.variable : cls.prototype
  if (!('name' in key)) emit(low, OP.storeKey, owner, key.variable, variable)
  else if (node.kind === 'method') emit(low, OP.member, owner, text(low, key.name), variable)
  else emit(low, OP.accessor, owner, text(low, key.name), place, node.kind === 'set' ? 1 : 0)
}

type Field = Exclude<ClassElement, { type: 'StaticBlock' | 'TSIndexSignature' } | MethodDefinition>

function readField(low: Lowering, cls: ClassBeingRead, node: Field): void {
  const outer = low.frame
  const type = declaredType(low, node.typeAnnotation?.typeAnnotation)
  const key = lowerKey(low, node.key, node.computed)
  const owner = node.static ? cls.variable : cls.instance
  if (type === PLAIN && 'name' in key) emit(low, OP.store, owner, text(low, key.name), PLAIN)
  if (node.value === null) return
  const isNamed = outer.isTop
  if (node.static) {
    low.frame = { ...outer, self: cls.variable, isTop: isNamed, home: homeOf(cls, true) }
  } else {
    low.frame = fieldsFrame(low, cls, node)
  }
  // A computed key is read with the class, what stands behind it with the initialiser.
  notePlace(low, node.static ? 'static' : 'field', { start: node.key.end, end: node.end })
  const name = isNamed ? memberName(low, cls, node.key, node.computed) : undefined
  const value = low.expression(low, node.value, name)
  low.frame = outer
  if (value === NOTHING) return
  if ('name' in key) emit(low, OP.member, owner, text(low, key.name), value)
  else emit(low, OP.storeKey, owner, key.variable, value)
}

/** Initialisers of fields run in a function of their own, which counts as the constructor. */
function fieldsFrame(low: Lowering, cls: ClassBeingRead, node: Field): Frame {
  const { fields } = cls
  if (fields.frame !== undefined) return fields.frame
  const { unit, isTop } = low.frame
  const isUnit = isTop && cls.name !== undefined
  const name = `${cls.name}.constructor`
  const own = isUnit ? low.units.push({ name, arity: cls.makerArity }) - 1 : unit
  const frame: Frame = {
    unit: own,
    isTop,
    self: cls.instance,
    result: fresh(low),
    yields: -1,
    isGenerator: false,
    all: { variable: -1 },
    home: homeOf(cls, false),
  }
  fields.frame = frame
  fields.place = low.functions.length
  const { start, end } = node
  const { line, column } = placeOf(low, start)
  low.functions.push({
    unit: own,
    start,
    end,
    line,
    column,
    parameters: [],
    result: frame.result,
    rest: -1,
    all: -1,
    self: cls.instance,
    isMethod: true,
  })
  copy(low, frame.result, NOTHING)
  return frame
}
