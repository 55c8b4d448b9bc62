// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, isStringList, type JsonObject } from '../protocol/plain.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^[Tt](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: isDate,
  'date-time': (text) =>
    isDate(text.slice(0, 10)) && TIME.test(text.slice(10)) && !Number.isNaN(Date.parse(text)),
}

/** A day that there is: the parser of dates takes 30 February for 1 March. */
function isDate(text: string): boolean {
  const date = DATE.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return (
    date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
  )
}

/** Says whether a name is that of a format that a field of a form may have. */
export function isFormat(name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(FORMATS, name)
}

/** Says whether a value fits a field that is sound. @see ELI-09, A-14 */
export function fitsField(field: JsonObject, value: unknown): boolean {
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
  if (!Array.isArray(value)) return false
  if (typeof minItems === 'number' && value.length < minItems) return false
  if (typeof maxItems === 'number' && value.length > maxItems) return false
  const choices = new Set<unknown>(itemChoices(items))
  return value.every((item) => choices.has(item))
}

/** What may be chosen of a list: `{ enum }`, or `{ anyOf: [{ const, title }] }`. */
export function itemChoices(items: unknown): readonly string[] | undefined {
  if (!isJsonObject(items)) return undefined
  const { type, enum: values, anyOf } = items
  if (anyOf !== undefined) return choicesOf(anyOf)
  return type === 'string' && isStringList(values) ? values : undefined
}

/** The values of `[{ const, title }]`. */
export function choicesOf(list: unknown): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined
  const isTitled = list.every((item) => isJsonObject(item) && typeof item['title'] === 'string')
  const values = list.map((item: unknown) => (isJsonObject(item) ? item['const'] : undefined))
  return isTitled && isStringList(values) ? values : undefined
}
