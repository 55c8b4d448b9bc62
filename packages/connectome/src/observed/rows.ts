// SPDX-License-Identifier: Apache-2.0
import type { NodeIdentity } from '../graph/node-id.ts'
import { readIdentity } from '../graph/node-id.ts'
import { type EdgeKind, isEdgeKind } from '../graph/vocabulary.ts'

/** One distinct edge: who, what and how often. Identity alone. */
export interface ObservedRow {
  readonly from: NodeIdentity
  readonly to: NodeIdentity
  readonly kind: EdgeKind
  /** From 1. */
  readonly count: number
  /** Milliseconds of all of them together. */
  readonly totalMs: number
  /** Milliseconds of the longest. */
  readonly maxMs: number
}

/** A row that is counted on. */
export interface Row {
  readonly from: NodeIdentity
  readonly to: NodeIdentity
  readonly kind: EdgeKind
  count: number
  totalMs: number
  maxMs: number
}

/** The rows of one run of a collector, one for each distinct edge. */
export interface RowBook {
  /** The row of an edge; made where there is none, with nothing counted. */
  readonly rowOf: (from: unknown, to: unknown, kind: unknown) => Row | undefined
  readonly rows: () => IterableIterator<Row>
  readonly size: () => number
  /** The key of the first edge that the vocabulary does not have, or undefined. */
  readonly malformed: () => string | undefined
}

/** Characters of the key that a malformed edge is refused by. */
const MOST_KEY = 200

export function createRowBook(): RowBook {
  const byKey = new Map<string, Row>()
  let malformed: string | undefined
  return {
    rowOf: (from, to, kind) => {
      const key = keyOf(from, to, kind)
      if (key === undefined) {
        malformed ??= describe(from, to, kind)
        return undefined
      }
      return byKey.get(key) ?? addRow(byKey, key, from, to, kind)
    },
    rows: () => byKey.values(),
    size: () => byKey.size + (malformed === undefined ? 0 : 1),
    malformed: () => malformed,
  }
}

/** Counts one occurrence. A duration that is no number above 0 counts as 0. */
export function count(row: Row, durationMs: unknown): void {
  row.count += 1
  if (typeof durationMs !== 'number' || !(durationMs > 0 && durationMs < Infinity)) return
  row.totalMs += durationMs
  if (durationMs > row.maxMs) row.maxMs = durationMs
}

/** The components, not the id: ids are written when somebody looks. */
function keyOf(from: unknown, to: unknown, kind: unknown): string | undefined {
  const source = readIdentity(from)
  const target = readIdentity(to)
  if (source === undefined || target === undefined || !isEdgeKind(kind)) return undefined
  return JSON.stringify([kind, source.grain, source.parts, target.grain, target.parts])
}

function addRow(
  byKey: Map<string, Row>,
  key: string,
  from: unknown,
  to: unknown,
  kind: unknown,
): Row {
  // The key was made from them: they are identities and a kind. Copies, since a host may go on to
  // change its objects.
  const row: Row = {
    from: Object.freeze({ ...(from as NodeIdentity) }),
    to: Object.freeze({ ...(to as NodeIdentity) }),
    kind: kind as EdgeKind,
    count: 0,
    totalMs: 0,
    maxMs: 0,
  }
  byKey.set(key, row)
  return row
}

/** What was given, as a short text: nothing of it is kept. */
function describe(from: unknown, to: unknown, kind: unknown): string {
  try {
    return JSON.stringify([from ?? null, to ?? null, kind ?? null]).slice(0, MOST_KEY)
  } catch {
    return 'unreadable'
  }
}
