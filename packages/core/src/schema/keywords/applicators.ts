// SPDX-License-Identifier: Apache-2.0
import { _, type KeywordCxt, type Name } from 'ajv/dist/2020.js'
import { not } from 'ajv/dist/compile/codegen/index.js'
import { alwaysValidSchema } from 'ajv/dist/compile/util.js'
import type { Keyword } from './define.ts'
import { evaluateNames, mergeWhenValid, openEvaluated } from './evaluated.ts'

/*
 * These keywords mean what Ajv's own mean. They differ in the code they generate: one block after the
 * other, where Ajv nests each in the one before and overflows the parser past a thousand or so; no error
 * objects for branches that may fail; and what branches evaluated is gathered correctly inside loops.
 */

/** Runs one subschema of a list without keeping the errors of its failure. */
function tryBranch(cxt: KeywordCxt, index: number): Name {
  const valid = cxt.gen.name('valid')
  const branch = cxt.subschema(
    { keyword: cxt.keyword, schemaProp: index, compositeRule: true, createErrors: false },
    valid,
  )
  cxt.reset()
  mergeWhenValid(cxt, branch, valid)
  return valid
}

function branchesOf(cxt: KeywordCxt): readonly unknown[] {
  const list: unknown = cxt.schema
  return Array.isArray(list) ? list : []
}

/** `anyOf`. */
export const anyOfKeyword: Keyword = {
  keyword: 'anyOf',
  schemaType: 'array',
  trackErrors: true,
  code(cxt) {
    const { gen, it } = cxt
    openEvaluated(cxt)
    const valid = gen.let('valid', false)
    for (const index of branchesOf(cxt).keys()) {
      const attempt = (): void => {
        const ok = tryBranch(cxt, index)
        gen.assign(valid, _`${ok} || ${valid}`)
      }
      // What later branches evaluate counts too, where something asks for it.
      if (it.opts.unevaluated === true) attempt()
      else gen.if(not(valid), attempt)
    }
    cxt.pass(valid)
  },
}

/** `oneOf`. */
export const oneOfKeyword: Keyword = {
  keyword: 'oneOf',
  schemaType: 'array',
  trackErrors: true,
  error: { message: '', params: ({ params }) => _`{passing: ${params['passing']}}` },
  code(cxt) {
    const { gen } = cxt
    openEvaluated(cxt)
    const passing = gen.let('passing', 0)
    for (const index of branchesOf(cxt).keys()) {
      gen.if(_`${passing} < 2`, () => {
        gen.if(tryBranch(cxt, index), () => gen.code(_`${passing}++`))
      })
    }
    cxt.setParams({ passing })
    cxt.pass(_`${passing} === 1`)
  },
}

/** `allOf`. */
export const allOfKeyword: Keyword = {
  keyword: 'allOf',
  schemaType: 'array',
  code(cxt) {
    const { gen } = cxt
    openEvaluated(cxt)
    const valid = gen.let('valid', true)
    for (const index of branchesOf(cxt).keys()) {
      gen.if(valid, () => {
        const ok = gen.name('valid')
        const branch = cxt.subschema({ keyword: 'allOf', schemaProp: index }, ok)
        gen.assign(valid, ok)
        mergeWhenValid(cxt, branch, ok)
      })
    }
    cxt.ok(valid)
  },
}

/** `if` with its `then` and `else`. */
export const ifKeyword: Keyword = {
  keyword: 'if',
  schemaType: ['object', 'boolean'],
  trackErrors: true,
  code(cxt) {
    const { gen, parentSchema } = cxt
    openEvaluated(cxt)
    const condition = gen.name('valid')
    const tested = cxt.subschema(
      { keyword: 'if', compositeRule: true, createErrors: false },
      condition,
    )
    cxt.reset()
    mergeWhenValid(cxt, tested, condition)
    const valid = gen.let('valid', true)
    const apply = (keyword: string) => (): void => {
      const ok = gen.name('valid')
      const branch = cxt.subschema({ keyword }, ok)
      gen.assign(valid, ok)
      mergeWhenValid(cxt, branch, ok)
    }
    if (parentSchema['then'] !== undefined) gen.if(condition, apply('then'))
    if (parentSchema['else'] !== undefined) gen.if(not(condition), apply('else'))
    cxt.ok(valid)
  },
}

/** `properties`, for every name there is. */
export const propertiesKeyword: Keyword = {
  keyword: 'properties',
  type: 'object',
  schemaType: 'object',
  code(cxt) {
    const { gen, it, data } = cxt
    const schemas: Readonly<Record<string, boolean | object>> = cxt.schema
    evaluateNames(cxt, Object.keys(schemas))
    const valid = gen.let('valid', true)
    for (const [name, schema] of Object.entries(schemas)) {
      if (alwaysValidSchema(it, schema)) continue
      gen.if(
        _`${valid} && ${data}[${name}] !== undefined && Object.hasOwn(${data}, ${name})`,
        () => {
          const ok = gen.name('valid')
          cxt.subschema({ keyword: 'properties', schemaProp: name, dataProp: name }, ok)
          gen.assign(valid, ok)
        },
      )
    }
    cxt.ok(valid)
  },
}
