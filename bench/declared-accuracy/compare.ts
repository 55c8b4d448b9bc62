// SPDX-License-Identifier: Apache-2.0
import { type Unit, unitKey } from './naming.ts'
import type { Passage, PlacedSite, Reach, Truth } from './truth.ts'

/** What a builder says of one call site; the names are those of `unitKey`. */
export interface Verdict {
  /** Whether the site is listed as one of which nothing, or not all, is known. */
  readonly isListed: boolean
  /** Why, where the builder says so. */
  readonly reason?: string
  /** Functions that are called here. */
  readonly calls: readonly string[]
  /** Functions that are called here, or by a built-in that is handed them here. */
  readonly mayCall?: readonly string[]
  /** Functions that are handed on here, to code that may call them elsewhere or later. */
  readonly passes: readonly string[]
}

/** What a builder declares, in the form that is compared. */
export interface Declared {
  /** Edges as `pairKey` names them. */
  readonly functionEdges: ReadonlySet<string>
  readonly moduleEdges: ReadonlySet<string>
  readonly verdictOf: (site: PlacedSite) => Verdict | undefined
  /** The same of the graph of modules, whose ids stand for what is called. */
  readonly moduleVerdictOf: (site: PlacedSite) => Verdict | undefined
}

/** A share of a whole. */
export interface Share {
  readonly part: number
  readonly whole: number
}

/** How one builder did on one subject. */
export interface Figures {
  readonly moduleRecall: Share
  readonly functionRecall: Share
  /** Edges that happened, are not declared, and only from sites that are listed. */
  readonly moduleCovered: Share
  readonly functionCovered: Share
  /** Calls that happened at a site which is not listed and whose edge is not declared. */
  readonly neither: readonly string[]
  /** The same of the graph of modules and its list. */
  readonly modulesNeither: readonly string[]
  /** Edges by way of a built-in or another package, declared or from a listed site. */
  readonly throughOthers: Share
  /** Of those, the edges that are neither. */
  readonly lostOthers: readonly string[]
  /** Edges that happened and are not declared, from sites that are listed. */
  readonly listedEdges: readonly string[]
  readonly listedSites: readonly string[]
  /** Edges without a call expression, declared all the same. */
  readonly implicit: Share
  /** Sites that ran and are listed. */
  readonly width: Share
  readonly functions: Precision
  readonly modules: Precision
}

/** How true the edges of a graph are. */
export interface Precision {
  /** Declared edges whose site ran and never led there, of all declared whose site ran. */
  readonly falseEdges: readonly string[]
  /** Of the false edges those whose site led to another function that is declared there. */
  readonly unusedBranches: number
  readonly judgedEdges: number
  /** Declared edges by handing a function on, which nothing called from there: no calls to judge. */
  readonly handedOn: number
}

export const pairKey = (from: string, to: string): string => `${from} -> ${to}`

const placeOf = ({ module, line, column }: PlacedSite): string => `${module}:${line}:${column + 1}`

export function compare(truth: Truth, declared: Declared): Figures {
  const calls = truth.passages.filter(({ reach }) => reach === 'call')
  const modules = edgesOf(truth, ['call'], ({ module }) => module)
  const functions = edgesOf(truth, ['call'], unitKey)
  const listed = truth.sites.filter((site) => declared.verdictOf(site)?.isListed === true)
  const others = edgesOf(truth, ['platform', 'foreign'], unitKey)
  const implicit = edgesOf(truth, ['implicit'], unitKey)
  return {
    moduleRecall: recall(modules, declared.moduleEdges),
    functionRecall: recall(functions, declared.functionEdges),
    moduleCovered: covered(modules, declared.moduleEdges, declared.moduleVerdictOf),
    functionCovered: covered(functions, declared.functionEdges, declared.verdictOf),
    neither: calls.flatMap((passage) => missed(passage, declared)),
    modulesNeither: calls.flatMap((passage) => missedModule(passage, declared)),
    throughOthers: accounted(others, declared),
    lostOthers: [...others].filter((one) => !isHeld(one, declared)).map(describeEdge),
    listedEdges: [...functions]
      .filter(([key]) => !declared.functionEdges.has(key))
      .map(describeEdge),
    listedSites: listed.map(
      (site) => `${placeOf(site)} ${site.form}: ${declared.verdictOf(site)?.reason ?? ''}`,
    ),
    implicit: recall(implicit, declared.functionEdges),
    width: { part: listed.length, whole: truth.sites.length },
    functions: precision(truth, declared.verdictOf, (key) => key),
    modules: precision(truth, declared.moduleVerdictOf, moduleOfKey),
  }
}

type Edges = ReadonlyMap<string, readonly Passage[]>

/** The edges between different ends that were taken in these ways, each with its passages. */
export function edgesOf(
  { passages }: Truth,
  reaches: readonly Reach[],
  nameOf: (unit: Unit) => string,
): Edges {
  const edges = new Map<string, Passage[]>()
  for (const passage of passages) {
    if (!reaches.includes(passage.reach)) continue
    const [from, to] = [nameOf(passage.from), nameOf(passage.to)]
    if (from === to) continue
    const key = pairKey(from, to)
    const known = edges.get(key)
    if (known === undefined) edges.set(key, [passage])
    else known.push(passage)
  }
  return edges
}

