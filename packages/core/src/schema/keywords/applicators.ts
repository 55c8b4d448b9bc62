// SPDX-License-Identifier: Apache-2.0
import { _, type KeywordCxt, type Name } from 'ajv/dist/2020.js'
import { not } from 'ajv/dist/compile/codegen/index.js'
import { createFollow } from '../follow.ts'
import { isArray, type Json } from '../json.ts'
import { findTags } from '../tags.ts'
import type { Keyword } from './define.ts'
import { mergeWhenValid, openEvaluated } from './evaluated.ts'

/*
 * These keywords mean what Ajv's own mean. They differ in the code they generate: one block after the
 * other, where Ajv nests each in the one before and overflows the parser past a thousand or so; no error
 * objects for branches that may fail; and what branches evaluated is gathered correctly inside loops.
 */

function branchesOf(cxt: KeywordCxt): readonly Json[] {
  const list: Json = cxt.schema
  return isArray(list) ? list : []
}

/** Runs a subschema that has to hold, on the value itself. */
export function demand(
  cxt: KeywordCxt,
  branch: { keyword: string; schemaProp?: number | string },
  valid: Name,
): void {
  const { gen } = cxt
  const ok = gen.name('valid')
  const applied = cxt.subschema(branch, ok)
  gen.assign(valid, ok)
  mergeWhenValid(cxt, applied, ok)
}

/** Runs a subschema that may fail, without keeping its errors. */
function attempt(cxt: KeywordCxt, branch: { keyword: string; schemaProp?: number | string }): Name {
  const valid = cxt.gen.name('valid')
  const applied = cxt.subschema({ ...branch, compositeRule: true, createErrors: false }, valid)
  cxt.reset()
  mergeWhenValid(cxt, applied, valid)
  return valid
}

/**
 * Alternatives that one member tells apart need no trying: the member picks the branch, and what the
 * branch finds wrong is what is wrong.
 *
 * @returns whether the branches are such alternatives, and have been dealt with
 */
function pickByTag(cxt: KeywordCxt): boolean {
  const { gen, data, it, keyword } = cxt
  const tags = findTags(branchesOf(cxt), createFollow(it.schemaEnv.root.schema))
  if (tags === undefined) return false
  const valid = gen.let('valid', false)
  const isTagged = gen.let('isTagged', false)
  gen.if(
    _`typeof ${data} === "object" && ${data} !== null && Object.hasOwn(${data}, ${tags.name})`,
    () => {
      for (const [index, value] of tags.values.entries()) {
        gen.if(_`${data}[${tags.name}] === ${value}`, () => {
          gen.assign(isTagged, true)
          demand(cxt, { keyword, schemaProp: index }, valid)
        })
      }
    },
  )
  gen.if(not(isTagged), () => cxt.error())
  cxt.ok(valid)
  return true
}

/** `anyOf`. */
export const anyOfKeyword: Keyword = {
  keyword: 'anyOf',
  schemaType: 'array',
  trackErrors: true,
  code(cxt) {
    const { gen, it, keyword } = cxt
    openEvaluated(cxt)
    if (pickByTag(cxt)) return
    const valid = gen.let('valid', false)
    for (const index of branchesOf(cxt).keys()) {
      const run = (): void => {
        const ok = attempt(cxt, { keyword, schemaProp: index })
        gen.assign(valid, _`${ok} || ${valid}`)
      }
      // What later branches evaluate counts too, where something asks for it.
      if (it.opts.unevaluated === true) run()
      else gen.if(not(valid), run)
    }
    cxt.pass(valid)
  },
}

/** `oneOf`. */
export const oneOfKeyword: Keyword = {
  keyword: 'oneOf',
  schemaType: 'array',
  trackErrors: true,
  error: { message: '', params: ({ params }) => _`{passing: ${params['passing'] ?? 0}}` },
  code(cxt) {
    const { gen, keyword } = cxt
    openEvaluated(cxt)
    if (pickByTag(cxt)) return
    const passing = gen.let('passing', 0)
    for (const index of branchesOf(cxt).keys()) {
      gen.if(_`${passing} < 2`, () => {
        gen.if(attempt(cxt, { keyword, schemaProp: index }), () => gen.code(_`${passing}++`))
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
    const { gen, keyword } = cxt
    openEvaluated(cxt)
    const valid = gen.let('valid', true)
    for (const index of branchesOf(cxt).keys()) {
      gen.if(valid, () => demand(cxt, { keyword, schemaProp: index }, valid))
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
    const condition = attempt(cxt, { keyword: 'if' })
    const valid = gen.let('valid', true)
    const apply = (keyword: string) => (): void => demand(cxt, { keyword }, valid)
    if (parentSchema['then'] !== undefined) gen.if(condition, apply('then'))
    if (parentSchema['else'] !== undefined) gen.if(not(condition), apply('else'))
    cxt.ok(valid)
  },
}
