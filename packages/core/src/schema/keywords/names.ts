// SPDX-License-Identifier: Apache-2.0
import { _, type Code, type KeywordCxt, Name, nil, type SchemaObjCxt } from 'ajv/dist/2020.js'
import { not, or } from 'ajv/dist/compile/codegen/index.js'
import { alwaysValidSchema, Type } from 'ajv/dist/compile/util.js'
import { listMembers } from '../members.ts'
import type { Meter } from '../meter.ts'
import type { PatternBook } from '../pattern-book.ts'
import { type CreateKeyword, useValue } from './define.ts'
import { openMembers } from './evaluated.ts'

/*
 * Keywords that go through the members of an object. They share one list of names per visit, which is
 * what the visit is charged for, and know no name that is special.
 */

/** Gives each schema one variable for the list of names, declared by the first keyword to ask. */
export function createNamesOf(meter: Meter): (cxt: KeywordCxt) => Name {
  const variables = new WeakMap<SchemaObjCxt, Name>()
  const list = (object: object): string[] => listMembers(object, meter)
  return (cxt) => {
    const known = variables.get(cxt.it)
    if (known !== undefined) return known
    const names = cxt.gen.const('names', _`${useValue(cxt, list)}(${cxt.data})`)
    variables.set(cxt.it, names)
    return names
  }
}

/** `propertyNames`. */
export const propertyNamesKeyword: CreateKeyword = ({ namesOf }) => ({
  keyword: 'propertyNames',
  type: 'object',
  schemaType: ['object', 'boolean'],
  code(cxt) {
    const { gen } = cxt
    if (alwaysValidSchema(cxt.it, cxt.schema)) return
    const valid = gen.let('valid', true)
    gen.forOf('key', namesOf(cxt), (key) => {
      const ok = gen.name('valid')
      cxt.subschema(
        { keyword: 'propertyNames', data: key, dataTypes: ['string'], propertyName: key },
        ok,
      )
      gen.assign(valid, ok)
      gen.if(not(valid), () => gen.break())
    })
    cxt.ok(valid)
  },
})

/** `patternProperties`. */
export const patternPropertiesKeyword: CreateKeyword = ({ namesOf, patterns }) => ({
  keyword: 'patternProperties',
  type: 'object',
  schemaType: 'object',
  code(cxt) {
    const { gen, it } = cxt
    const schemas: Readonly<Record<string, boolean | object>> = cxt.schema
    openMembers(cxt)
    const names = namesOf(cxt)
    const { props } = it
    const valid = gen.let('valid', true)
    for (const [pattern, schema] of Object.entries(schemas)) {
      const isFree = alwaysValidSchema(it, schema) === true
      if (isFree && it.opts.unevaluated !== true) continue
      const matcher = useValue(cxt, patterns.matcher(pattern))
      gen.if(valid, () => {
        gen.forOf('key', names, (key) => {
          gen.if(_`${matcher}.test(${key})`, () => {
            if (props instanceof Name) {
              gen.if(_`${props} !== true`, () => gen.assign(_`${props}[${key}]`, true))
            }
            if (!isFree) applyToMember(cxt, { schemaProp: pattern }, key, valid)
          })
        })
      })
    }
    cxt.ok(valid)
  },
})

/** `additionalProperties`. */
export const additionalPropertiesKeyword: CreateKeyword = ({ namesOf, patterns }) => ({
  keyword: 'additionalProperties',
  type: 'object',
  schemaType: ['boolean', 'object'],
  error: { message: '', params: ({ params }) => _`{name: ${params['name']}}` },
  code(cxt) {
    const { gen, it } = cxt
    it.props = true
    if (alwaysValidSchema(it, cxt.schema)) return
    const valid = gen.let('valid', true)
    gen.forOf('key', namesOf(cxt), (key) => {
      const isDeclared = declares(cxt, key, patterns)
      const apply = (): void => applyToMember(cxt, {}, key, valid)
      if (isDeclared === nil) apply()
      else gen.if(not(isDeclared), apply)
    })
    cxt.ok(valid)
  },
})

function declares(cxt: KeywordCxt, key: Name, patterns: PatternBook): Code {
  const { properties, patternProperties } = cxt.parentSchema
  const names = Object.keys(properties ?? {})
  const isProperty = names.length === 0 ? nil : _`${useValue(cxt, new Set(names))}.has(${key})`
  const matches = Object.keys(patternProperties ?? {}).map(
    (pattern) => _`${useValue(cxt, patterns.matcher(pattern))}.test(${key})`,
  )
  const [first = nil] = matches
  return isProperty === nil && matches.length < 2 ? first : _`(${or(isProperty, ...matches)})`
}

/** `unevaluatedProperties`. */
export const unevaluatedPropertiesKeyword: CreateKeyword = ({ namesOf }) => ({
  keyword: 'unevaluatedProperties',
  type: 'object',
  schemaType: ['boolean', 'object'],
  error: { message: '', params: ({ params }) => _`{name: ${params['name']}}` },
  code(cxt) {
    const { gen, it } = cxt
    const { props } = it
    it.props = true
    if (props === true || alwaysValidSchema(it, cxt.schema)) return
    const names = namesOf(cxt)
    const valid = gen.let('valid', true)
    gen.if(props instanceof Name ? _`${props} !== true` : _`true`, () => {
      gen.forOf('key', names, (key) => {
        gen.if(not(isEvaluated(cxt, props, key)), () => applyToMember(cxt, {}, key, valid))
      })
    })
    cxt.ok(valid)
  },
})

function isEvaluated(
  cxt: KeywordCxt,
  props: Name | Readonly<Record<string, true | undefined>> | undefined,
  key: Name,
): Code {
  if (props instanceof Name) return _`(${props} !== undefined && Object.hasOwn(${props}, ${key}))`
  return _`${useValue(cxt, new Set(Object.keys(props ?? {})))}.has(${key})`
}

/** Judges one member inside a loop over names and leaves the loop when it fails. */
function applyToMember(
  cxt: KeywordCxt,
  which: { readonly schemaProp?: string },
  key: Name,
  valid: Name,
): void {
  const { gen, keyword } = cxt
  if (cxt.schema === false) {
    cxt.setParams({ name: key })
    cxt.error()
    gen.assign(valid, false)
  } else {
    const ok = gen.name('valid')
    cxt.subschema({ keyword, ...which, dataProp: key, dataPropType: Type.Str }, ok)
    gen.assign(valid, ok)
  }
  gen.if(not(valid), () => gen.break())
}
