// SPDX-License-Identifier: Apache-2.0

/** Milliseconds below which a clock says nothing: the least that a harmless run counts for. */
const FLOOR_MS = 0.05

const FEWEST_ROUNDS = 5
const MOST_ROUNDS = 40
/** A cost that is there shows within this many milliseconds of measuring. */
const LONGEST_MS = 2_000

/**
 * How many times as long a hostile input takes as a harmless one of its size, by the fastest run of each in
 * turns. What else the machine does only ever makes a run slower, so a ratio that is not below `limit` after
 * a few rounds is given more of them; a cost that is there is there in each.
 */
export function costRatio(hostile: () => unknown, harmless: () => unknown, limit: number): number {
  let most = Number.POSITIVE_INFINITY
  let least = Number.POSITIVE_INFINITY
  let ratio = Number.POSITIVE_INFINITY
  const end = performance.now() + LONGEST_MS
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (round >= FEWEST_ROUNDS && (ratio < limit || performance.now() > end)) break
    most = Math.min(most, timeOf(hostile))
    least = Math.min(least, timeOf(harmless))
    ratio = most / Math.max(least, FLOOR_MS)
  }
  return ratio
}

/** The fastest of at least three runs, in milliseconds; of more while it takes `enoughMs` and longer. */
export function fastest(run: () => unknown, enoughMs = Number.POSITIVE_INFINITY): number {
  let best = Number.POSITIVE_INFINITY
  const end = performance.now() + LONGEST_MS
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (round >= 3 && (best < enoughMs || performance.now() > end)) break
    best = Math.min(best, timeOf(run))
  }
  return best
}

function timeOf(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}
