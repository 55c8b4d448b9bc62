// SPDX-License-Identifier: Apache-2.0
import { _, type KeywordCxt, type Name } from 'ajv/dist/2020.js'
import { alwaysValidSchema } from 'ajv/dist/compile/util.js'
import { type Meter, spend } from '../meter.ts'
import { type CreateKeyword, useValue } from './define.ts'
import { evaluateNames } from './evaluated.ts'

/** Properties that are looked for one by one; more are looked for in groups. */
export const UNGROUPED_PROPERTIES = 48
/** Groups fit the bits of a small integer. */
const MAX_GROUPS = 30
/** Work of looking for one property of a group, and of finding a member's group. */
const CHECK_UNITS = 3
const FIND_UNITS = 3

/**
 * `properties`, for every name there is. Where there are many, the members of the value say which groups
 * of properties are worth looking at, so that an empty object is soon done with.
 */
export const propertiesKeyword: CreateKeyword = ({ meter }) => ({
  keyword: 'properties',
  type: 'object',
  schemaType: 'object',
  code(cxt) {
    const { gen, it } = cxt
    const schemas: Readonly<Record<string, boolean | object>> = cxt.schema
    evaluateNames(cxt, Object.keys(schemas))
    const names = Object.keys(schemas).filter((name) => {
      const schema = schemas[name]
      return schema !== undefined && !alwaysValidSchema(it, schema)
    })
    const valid = gen.let('valid', true)
    if (names.length <= UNGROUPED_PROPERTIES) checkEach(cxt, names, valid)
    else checkGroups(cxt, names, valid, meter)
    cxt.ok(valid)
  },
})

function checkEach(cxt: KeywordCxt, names: readonly string[], valid: Name): void {
  const { gen, data } = cxt
  for (const name of names) {
    gen.if(_`${valid} && ${data}[${name}] !== undefined && Object.hasOwn(${data}, ${name})`, () => {
      const ok = gen.name('valid')
      cxt.subschema({ keyword: 'properties', schemaProp: name, dataProp: name }, ok)
      gen.assign(valid, ok)
    })
  }
}

function checkGroups(cxt: KeywordCxt, names: readonly string[], valid: Name, meter: Meter): void {
  const { gen, data } = cxt
  const size = Math.ceil(names.length / MAX_GROUPS)
  const bits = new Map(names.map((name, index) => [name, 1 << Math.floor(index / size)]))
  const find = useValue(cxt, (object: object) => findGroups(object, bits, size, meter))
  const present = gen.const('present', _`${find}(${data})`)
  for (let group = 0; group * size < names.length; group++) {
    gen.if(_`(${present} & ${1 << group}) !== 0`, () => {
      checkEach(cxt, names.slice(group * size, (group + 1) * size), valid)
    })
  }
}

/** One bit for each group that a member of the object belongs to. */
function findGroups(
  object: object,
  bits: ReadonlyMap<string, number>,
  size: number,
  meter: Meter,
): number {
  let found = 0
  let members = 0
  for (const name in object) {
    members++
    const bit = bits.get(name) ?? 0
    if ((found & bit) === bit) continue
    found |= bit
    spend(meter, CHECK_UNITS * size)
  }
  spend(meter, FIND_UNITS * members)
  return found
}
