// SPDX-License-Identifier: Apache-2.0
import { valueText } from '../canonical/value-text.ts'
import type { Graph, GraphInput } from '../graph/graph.ts'
import { copyLabels, type Labels } from '../graph/labels.ts'
import { isPlainObject } from '../graph/plain-object.ts'
import { at } from '../graph/sort-edges.ts'
import { EDGE_KINDS, SIGNS } from '../graph/vocabulary.ts'
import {
  type ChangedSign,
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
  const merged = merge(left, right, joint.ids)
  const coverage = cover(left, right, merged)
  const { declared_sign_only: _d, observed_sign_only: _o, ...classes } = merged
  for (const list of Object.values(classes)) Object.freeze(list)
  return keepRecord(Object.freeze({ classes: Object.freeze(classes), coverage, window }))
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

interface Merged {
  readonly changed_sign: ChangedSign[]
  readonly declared_and_observed: DiffLabel[]
  readonly declared_never_observed: DiffLabel[]
  readonly observed_but_undeclared: DiffLabel[]
  declared_sign_only: number
  observed_sign_only: number
}

/** One walk over two sorted lists. */
function merge(left: SideLabels, right: SideLabels, ids: readonly string[]): Merged {
  const merged: Merged = {
    changed_sign: [],
    declared_and_observed: [],
    declared_never_observed: [],
    observed_but_undeclared: [],
    declared_sign_only: 0,
    observed_sign_only: 0,
  }
  let l = 0
  let r = 0
  while (l < left.size || r < right.size) {
    const order = compareAt(left, l, right, r)
    if (order < 0) merged.declared_never_observed.push(Object.freeze(labelAt(left, l, ids)))
    else if (order > 0) merged.observed_but_undeclared.push(Object.freeze(labelAt(right, r, ids)))
    else classifyBoth(merged, labelAt(left, l, ids), at(left.sign, l), at(right.sign, r))
    if (order <= 0) l++
    if (order >= 0) r++
  }
  return merged
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

function labelAt({ from, to, kind }: SideLabels, edge: number, ids: readonly string[]): DiffLabel {
  return {
    from: ids[at(from, edge)] ?? '',
    kind: EDGE_KINDS[at(kind, edge)] ?? 'invoke',
    to: ids[at(to, edge)] ?? '',
  }
}

const UNSET = SIGNS.indexOf('unset')

function classifyBoth(merged: Merged, label: DiffLabel, declared: number, observed: number): void {
  if (declared !== UNSET && observed !== UNSET && declared !== observed) {
    const { from, kind, to } = label
    const declared_sign = SIGNS[declared] ?? 'unset'
    const observed_sign = SIGNS[observed] ?? 'unset'
    merged.changed_sign.push(Object.freeze({ declared_sign, from, kind, observed_sign, to }))
    return
  }
  merged.declared_and_observed.push(Object.freeze(label))
  if (declared !== UNSET && observed === UNSET) merged.declared_sign_only++
  if (declared === UNSET && observed !== UNSET) merged.observed_sign_only++
}

function cover(left: SideLabels, right: SideLabels, merged: Merged): DiffCoverage {
  return Object.freeze({
    declared_and_observed: merged.declared_and_observed.length + merged.changed_sign.length,
    declared_edges: left.size,
    declared_endpoint_covered: coveredBy(left, right.has),
    declared_nodes: count(left.has),
    declared_sign_only: merged.declared_sign_only,
    nodes_in_both: count(left.has.map((one, id) => one & at(right.has, id))),
    observed_edges: right.size,
    observed_endpoint_declared: coveredBy(right, left.has),
    observed_nodes: count(right.has),
    observed_sign_only: merged.observed_sign_only,
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
