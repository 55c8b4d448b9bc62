// SPDX-License-Identifier: Apache-2.0
import { _ } from 'ajv/dist/2020.js'
import { type CreateKeyword, type Keyword, useValue } from './define.ts'

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

/** Names that must be there beside another one: `dependentRequired`, and the lists of `dependencies`. */
export const dependentRequiredKeyword: Keyword = {
  keyword: 'dependentRequired',
  type: 'object',
  schemaType: 'object',
  code(cxt) {
    const lists: Readonly<Record<string, readonly string[]>> = cxt.schema
    const entries = Object.entries(lists)
    const check = useValue(cxt, (object: object) =>
      entries.every(
        ([name, needed]) =>
          !Object.hasOwn(object, name) || needed.every((other) => Object.hasOwn(object, other)),
      ),
    )
    cxt.fail(_`!${check}(${cxt.data})`)
  },
}
