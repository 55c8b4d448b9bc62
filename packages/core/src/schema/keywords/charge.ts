// SPDX-License-Identifier: Apache-2.0
import { _ } from 'ajv/dist/2020.js'
import { spend } from '../meter.ts'
import { type AjvCore, type CreateKeyword, useValue } from './define.ts'

/** Internal: charges each visit of a subschema, before anything else in it runs. */
export const visitKeyword: CreateKeyword = (meter) => ({
  keyword: '$visit',
  schemaType: 'number',
  code(cxt) {
    const charge = useValue(cxt, (units: number) => spend(meter, units))
    cxt.gen.code(_`${charge}(${Number(cxt.schema)})`)
  },
})

/** Internal: charges each visit for each member of the value, where it is an object. */
export const perMemberKeyword: CreateKeyword = (meter) => ({
  keyword: '$perMember',
  schemaType: 'number',
  code(cxt) {
    const units = Number(cxt.schema)
    if (units === 0) return
    const charge = useValue(cxt, (value: unknown) => spend(meter, units * countMembers(value)))
    cxt.gen.code(_`${charge}(${cxt.data})`)
  },
})

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0
  let count = 0
  for (const _name in value) count++
  return count
}

/**
 * Moves the charging keywords in front of all others. Ajv runs rules group by group and has groups for
 * the types before the one that an untyped keyword joins.
 */
export function chargeFirst(ajv: AjvCore): void {
  const { rules } = ajv.RULES
  const names = ['$visit', '$perMember']
  for (const group of rules) {
    const found = group.rules.filter(({ keyword }) => names.includes(keyword))
    if (found.length === 0) continue
    group.rules = group.rules.filter(({ keyword }) => !names.includes(keyword))
    rules.unshift({ rules: found })
    return
  }
}
