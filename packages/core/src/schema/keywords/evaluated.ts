// SPDX-License-Identifier: Apache-2.0
import { _, type KeywordCxt, Name, type SchemaCxt } from 'ajv/dist/2020.js'
import { mergeEvaluated, setEvaluated } from 'ajv/dist/compile/util.js'

/**
 * Declares the variables that gather what a schema evaluates, before any branch that may add to them:
 * they then exist whichever branches run, and start afresh for each item of a loop. Not for keywords
 * of one type: the code of those is skipped for values of another.
 */
export function openEvaluated(cxt: KeywordCxt): void {
  openMembers(cxt)
  const { gen, it } = cxt
  if (it.opts.unevaluated !== true || it.items === true || it.items instanceof Name) return
  it.items = gen.var('items', it.items ?? 0)
}

/**
 * Declares the variable that gathers members alone. It has no prototype, so that a member called
 * `__proto__` can be noted in it.
 */
export function openMembers({ gen, it }: KeywordCxt): void {
  if (it.opts.unevaluated !== true || it.props === true || it.props instanceof Name) return
  const props = gen.var('props', _`Object.create(null)`)
  if (it.props !== undefined) setEvaluated(gen, props, it.props)
  it.props = props
}

/** Adds what a subschema evaluated, on the condition that the value is valid under it. */
export function mergeWhenValid(cxt: KeywordCxt, subschema: SchemaCxt, valid: Name): void {
  if (cxt.it.opts.unevaluated !== true) return
  cxt.gen.if(valid, () => cxt.mergeEvaluated(subschema))
}

/** Adds members that a schema evaluates whatever happens, by name. */
export function evaluateNames({ gen, it }: KeywordCxt, names: readonly string[]): void {
  if (it.opts.unevaluated !== true || names.length === 0 || it.props === true) return
  const evaluated = Object.fromEntries(names.map((name) => [name, true as const]))
  it.props = mergeEvaluated.props(gen, evaluated, it.props)
}

/** Adds items that a schema evaluates whatever happens: so many from the start. */
export function evaluateFirst({ gen, it }: KeywordCxt, count: number): void {
  if (it.opts.unevaluated !== true || it.items === true) return
  it.items = mergeEvaluated.items(gen, count, it.items)
}
