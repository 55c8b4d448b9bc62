// SPDX-License-Identifier: Apache-2.0
import { _, type Code, type KeywordCxt, Name, nil } from 'ajv/dist/2020.js'
import { not } from 'ajv/dist/compile/codegen/index.js'
import { alwaysValidSchema, Type } from 'ajv/dist/compile/util.js'
import { type Keyword, useValue } from './define.ts'
import { evaluateFirst } from './evaluated.ts'

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

/** `unevaluatedProperties`; inherited names such as `toString` count as any other. */
export const unevaluatedPropertiesKeyword: Keyword = {
  keyword: 'unevaluatedProperties',
  type: 'object',
  schemaType: ['boolean', 'object'],
  error: { message: '', params: ({ params }) => _`{unevaluatedProperty: ${params['name']}}` },
  code(cxt) {
    const { gen, it, data } = cxt
    const { props } = it
    it.props = true
    if (props === true || alwaysValidSchema(it, cxt.schema)) return
    const valid = gen.let('valid', true)
    gen.if(props instanceof Name ? _`${props} !== true` : _`true`, () => {
      gen.forIn('key', data, (key) => {
        gen.if(not(isEvaluated(cxt, props, key)), () => applyToMember(cxt, key, valid))
      })
    })
    cxt.ok(valid)
  },
}

function isEvaluated(
  cxt: KeywordCxt,
  props: Name | Readonly<Record<string, true | undefined>> | undefined,
  key: Name,
): Code {
  if (props instanceof Name) return _`(${props} !== undefined && Object.hasOwn(${props}, ${key}))`
  return _`${useValue(cxt, new Set(Object.keys(props ?? {})))}.has(${key})`
}

function applyToMember(cxt: KeywordCxt, key: Name, valid: Name): void {
  const { gen } = cxt
  if (cxt.schema === false) {
    cxt.setParams({ name: key })
    cxt.error()
    gen.assign(valid, false)
  } else {
    const ok = gen.name('valid')
    cxt.subschema({ keyword: 'unevaluatedProperties', dataProp: key, dataPropType: Type.Str }, ok)
    gen.assign(valid, ok)
  }
  gen.if(not(valid), () => gen.break())
}

/** `unevaluatedItems`. */
export const unevaluatedItemsKeyword: Keyword = {
  keyword: 'unevaluatedItems',
  type: 'array',
  schemaType: ['boolean', 'object'],
  error: { message: '', params: ({ params }) => _`{limit: ${params['limit']}}` },
  code(cxt) {
    const { gen, it, data } = cxt
    const from = it.items ?? 0
    it.items = true
    if (from === true || alwaysValidSchema(it, cxt.schema)) return
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
