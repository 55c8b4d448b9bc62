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
export function openMembers(cxt: KeywordCxt): void {
  const { gen, it } = cxt
  if (it.opts.unevaluated !== true || it.props === true) return
  if (it.props instanceof Name) return ownMembers(cxt)
  const props = gen.var('props', _`Object.create(null)`)
  if (it.props !== undefined) setEvaluated(gen, props, it.props)
  OWN.add(props)
  it.props = props
}

/** Variables that hold an object of their own. */
const OWN = new WeakSet<Name>()

/**
 * What a reference evaluated stands in a variable that may hold nothing, or the very object that
 * another schema keeps: it is copied before anything is added to it.
 */
function ownMembers({ gen, it }: KeywordCxt): void {
  const { props } = it
  if (!(props instanceof Name) || OWN.has(props)) return
  const own = gen.var('props', _`${props} === true || Object.assign(Object.create(null), ${props})`)
  OWN.add(own)
  it.props = own
}

/** Adds what a subschema evaluated, on the condition that the value is valid under it. */
export function mergeWhenValid(cxt: KeywordCxt, subschema: SchemaCxt, valid: Name): void {
  if (cxt.it.opts.unevaluated !== true) return
  cxt.gen.if(valid, () => cxt.mergeEvaluated(subschema))
}

/** Adds members that a schema evaluates whatever happens, by name. */
export function evaluateNames(cxt: KeywordCxt, names: readonly string[]): void {
  const { gen, it } = cxt
  if (it.opts.unevaluated !== true || names.length === 0 || it.props === true) return
  ownMembers(cxt)
  const evaluated = Object.fromEntries(names.map((name) => [name, true as const]))
  it.props = mergeEvaluated.props(gen, evaluated, it.props)
}

/** Adds items that a schema evaluates whatever happens: so many from the start. */
export function evaluateFirst({ gen, it }: KeywordCxt, count: number): void {
  if (it.opts.unevaluated !== true || it.items === true) return
  it.items = mergeEvaluated.items(gen, count, it.items)
}
