// SPDX-License-Identifier: Apache-2.0

import { createPairs, FIRST_SIZE, NO_NUMBERS, type Pairs } from './chains.ts'
import { createPairTable, type PairTable } from './pair-table.ts'
import type { Value } from './values.ts'
import type { Listener } from './watcher.ts'
import { withChanged } from './with-changed.ts'

/**
 * Variables, what they hold, and who must hear of it, in arrays of numbers. What belongs together stands
 * together, as reaching for memory is what this costs. Lists are chains of entries in one array each;
 * entry 0 is the end of every chain.
 */
export interface Network {
  /** How many variables there are. */
  size: number
  /** Of each variable four numbers: its flags, and the heads of what it holds, copies and watchers. */
  records: Int32Array
  readonly held: Pairs
  readonly copies: Pairs
  /** Five numbers for each entry: the kind, three more, and the next entry. */
  readonly watched: Pairs
  /** Given once, before anything is watched. */
  listener: Listener | undefined
  readonly values: Value[]
  /** What those variables hold that hold more than a few values, and how much that is. */
  readonly many: PairTable
  readonly counts: Map<number, number>
  /** Variables of a declared type: noted instead of becoming unknown. */
  readonly typed: Map<number, { readonly cls: number; isAsked: boolean }>
  /** Variables and what is new of each: the id of a value, or a flag below 0. */
  work: Pairs
  spare: Pairs
  given: Value[]
  /** Gives a value to code outside; called for one after the other, so that nothing nests. */
  readonly handOver: (value: Value) => void
}

const NO_VALUES: Value[] = []

/**
 * A network of the values in a list, where each stands at the place that is its id.
 *
 * @param words  how long the programs are together, which says about how much it has to hold
 */
export function createNetwork(
  values: Value[],
  words: number,
  handOver: (value: Value) => void,
): Network {
  const none = createPairs(0, 0)
  // What stands first in the fields below is only there to be changed.
  const net: Network = {
    size: -1,
    records: NO_NUMBERS,
    held: createPairs(1, words * 1.25),
    copies: createPairs(1, words),
    watched: createPairs(1, words * 1.5),
    listener: undefined,
    values,
    many: createPairTable(words / 16),
    counts: new Map(),
    typed: new Map(),
    work: none,
    spare: none,
    given: NO_VALUES,
    handOver,
  }
  return withChanged(net, {
    size: 0,
    records: new Int32Array(FIRST_SIZE + words),
    work: createPairs(0, words / 2),
    spare: createPairs(0, words / 2),
    given: [],
  })
}
