// SPDX-License-Identifier: Apache-2.0
import type { Labels } from '../graph/labels.ts'
import type { EdgeKind, Sign } from '../graph/vocabulary.ts'
import type { SideLabels } from './side.ts'

/** What two edges of different provenance are compared by; endpoints in normal form. */
export interface DiffLabel {
  readonly from: string
  readonly kind: EdgeKind
  readonly to: string
}

/** A label both sides have, with two signs that differ, neither of them `unset`. */
export interface ChangedSign extends DiffLabel {
  readonly declared_sign: Sign
  readonly observed_sign: Sign
}

/** Every label of either side, in one class. Lists are sorted by UTF-16 code units. */
export interface DiffClasses {
  readonly changed_sign: readonly ChangedSign[]
  /** In both, the sign not changed. */
  readonly declared_and_observed: readonly DiffLabel[]
  /** Authority that was not used in the window. */
  readonly declared_never_observed: readonly DiffLabel[]
  /** Drift. */
  readonly observed_but_undeclared: readonly DiffLabel[]
}

/** Counts that say how far the comparison carries. Ratios are the reader's to form. */
export interface DiffCoverage {
  /** Labels in both, changed signs included. */
  readonly declared_and_observed: number
  readonly declared_edges: number
  /** Declared edges with both ends among the observed nodes. */
  readonly declared_endpoint_covered: number
  readonly declared_nodes: number
  /** Labels in both with a sign on the declared side only. */
  readonly declared_sign_only: number
  readonly nodes_in_both: number
  readonly observed_edges: number
  /** Observed edges with both ends among the declared nodes. */
  readonly observed_endpoint_declared: number
  readonly observed_nodes: number
  /** Labels in both with a sign on the observed side only. */
  readonly observed_sign_only: number
}

/** What differs between a declared and an observed graph. Frozen at every depth. */
export interface DiffRecord {
  readonly classes: DiffClasses
  readonly coverage: DiffCoverage
  /** What the host says of the time observed; never inferred. */
  readonly window: Labels
}

/**
 * A record in columns: for each class, places in one side's labels. For classes of both sides the
 * two lists run in step.
 */
export interface CompactRecord {
  /** Ids of both sides, which the columns number. */
  readonly ids: readonly string[]
  readonly declared: SideLabels
  readonly observed: SideLabels
  readonly changed: { readonly declared: Int32Array; readonly observed: Int32Array }
  /** Places on the declared side. */
  readonly both: Int32Array
  readonly dead: Int32Array
  /** Places on the observed side. */
  readonly drift: Int32Array
}

const made = new WeakMap<object, CompactRecord>()

/** Marks a record as one of ours: frozen, in order, its strings in normal form. */
export function keepRecord(record: DiffRecord, compact: CompactRecord): DiffRecord {
  made.set(record, compact)
  return record
}

export function compactRecord(record: object): CompactRecord | undefined {
  return made.get(record)
}
