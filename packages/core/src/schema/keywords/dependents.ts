// SPDX-License-Identifier: Apache-2.0
import { _ } from 'ajv/dist/2020.js'
import { demand } from './applicators.ts'
import { type Keyword, useValue } from './define.ts'
import { openMembers } from './evaluated.ts'

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

/** Subschemas that hold where a member is: `dependentSchemas`, and the schemas of `dependencies`. */
export const dependentSchemasKeyword: Keyword = {
  keyword: 'dependentSchemas',
  type: 'object',
  schemaType: 'object',
  code(cxt) {
    const { gen, data, keyword, it } = cxt
    const { items } = it
    const schemas: Readonly<Record<string, boolean | object>> = cxt.schema
    openMembers(cxt)
    const valid = gen.let('valid', true)
    for (const name of Object.keys(schemas)) {
      const isPresent = _`${data}[${name}] !== undefined && Object.hasOwn(${data}, ${name})`
      gen.if(_`${valid} && ${isPresent}`, () => demand(cxt, { keyword, schemaProp: name }, valid))
    }
    // An object has no items: what its subschemas would evaluate of a list says nothing of one.
    if (items === undefined) delete it.items
    else it.items = items
    cxt.ok(valid)
  },
}
