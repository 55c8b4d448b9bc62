// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'

/** A value that a form field may have. */
export type FormValue = string | number | boolean | readonly string[]

/** What a form asks for: an object of plain fields, none of them nested. @see ELI-03 */
export interface FormSchema {
  readonly $schema?: string
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

const LABELS = ['type', 'title', 'description', 'default']
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  string: [...LABELS, 'minLength', 'maxLength', 'format', 'enum', 'enumNames', 'oneOf'],
  number: [...LABELS, 'minimum', 'maximum'],
  integer: [...LABELS, 'minimum', 'maximum'],
  boolean: LABELS,
  array: [...LABELS, 'minItems', 'maxItems', 'items'],
}
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDate(text),
  'date-time': (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/.test(text) &&
    !Number.isNaN(Date.parse(text)),
}

function isRealDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

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
  const other = findOther(schema, [
    '$schema',
    'type',
    'properties',
    'required',
    'title',
    'description',
  ])
  if (other !== undefined) return `whose requestedSchema has ${other}, which a client can't show`
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
  const members =
    typeof type === 'string' && Object.hasOwn(MEMBERS, type) ? MEMBERS[type] : undefined
  if (!isJsonObject(field) || members === undefined) {
    return 'has a type other than string, number, integer, boolean and array'
  }
  const other = findOther(field, members)
  if (other !== undefined) return `has ${other}, which a client can't show`
  const { format, oneOf, items } = field
  if (field['enum'] !== undefined && !isStringList(field['enum']))
    return 'has an enum of other things than strings'
  if (format !== undefined && !(typeof format === 'string' && Object.hasOwn(FORMATS, format))) {
    return `has a format other than ${Object.keys(FORMATS).join(', ')}`
  }
  if (oneOf !== undefined && choicesOf(oneOf) === undefined)
    return 'has a oneOf that is no list of const and title'
  return type === 'array' && itemChoices(items) === undefined
    ? 'is a list of other things than an enum of strings'
    : undefined
}

/**
 * Finds what is wrong with the answers to a form that is sound.
 *
 * @returns a phrase with the field's name and never its value, or undefined
 * @see ELI-09, A-14
 */
export function findAnswerFault(
  { properties, required = [] }: FormSchema,
  content: unknown,
): string | undefined {
  if (!isJsonObject(content)) return 'content must be an object'
  const missing = required.find((name) => !Object.hasOwn(content, name))
  if (missing !== undefined) return `${missing} is missing`
  for (const [name, field] of Object.entries(properties)) {
    if (!Object.hasOwn(content, name)) continue
    if (!fits(field as JsonObject, content[name])) return `${name} does not fit its field`
  }
  return undefined
}

function fits(field: JsonObject, value: unknown): boolean {
  switch (field['type']) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return Number.isSafeInteger(value) && isWithin(field, value as number)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) && isWithin(field, value)
    case 'string':
      return typeof value === 'string' && fitsText(field, value)
    default:
      return fitsList(field, value)
  }
}

function isWithin({ minimum, maximum }: JsonObject, value: number): boolean {
  return (
    !(typeof minimum === 'number' && value < minimum) &&
    !(typeof maximum === 'number' && value > maximum)
  )
}

function fitsText(field: JsonObject, text: string): boolean {
  const { minLength, maxLength, format } = field
  const length = [...text].length
  if (typeof minLength === 'number' && length < minLength) return false
  if (typeof maxLength === 'number' && length > maxLength) return false
  if (typeof format === 'string' && FORMATS[format]?.(text) === false) return false
  const choices = isStringList(field['enum']) ? field['enum'] : choicesOf(field['oneOf'])
  return choices === undefined || choices.includes(text)
}

function fitsList({ items, minItems, maxItems }: JsonObject, value: unknown): boolean {
  const choices = itemChoices(items) ?? []
  if (!isStringList(value) || !value.every((item) => choices.includes(item))) return false
  if (typeof minItems === 'number' && value.length < minItems) return false
  return !(typeof maxItems === 'number' && value.length > maxItems)
}

function itemChoices(items: unknown): readonly string[] | undefined {
  if (!isJsonObject(items)) return undefined
  return isStringList(items['enum']) ? items['enum'] : choicesOf(items['anyOf'])
}

/** The values of `[{ const, title }]`. */
function choicesOf(list: unknown): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined
  const values = list.map((item: unknown) => (isJsonObject(item) ? item['const'] : undefined))
  return isStringList(values) ? values : undefined
}

function findOther(schema: JsonObject, known: readonly string[]): string | undefined {
  return Object.keys(schema).find((key) => !known.includes(key))
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
