// SPDX-License-Identifier: Apache-2.0
import { valueText } from '../canonical/value-text.ts'
import type { Graph, GraphInput } from '../graph/graph.ts'
import { copyLabels, type Labels } from '../graph/labels.ts'
import { isPlainObject } from '../graph/plain-object.ts'
import { at } from '../graph/sort-edges.ts'
import { EDGE_KINDS, SIGNS } from '../graph/vocabulary.ts'
import {
  type ChangedSign,
  type CompactRecord,
  type DiffClasses,
  type DiffCoverage,
  type DiffLabel,
  type DiffRecord,
  keepRecord,
} from './record.ts'
import { joinIds, labelsOf, readSide, refuseDiff, type SideLabels } from './side.ts'

export interface DiffOptions {
  /** What the host says of the time observed: a plain object of label values, possibly empty. */
  readonly window: Labels
}

/**
 * What differs between what a system can do and what it did: set difference over (from, to, kind),
 * each label in exactly one of four classes, and ten counts. Linear in the two graphs.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_DIFF` with, in this order: `['invalid', 'opts', given]` (or
 * the unknown keys), `['declared', reason]`, `['observed', reason]`, `['missing', 'window']`,
 * `['uncanonical', ['label_value', 'record', 'window', window]]`
 * @see docs/connectome-diff.md
 */
export function diff(
  declared: Graph | GraphInput,
  observed: Graph | GraphInput,
  options: DiffOptions,
): DiffRecord {
  const given = readOptions(options)
  const declaredForm = readSide('declared', declared)
  const observedForm = readSide('observed', observed)
  const window = readWindow(given)
  const joint = joinIds(declaredForm, observedForm)
  const left = labelsOf(declaredForm, joint)
  const right = labelsOf(observedForm, joint)
  const { compact, signs } = merge(left, right, joint.ids)
  const coverage = cover(compact, signs)
  return keepRecord(Object.freeze({ classes: classesOf(compact), coverage, window }), compact)
}

function readOptions(options: unknown): unknown {
  if (options === undefined) return undefined
  if (!isPlainObject(options)) throw refuseDiff('invalid', 'opts', options)
  const unknown = Object.keys(options).filter((key) => key !== 'window')
  if (unknown.length > 0) throw refuseDiff('invalid', 'opts', unknown)
  return options['window']
}

function readWindow(window: unknown): Labels {
  if (window === undefined) throw refuseDiff('missing', 'window')
  const isWritable = isPlainObject(window) && valueText(window) !== undefined
  if (isWritable) return copyLabels(window)
  throw refuseDiff('uncanonical', ['label_value', 'record', 'window', window])
}

type SignCounts = Pick<DiffCoverage, 'declared_sign_only' | 'observed_sign_only'>

interface Merged {
  readonly compact: CompactRecord
  readonly signs: SignCounts
}

/** One walk over two sorted lists. */
function merge(left: SideLabels, right: SideLabels, ids: readonly string[]): Merged {
  const signs = { declared_sign_only: 0, observed_sign_only: 0 }
  const shared = Math.min(left.size, right.size)
  const changed = { declared: createPlaces(shared), observed: createPlaces(shared) }
  const both = createPlaces(shared)
  const dead = createPlaces(left.size)
  const drift = createPlaces(right.size)
  let l = 0
  let r = 0
  while (l < left.size || r < right.size) {
    const order = compareAt(left, l, right, r)
    if (order < 0) dead.add(l)
    else if (order > 0) drift.add(r)
    else if (isChange(at(left.sign, l), at(right.sign, r))) {
      changed.declared.add(l)
      changed.observed.add(r)
    } else {
      both.add(l)
      countSigns(signs, at(left.sign, l), at(right.sign, r))
    }
    if (order <= 0) l++
    if (order >= 0) r++
  }
  const compact = {
    ids,
    declared: left,
    observed: right,
    changed: { declared: changed.declared.list(), observed: changed.observed.list() },
    both: both.list(),
    dead: dead.list(),
    drift: drift.list(),
  }
  return { compact, signs }
}

