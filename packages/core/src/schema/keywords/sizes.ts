// SPDX-License-Identifier: Apache-2.0
import { _ } from 'ajv/dist/2020.js'
import { type Meter, spend } from '../meter.ts'
import { type CreateKeyword, type Keyword, useValue } from './define.ts'

/** Characters or members counted per unit of work. */
const COUNTED_PER_UNIT = 4

/** `maxLength`, counted in code points, and only where UTF-16 units don't decide. */
export const maxLengthKeyword: CreateKeyword = (meter) =>
  sizeKeyword('maxLength', 'string', 'pattern', (limit) => (text: string) => {
    if (text.length <= limit) return true
    return text.length <= 2 * limit && countPoints(text, meter) <= limit
  })

/** `minLength`, counted in code points, and only where UTF-16 units don't decide. */
export const minLengthKeyword: CreateKeyword = (meter) =>
  sizeKeyword('minLength', 'string', 'pattern', (limit) => (text: string) => {
    if (text.length < limit) return false
    return text.length >= 2 * limit || countPoints(text, meter) >= limit
  })

/** `maxProperties`, which stops counting one member past the limit. */
export const maxPropertiesKeyword: CreateKeyword = (meter) =>
  sizeKeyword(
    'maxProperties',
    'object',
    'required',
    (limit) => (object: object) => countMembers(object, limit + 1, meter) <= limit,
  )

/** `minProperties`, which stops counting at the limit. */
export const minPropertiesKeyword: CreateKeyword = (meter) =>
  sizeKeyword(
    'minProperties',
    'object',
    'required',
    (limit) => (object: object) => countMembers(object, limit, meter) >= limit,
  )

function sizeKeyword<T>(
  keyword: string,
  type: 'string' | 'object',
  before: string,
  createCheck: (limit: number) => (value: T) => boolean,
): Keyword {
  return {
    keyword,
    type,
    schemaType: 'number',
    before,
    code(cxt) {
      const check = useValue(cxt, createCheck(Number(cxt.schema)))
      cxt.fail(_`!${check}(${cxt.data})`)
    },
  }
}

function countPoints(text: string, meter: Meter): number {
  spend(meter, text.length / COUNTED_PER_UNIT)
  let count = text.length
  for (let at = 0; at + 1 < text.length; at++) {
    const isPair = (text.codePointAt(at) ?? 0) > 0xffff
    if (!isPair) continue
    count--
    at++
  }
  return count
}

function countMembers(object: object, stopAt: number, meter: Meter): number {
  let count = 0
  for (const name in object) {
    if (count >= stopAt) break
    if (Object.hasOwn(object, name)) count++
  }
  spend(meter, count)
  return count
}
