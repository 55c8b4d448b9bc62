// SPDX-License-Identifier: Apache-2.0
import { isPlainObject, unknownKey } from '../graph/plain-object.ts'
import { codeOf, EDGE_KINDS, type EdgeKind } from '../graph/vocabulary.ts'
import { refuseReach, type Subject } from './subject.ts'

/** What every question takes. */
export interface ReachOptions {
  /** The kinds of edge that are followed, at least one. @default all four */
  readonly kinds?: readonly EdgeKind[]
  /** The most edges a graph may have, all kinds counted; a positive integer or `Infinity`. @default 1_000_000 */
  readonly maxEdges?: number
}

/** What the two questions about paths take. */
export interface PathOptions extends ReachOptions {
  /** The most edges a path may have; a positive integer or `Infinity`. @default Infinity */
  readonly maxHops?: number
}

/** What the two questions about dominance take. */
export interface DominanceOptions extends ReachOptions {
  /** Ids of the nodes every path starts from, at least one. @default the nodes of kind `server` */
  readonly entries?: readonly string[]
}

/** Options that were checked. Bit `k` of the mask admits the kind of code `k`. */
export interface Limits {
  readonly mask: number
  readonly maxHops: number
}

const DEFAULT_MAX_EDGES = 1_000_000
const ALL_KINDS = (1 << EDGE_KINDS.length) - 1

/** @throws ConnectomeError in the order of docs/connectome-reach.md, "Refusals" */
export function readPathOptions(options: unknown, subject: Subject): Limits {
  const fields = readFields(options, ['kinds', 'maxHops', 'maxEdges'])
  return readLimits(fields, subject)
}

/** @throws ConnectomeError in the order of docs/connectome-reach.md, "Refusals" */
export function readDominanceOptions(
  options: unknown,
  subject: Subject,
): Limits & { readonly entries: readonly unknown[] } {
  const fields = readFields(options, ['kinds', 'entries', 'maxEdges'])
  const entries = readEntries(fields['entries'], subject)
  return { ...readLimits(fields, subject), entries }
}

type Fields = Readonly<Record<string, unknown>>

function readFields(options: unknown, names: readonly string[]): Fields {
  if (options === undefined) return {}
  if (!isPlainObject(options)) throw refuseReach('invalid', 'options', options)
  const unknown = unknownKey(options, names)
  if (unknown !== undefined) throw refuseReach('unknown_option', unknown)
  return options
}

function readEntries(given: unknown, subject: Subject): readonly unknown[] {
  const entries: unknown = given === undefined ? subject.servers() : given
  if (!Array.isArray(entries) || entries.length === 0) {
    throw refuseReach('invalid', 'entries', entries)
  }
  // Not `map`, which would leave out a hole.
  return Array.from(entries, (id: unknown) => {
    if (subject.hasNode(id)) return id
    throw refuseReach('unknown_node', id)
  })
}

function readLimits(fields: Fields, subject: Subject): Limits {
  const mask = readKinds(fields['kinds'])
  const maxHops = readCount('max_hops', fields['maxHops'], Number.POSITIVE_INFINITY)
  const maxEdges = readCount('max_edges', fields['maxEdges'], DEFAULT_MAX_EDGES)
  if (subject.size > maxEdges) throw refuseReach('cap', 'max_edges', maxEdges)
  return { mask, maxHops }
}

function readKinds(kinds: unknown): number {
  if (kinds === undefined) return ALL_KINDS
  if (!Array.isArray(kinds) || kinds.length === 0) throw refuseReach('invalid', 'kinds', kinds)
  let mask = 0
  for (const kind of kinds) {
    const code = codeOf(EDGE_KINDS, kind)
    if (code < 0) throw refuseReach('invalid', 'kinds', kinds)
    mask |= 1 << code
  }
  return mask
}

function readCount(name: string, value: unknown, otherwise: number): number {
  if (value === undefined) return otherwise
  const isCount =
    typeof value === 'number' && value > 0 && (Number.isSafeInteger(value) || value === Infinity)
  if (!isCount) throw refuseReach('invalid', name, value)
  return value
}