/** Places gathered one by one, at most as many as there is room for. */
function createPlaces(room: number): { add(place: number): void; list(): Int32Array } {
  const places = new Int32Array(room)
  let count = 0
  return {
    add: (place) => {
      places[count++] = place
    },
    list: () => places.slice(0, count),
  }
}

const UNSET = SIGNS.indexOf('unset')

/** `ungoverned` is a sign that was supplied; `unset` is none. */
function isChange(declared: number, observed: number): boolean {
  return declared !== observed && declared !== UNSET && observed !== UNSET
}

function countSigns(
  signs: { -readonly [Name in keyof SignCounts]: number },
  declared: number,
  observed: number,
): void {
  if (declared !== UNSET && observed === UNSET) signs.declared_sign_only++
  if (declared === UNSET && observed !== UNSET) signs.observed_sign_only++
}

/** Below 0 when the left label comes first or is alone; a side that ended comes last. */
function compareAt(left: SideLabels, l: number, right: SideLabels, r: number): number {
  if (l >= left.size) return 1
  if (r >= right.size) return -1
  const from = at(left.from, l) - at(right.from, r)
  if (from !== 0) return from
  const to = at(left.to, l) - at(right.to, r)
  return to !== 0 ? to : at(left.kind, l) - at(right.kind, r)
}

function classesOf(compact: CompactRecord): DiffClasses {
  const { declared, observed, ids } = compact
  const listOf = (places: Int32Array, side: SideLabels): readonly DiffLabel[] =>
    frozenList(places.length, (i) => labelAt(side, at(places, i), ids))
  return Object.freeze({
    changed_sign: frozenList(compact.changed.declared.length, (i) => changeAt(compact, i)),
    declared_and_observed: listOf(compact.both, declared),
    declared_never_observed: listOf(compact.dead, declared),
    observed_but_undeclared: listOf(compact.drift, observed),
  })
}

/** Room is taken once: a list that grows leaves copies behind. */
function frozenList<Item>(length: number, make: (i: number) => Item): readonly Item[] {
  const list = new Array<Item>(length)
  for (let i = 0; i < length; i++) list[i] = Object.freeze(make(i))
  return Object.freeze(list)
}

function labelAt({ from, to, kind }: SideLabels, edge: number, ids: readonly string[]): DiffLabel {
  return {
    from: ids[at(from, edge)] ?? '',
    kind: EDGE_KINDS[at(kind, edge)] ?? 'invoke',
    to: ids[at(to, edge)] ?? '',
  }
}

function changeAt({ declared, observed, ids, changed }: CompactRecord, i: number): ChangedSign {
  const left = at(changed.declared, i)
  const { from, kind, to } = labelAt(declared, left, ids)
  const declared_sign = SIGNS[at(declared.sign, left)] ?? 'unset'
  const observed_sign = SIGNS[at(observed.sign, at(changed.observed, i))] ?? 'unset'
  return { declared_sign, from, kind, observed_sign, to }
}

function cover(
  { declared, observed, both, changed }: CompactRecord,
  signs: SignCounts,
): DiffCoverage {
  return Object.freeze({
    declared_and_observed: both.length + changed.declared.length,
    declared_edges: declared.size,
    declared_endpoint_covered: coveredBy(declared, observed.has),
    declared_nodes: count(declared.has),
    nodes_in_both: count(declared.has.map((one, id) => one & at(observed.has, id))),
    observed_edges: observed.size,
    observed_endpoint_declared: coveredBy(observed, declared.has),
    observed_nodes: count(observed.has),
    ...signs,
  })
}

function coveredBy({ size, from, to }: SideLabels, has: Uint8Array): number {
  let covered = 0
  for (let edge = 0; edge < size; edge++) covered += at(has, at(from, edge)) & at(has, at(to, edge))
  return covered
}

function count(flags: Uint8Array): number {
  return flags.reduce((sum, flag) => sum + flag, 0)
}
