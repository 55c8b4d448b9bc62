// SPDX-License-Identifier: Apache-2.0
import { parseSync } from 'oxc-parser'
import {
  countSites,
  type ModuleFacts,
  siteAt,
} from '../../packages/connectome/src/declared/facts/module-facts.ts'
import { readModule } from '../../packages/connectome/src/declared/facts/read-module.ts'

/** A function as graphs name it: what is nested in it counts as its own. */
export interface Unit {
  readonly module: string
  readonly name: string
  /** The function's `length`. */
  readonly arity: number
}

/** A stretch of a source, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Which of a module's functions, as graphs name them, holds a place of its source. */
export interface Units {
  readonly all: readonly Unit[]
  readonly ofFunction: (span: Span) => Unit
  readonly ofSite: (span: Span) => Unit
  readonly at: (offset: number) => Unit
}

export const unitKey = ({ module, name, arity }: Unit): string => `${module}#${name}/${arity}`

/**
 * The names are the builder's own, or nothing could be compared; that the right function bears each is
 * for the tests of both to show.
 */
export function describeUnits(
  file: string,
  module: string,
  text: string,
  isModule: boolean,
): Units {
  const sourceType = isModule ? 'module' : 'commonjs'
  const { program } = parseSync(file, text, { sourceType, preserveParens: false })
  const facts = readModule(text, { program, isModule })
  if ('reason' in facts) throw new SyntaxError(`${module} has no facts: ${facts.reason}`)
  const all = facts.units.map(({ name, arity }) => ({ module, name, arity }))
  const unitOf = (place: number | undefined): Unit => {
    const unit = all[place ?? 0]
    if (unit === undefined) throw new RangeError(`${module} has no unit ${place}`)
    return unit
  }
  const at = (offset: number): Unit => unitOf(innermost(facts, offset))
  const functions = new Map(facts.functions.map(({ start, unit }) => [start, unit]))
  const sites = new Map(sitesOf(facts).map(({ start, end, unit }) => [`${start} ${end}`, unit]))
  return {
    all,
    at,
    ofFunction: ({ start }) => unitOf(functions.get(start) ?? innermost(facts, start)),
    ofSite: ({ start, end }) => unitOf(sites.get(`${start} ${end}`) ?? innermost(facts, start)),
  }
}

const sitesOf = ({ sites }: ModuleFacts) =>
  Array.from({ length: countSites(sites) }, (_, place) => siteAt(sites, place))

/** The unit of the innermost function around an offset. */
function innermost({ functions }: ModuleFacts, offset: number): number | undefined {
  let found: ModuleFacts['functions'][number] | undefined
  for (const each of functions) {
    if (offset < each.start || offset >= each.end) continue
    if (found === undefined || each.start >= found.start) found = each
  }
  return found?.unit
}
