// SPDX-License-Identifier: Apache-2.0
import { type Meter, spend } from '../meter.ts'
import type { Alphabet } from './alphabet.ts'
import { MATCHED, type StateSpace } from './state-space.ts'

/** Work of a step that is looked at while a state is found, and of finding it at all; measured. */
const STEP_UNITS = 8
const STATE_UNITS = 100
/** Characters per unit where the states are known. */
const CHAR_UNITS = 1
/** Cells of a new row, of which nothing is known yet, per unit. */
const CELLS_PER_UNIT = 4
/** Cells and steps that are kept: past that everything found is forgotten. */
const MAX_KEPT = 200_000

/** A machine without a table of all its states. */
export interface LazyStates {
  /** Whether the text has a match anywhere in it. */
  test(text: string, meter: Meter): boolean
  /** Lets go of the states that texts led to. */
  forget(): void
}

const UNKNOWN = -1

/**
 * Runs a machine by the states that a text leads to, each found when it is first come to and charged
 * what that costs. The same texts in the same order always cost the same.
 */
export function createLazyStates(space: StateSpace, alphabet: Alphabet): LazyStates {
  const { size, classOf } = alphabet
  let rows: (Int32Array | undefined)[] = []
  let first: number | undefined

  function charged<T>(find: () => T, meter: Meter): T {
    const before = space.work()
    const result = find()
    spend(meter, STATE_UNITS + STEP_UNITS * (space.work() - before))
    return result
  }

  function begin(): number {
    rows = []
    return space.restart()
  }

  function go(state: number, letter: number, meter: Meter): number {
    const next = charged(() => space.next(state, letter), meter)
    const row = rows[state] ?? openRow(state, meter)
    row[letter] = next
    if (space.size() + space.count() * size <= MAX_KEPT) return next
    rows = []
    first = undefined
    return space.keep(next)
  }

  function openRow(state: number, meter: Meter): Int32Array {
    spend(meter, size / CELLS_PER_UNIT)
    const row = new Int32Array(size).fill(UNKNOWN)
    rows[state] = row
    return row
  }

  return {
    test(text, meter) {
      first ??= charged(begin, meter)
      let state = first
      for (let at = 0; at < text.length && state !== MATCHED; at++) {
        const point = text.codePointAt(at) ?? 0
        if (point > 0xffff) at++
        const letter = classOf(point)
        const known = rows[state]?.[letter] ?? UNKNOWN
        state = known === UNKNOWN ? go(state, letter, meter) : known
      }
      spend(meter, text.length * CHAR_UNITS)
      return state === MATCHED || charged(() => space.isEnding(state), meter)
    },

    forget() {
      if (rows.length === 0 && first === undefined) return
      first = undefined
      rows = []
      space.clear()
    },
  }
}