function recall(edges: Edges, known: ReadonlySet<string>): Share {
  return { part: [...edges.keys()].filter((key) => known.has(key)).length, whole: edges.size }
}

const isListed = ({ site }: Passage, verdictOf: Declared['verdictOf']): boolean =>
  site !== undefined && verdictOf(site)?.isListed === true

function covered(
  edges: Edges,
  known: ReadonlySet<string>,
  verdictOf: Declared['verdictOf'],
): Share {
  const open = [...edges].filter(([key]) => !known.has(key))
  const held = open.filter(([, passages]) => passages.every((one) => isListed(one, verdictOf)))
  return { part: held.length, whole: edges.size }
}

function accounted(edges: Edges, declared: Declared): Share {
  return { part: [...edges].filter((one) => isHeld(one, declared)).length, whole: edges.size }
}

type EdgeTaken = readonly [key: string, passages: readonly Passage[]]

function isHeld([key, passages]: EdgeTaken, declared: Declared): boolean {
  const { functionEdges, verdictOf } = declared
  return functionEdges.has(key) || passages.every((one) => isListed(one, verdictOf))
}

function describeEdge([key, passages]: EdgeTaken): string {
  const site = passages[0]?.site
  return site === undefined ? key : `${placeOf(site)} ${site.form}: ${key}`
}

function missed(passage: Passage, declared: Declared): readonly string[] {
  const { from, to, site } = passage
  const key = pairKey(unitKey(from), unitKey(to))
  const { functionEdges, verdictOf } = declared
  if (site === undefined || functionEdges.has(key) || isListed(passage, verdictOf)) return []
  return [`${placeOf(site)} ${site.form}: ${key}`]
}

function missedModule(passage: Passage, declared: Declared): readonly string[] {
  const { from, to, site } = passage
  const key = pairKey(from.module, to.module)
  const { moduleEdges, moduleVerdictOf } = declared
  if (site === undefined || from.module === to.module || moduleEdges.has(key)) return []
  return isListed(passage, moduleVerdictOf) ? [] : [`${placeOf(site)} ${site.form}: ${key}`]
}

/**
 * Judges each declared edge by those of its sites that ran: one that led there upholds it. What a
 * built-in was handed it may call later, from no call site: then code outside has to have entered it,
 * unless nothing did, or it is written where it is handed on. To hand a function on is no call, so
 * such edges are counted for themselves.
 */
function precision(
  truth: Truth,
  verdictOf: Declared['verdictOf'],
  nameOfKey: (key: string) => string,
): Precision {
  const nameOf = (unit: Unit): string => nameOfKey(unitKey(unit))
  const led = new Set<string>()
  for (const { site, to } of truth.passages) {
    if (site !== undefined) led.add(ledKey(site, nameOf(to)))
  }
  const handed = new Set(Array.from(truth.handed, nameOfKey))
  const units = new Set(Array.from(truth.units, nameOfKey))
  const judged = new Map<string, Judgement>()
  const note = (
    site: PlacedSite,
    to: string,
    verdict: Judgement['verdict'],
    calls: readonly string[] = [],
  ): void => {
    const key = pairKey(nameOf(site.unit), to)
    const known = judged.get(key)?.verdict
    if (known === 'held' || (known === 'false' && verdict === 'handed')) return
    const others = calls.filter((one) => led.has(ledKey(site, one))).length
    const also = others > 0 ? ` (it led to ${others} of ${calls.length} that are declared)` : ''
    const where = `${placeOf(site)} ${site.form}: ${key}${also}`
    judged.set(key, { verdict, where, isBranch: others > 0 })
  }
  for (const site of truth.sites) {
    const { calls = [], mayCall = [], passes = [] } = verdictOf(site) ?? {}
    for (const to of calls) note(site, to, led.has(ledKey(site, to)) ? 'held' : 'false', calls)
    for (const to of mayCall) {
      const isHeld = led.has(ledKey(site, to)) || handed.has(to)
      const isOpen = to === nameOf(site.unit) || !units.has(to)
      note(site, to, isHeld ? 'held' : isOpen ? 'handed' : 'false')
    }
    for (const to of passes) note(site, to, led.has(ledKey(site, to)) ? 'held' : 'handed')
  }
  const of = (verdict: Judgement['verdict']): readonly Judgement[] =>
    [...judged.values()].filter((one) => one.verdict === verdict)
  const [falseEdges, handedOn] = [of('false'), of('handed')]
  return {
    falseEdges: falseEdges.map(({ where }) => where),
    unusedBranches: falseEdges.filter(({ isBranch }) => isBranch).length,
    judgedEdges: judged.size - handedOn.length,
    handedOn: handedOn.length,
  }
}

const moduleOfKey = (key: string): string => key.slice(0, key.indexOf('#'))

interface Judgement {
  readonly verdict: 'held' | 'handed' | 'false'
  readonly where: string
  readonly isBranch: boolean
}

const ledKey = ({ module, index }: PlacedSite, to: string): string => `${module} ${index} ${to}`
