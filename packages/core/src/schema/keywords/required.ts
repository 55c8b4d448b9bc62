// SPDX-License-Identifier: Apache-2.0
import { _, type Code, type KeywordCxt } from 'ajv/dist/2020.js'
import { or } from 'ajv/dist/compile/codegen/index.js'
import { isArray, type Json } from '../json.ts'
import { type Keyword, useValue } from './define.ts'

/** Names that the generated code asks for one by one; more are gone through by a function. */
const MAX_INLINE = 32

/** `required`, for every name there is: Ajv's own takes an empty name for none. */
export const requiredKeyword: Keyword = {
  keyword: 'required',
  type: 'object',
  schemaType: 'array',
  code(cxt) {
    const list: Json = cxt.schema
    const names = isArray(list) ? list.map(String) : []
    if (names.length === 0) return
    cxt.fail(names.length > MAX_INLINE ? lacksOne(cxt, names) : or(...lacksEach(cxt, names)))
  },
}

function lacksEach({ data }: KeywordCxt, names: readonly string[]): Code[] {
  return names.map((name) => _`${data}[${name}] === undefined || !Object.hasOwn(${data}, ${name})`)
}

function lacksOne(cxt: KeywordCxt, names: readonly string[]): Code {
  const check = useValue(cxt, (object: object) =>
    names.every((name) => Object.hasOwn(object, name)),
  )
  return _`!${check}(${cxt.data})`
}
