// SPDX-License-Identifier: Apache-2.0
import { _, type KeywordCxt, Name, nil } from 'ajv/dist/2020.js'
import { not } from 'ajv/dist/compile/codegen/index.js'
import { alwaysValidSchema, Type } from 'ajv/dist/compile/util.js'
import type { Keyword } from './define.ts'
import { evaluateFirst } from './evaluated.ts'

/** `prefixItems`, which leaves the keywords after it in force for an array that is shorter. */
export const prefixItemsKeyword: Keyword = {
  keyword: 'prefixItems',
  type: 'array',
  schemaType: 'array',
  before: 'items',
  code(cxt) {
    const { gen, it, data } = cxt
    const schemas: readonly (boolean | object)[] = cxt.schema
    evaluateFirst(cxt, schemas.length)
    const valid = gen.let('valid', true)
    for (const [index, schema] of schemas.entries()) {
      if (alwaysValidSchema(it, schema)) continue
      gen.if(_`${valid} && ${data}.length > ${index}`, () => {
        const ok = gen.name('valid')
        cxt.subschema({ keyword: 'prefixItems', schemaProp: index, dataProp: index }, ok)
        gen.assign(valid, ok)
      })
    }
    cxt.ok(valid)
  },
}

/** `contains` with `minContains` and `maxContains`; it stops at the item that decides. */
export const containsKeyword: Keyword = {
  keyword: 'contains',
  type: 'array',
  schemaType: ['object', 'boolean'],
  trackErrors: true,
  code(cxt) {
    const { gen, schema, parentSchema, data } = cxt
    const min = Number(parentSchema['minContains'] ?? 1)
    const max = Number(parentSchema['maxContains'] ?? Number.POSITIVE_INFINITY)
    const count = gen.let('count', 0)
    if (schema === true) gen.assign(count, _`${data}.length`)
    else if (schema !== false) countFitting(cxt, count, Number.isFinite(max) ? max + 1 : min)
    const isBelow = Number.isFinite(max) ? _` && ${count} <= ${max}` : nil
    cxt.pass(_`${count} >= ${min}${isBelow}`)
  },
}

function countFitting(cxt: KeywordCxt, count: Name, enough: number): void {
  const { gen, data } = cxt
  gen.forRange('i', 0, _`${data}.length`, (index) => {
    gen.if(_`${count} >= ${enough}`, () => gen.break())
    const valid = gen.name('valid')
    cxt.subschema(
      {
        keyword: 'contains',
        dataProp: index,
        dataPropType: Type.Num,
        compositeRule: true,
        createErrors: false,
      },
      valid,
    )
    cxt.reset()
    gen.if(valid, () => gen.code(_`${count}++`))
  })
}

/** `unevaluatedItems`. */
export const unevaluatedItemsKeyword: Keyword = {
  keyword: 'unevaluatedItems',
  type: 'array',
  schemaType: ['boolean', 'object'],
  error: { message: '', params: ({ params }) => _`{limit: ${params['limit']}}` },
  code(cxt) {
    const { gen, it, data } = cxt
    const { items = 0 } = it
    it.items = true
    if (items === true || alwaysValidSchema(it, cxt.schema)) return
    // A function that evaluated no items leaves `undefined`.
    const from = items instanceof Name ? gen.const('from', _`${items} || 0`) : items
    const isOpen = from instanceof Name ? _`${from} !== true && ` : nil
    if (cxt.schema === false) {
      cxt.setParams({ limit: from })
      cxt.fail(_`${isOpen}${data}.length > ${from}`)
      return
    }
    const valid = gen.let('valid', true)
    gen.if(_`${isOpen}${data}.length > ${from}`, () => {
      gen.forRange('i', from, _`${data}.length`, (index) => {
        const ok = gen.name('valid')
        cxt.subschema({ keyword: 'unevaluatedItems', dataProp: index, dataPropType: Type.Num }, ok)
        gen.assign(valid, ok)
        gen.if(not(valid), () => gen.break())
      })
    })
    cxt.ok(valid)
  },
}
