// SPDX-License-Identifier: Apache-2.0
import { _ } from 'ajv/dist/2020.js'
import { countMembers, membersWork } from '../members.ts'
import { spend } from '../meter.ts'
import { type AjvCore, type CreateKeyword, useValue } from './define.ts'

/** Internal: charges each visit of a subschema, before anything else in it runs. */
export const visitKeyword: CreateKeyword = ({ meter }) => {
  const charge = (units: number): void => spend(meter, units)
  return {
    keyword: '$visit',
    schemaType: 'number',
    code(cxt) {
      cxt.gen.code(_`${useValue(cxt, charge)}(${Number(cxt.schema)})`)
    },
  }
}

/** Internal: charges each visit for each member of the value, where it is an object. */
export const perMemberKeyword: CreateKeyword = ({ meter }) => {
  const charge = (value: unknown, loops: number): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    spend(meter, loops * membersWork(countMembers(value, Number.POSITIVE_INFINITY, meter)))
  }
  return {
    keyword: '$perMember',
    schemaType: 'number',
    code(cxt) {
      cxt.gen.code(_`${useValue(cxt, charge)}(${cxt.data}, ${Number(cxt.schema)})`)
    },
  }
}

/**
 * Moves the charging keywords in front of all others. Ajv runs rules group by group and has groups for
 * the types before the one that an untyped keyword joins.
 */
export function chargeFirst(ajv: AjvCore): void {
  const { rules } = ajv.RULES
  const names = ['$visit', '$perMember']
  for (const group of rules) {
    const found = group.rules.filter((rule) => names.includes(rule.keyword))
    if (found.length === 0) continue
    group.rules = group.rules.filter((rule) => !names.includes(rule.keyword))
    rules.unshift({ rules: found })
    return
  }
}
