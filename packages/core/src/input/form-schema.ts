// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, isStringList, type JsonObject } from '../protocol/plain.ts'
import { choicesOf, fitsField, isFormat, itemChoices } from './form-field.ts'

/** A value that a form field may have. */
export type FormValue = string | number | boolean | readonly string[]

/** What a form asks for: an object of plain fields, none of them nested. @see ELI-03 */
export interface FormSchema {
  readonly $schema?: string
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

/** What a member of a field has to be, as a phrase that follows its name, and whether it is. */
type MemberRule = readonly [mustBe: string, holds: (value: unknown, field: JsonObject) => boolean]

const TEXT: MemberRule = ['a string', (value) => typeof value === 'string']
const COUNT: MemberRule = [
  'a whole number from 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
]
const BOUND: MemberRule = ['a finite number', (value) => Number.isFinite(value)]
const NAMES: MemberRule = ['a list of one or more strings', isNameList]
const CHOICES: MemberRule = ['a list of const and title', (value) => isNameList(choicesOf(value))]
const LABELS = { type: TEXT, title: TEXT, description: TEXT }
const NUMBER = { ...LABELS, minimum: BOUND, maximum: BOUND }

/** The members that a client can show, by the field's type. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, MemberRule>>>> = {
  string: {
    ...LABELS,
    minLength: COUNT,
    maxLength: COUNT,
    format: ['email, uri, date or date-time', isFormat],
    enum: NAMES,
    enumNames: ['a name for each value of its enum', namesEach],
    oneOf: CHOICES,
  },
  number: NUMBER,
  integer: NUMBER,
  boolean: LABELS,
  array: {
    ...LABELS,
    minItems: COUNT,
    maxItems: COUNT,
    items: ['an enum of strings', (value) => isNameList(itemChoices(value))],
  },
}
const ROOT_MEMBERS = ['$schema', 'type', 'properties', 'required', 'title', 'description']
const ROOT_TEXTS = ['$schema', 'title', 'description']

/**
 * Finds what a client could not show of a form.
 *
 * @returns a phrase that follows "a form", or undefined
 * @see MCP 2026-07-28, Elicitation, Requested Schema: ELI-03
 */
export function findFormFault(schema: unknown): string | undefined {
  if (!isJsonObject(schema) || schema['type'] !== 'object' || !isJsonObject(schema['properties'])) {
    return 'whose requestedSchema is no object schema with properties'
  }
  const { properties, required = [] } = schema as JsonObject & { properties: JsonObject }
  const other = Object.keys(schema).find((key) => !ROOT_MEMBERS.includes(key))
  if (other !== undefined) return `whose requestedSchema has ${other}, which a client can't show`
  const wrong = ROOT_TEXTS.find((key) => schema[key] !== undefined && !TEXT[1](schema[key], schema))
  if (wrong !== undefined) return `whose requestedSchema has a ${wrong} that is no string`
  if (!isStringList(required) || !required.every((name) => Object.hasOwn(properties, name))) {
    return 'that requires what is none of its properties'
  }
  for (const [name, field] of Object.entries(properties)) {
    const fault = findFieldFault(field)
    if (fault !== undefined) return `whose field '${name}' ${fault}`
  }
  return undefined
}

function findFieldFault(field: unknown): string | undefined {
  const type = isJsonObject(field) ? field['type'] : undefined
  const rules = typeof type === 'string' && Object.hasOwn(MEMBERS, type) ? MEMBERS[type] : undefined
  if (!isJsonObject(field) || rules === undefined) {
    return 'has a type other than string, number, integer, boolean and array'
  }
  for (const [key, value] of Object.entries(field)) {
    if (value === undefined || key === 'default') continue
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
    if (rule === undefined) return `has ${key}, which a client can't show`
    if (!rule[1](value, field)) return `has ${key}, which must be ${rule[0]}`
  }
  if (type === 'array' && field['items'] === undefined) return 'is a list without items'
  return field['default'] === undefined || fitsField(field, field['default'])
    ? undefined
    : 'has a default that does not fit it'
}

function isNameList(value: unknown): boolean {
  return isStringList(value) && value.length > 0
}

function namesEach(value: unknown, { enum: values }: JsonObject): boolean {
  return isStringList(value) && isStringList(values) && value.length === values.length
}
