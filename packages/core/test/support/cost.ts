// SPDX-License-Identifier: Apache-2.0

/** Milliseconds below which a clock says nothing: the least that a harmless run counts for. */
const FLOOR_MS = 0.05

/** How many times as much processor time a hostile input takes as a harmless one of its size; the best of five runs each. */
export function costRatio(hostile: () => unknown, harmless: () => unknown): number {
  return fastest(hostile) / Math.max(fastest(harmless), FLOOR_MS)
}

function fastest(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round += 1) {
    const start = process.cpuUsage()
    run()
    best = Math.min(best, process.cpuUsage(start).user / 1_000)
  }
  return best
}
