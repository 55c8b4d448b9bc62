// SPDX-License-Identifier: Apache-2.0
import { _ } from 'ajv/dist/2020.js'
import { countMembers } from '../members.ts'
import { type Meter, spend } from '../meter.ts'
import { type CreateKeyword, type Keyword, useValue } from './define.ts'

const CHARS_PER_UNIT = 2

/** `maxLength`, counted in code points, and only where UTF-16 units don't decide. */
export const maxLengthKeyword: CreateKeyword = ({ meter }) =>
  sizeKeyword('maxLength', 'string', 'pattern', (text: string, limit) => {
    if (text.length <= limit) return true
    return text.length <= 2 * limit && countPoints(text, meter) <= limit
  })

/** `minLength`, counted in code points, and only where UTF-16 units don't decide. */
export const minLengthKeyword: CreateKeyword = ({ meter }) =>
  sizeKeyword('minLength', 'string', 'pattern', (text: string, limit) => {
    if (text.length < limit) return false
    return text.length >= 2 * limit || countPoints(text, meter) >= limit
  })

/** `maxProperties`, which stops counting one member past the limit. */
export const maxPropertiesKeyword: CreateKeyword = ({ meter }) =>
  sizeKeyword('maxProperties', 'object', 'required', (object: object, limit) => {
    return countMembers(object, limit + 1, meter) <= limit
  })

/** `minProperties`, which stops counting at the limit. */
export const minPropertiesKeyword: CreateKeyword = ({ meter }) =>
  sizeKeyword('minProperties', 'object', 'required', (object: object, limit) => {
    return countMembers(object, limit, meter) >= limit
  })

/** `pattern`, run by a machine that was admitted for the longest text it can meet. */
export const patternKeyword: CreateKeyword = ({ patterns }) => ({
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  code(cxt) {
    const matcher = useValue(cxt, patterns.matcher(String(cxt.schema)))
    cxt.fail(_`!${matcher}.test(${cxt.data})`)
  },
})

function sizeKeyword<T>(
  keyword: string,
  type: 'string' | 'object',
  before: string,
  check: (value: T, limit: number) => boolean,
): Keyword {
  return {
    keyword,
    type,
    schemaType: 'number',
    before,
    code(cxt) {
      cxt.fail(_`!${useValue(cxt, check)}(${cxt.data}, ${Number(cxt.schema)})`)
    },
  }
}

function countPoints(text: string, meter: Meter): number {
  spend(meter, text.length / CHARS_PER_UNIT)
  let count = text.length
  for (let at = 0; at + 1 < text.length; at++) {
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue
    count--
    at++
  }
  return count
}
