// SPDX-License-Identifier: Apache-2.0
import { SCHEMA_LIMITS } from '../limits.ts'
import type { Alphabet } from './alphabet.ts'
import { DEAD, MATCHED, START, type StateSpace } from './state-space.ts'

/** Steps looked at while the table is built; past it the pattern counts as too large. */
const MAX_BUILD_WORK = 5_000_000
/** Cells of a table: states × classes. */
const MAX_CELLS = 262_144

interface Table {
  /** Row-major: `cells[state * alphabet.size + class]` is the next state. */
  readonly cells: Uint16Array
  /** Whether the text may end in a state. */
  readonly endings: Uint8Array
}

/**
 * Finds all states of a machine and puts them into a table with one row each, so that a text costs
 * one look-up per character however large the pattern is.
 *
 * @returns a function that says whether a text has a match anywhere in it; `undefined` when the
 *   table would be too large
 */
export function compileTable(
  space: StateSpace,
  alphabet: Alphabet,
): ((text: string) => boolean) | undefined {
  const table = build(space, alphabet)
  return table === undefined ? undefined : createRunner(alphabet, table)
}

function createRunner(alphabet: Alphabet, { cells, endings }: Table): (text: string) => boolean {
  const { size, classOf } = alphabet
  return (text) => {
    let state = START
    for (let at = 0; at < text.length; at++) {
      let point = text.charCodeAt(at)
      if (point >= 0xd800 && point < 0xdc00) {
        point = text.codePointAt(at) ?? point
        if (point > 0xffff) at++
      }
      state = cells[state * size + classOf(point)] ?? DEAD
      if (state <= MATCHED) return state === MATCHED
    }
    return endings[state] === 1
  }
}

function build(space: StateSpace, alphabet: Alphabet): Table | undefined {
  if (space.restart() === MATCHED) return everything(alphabet)
  const cells: number[] = []
  const endings: number[] = []
  for (let state = START; state < space.count(); state++) {
    for (let letter = 0; letter < alphabet.size; letter++) cells.push(space.next(state, letter))
    endings.push(space.isEnding(state) ? 1 : 0)
    const isTooLarge = space.count() > SCHEMA_LIMITS.patternStates || cells.length > MAX_CELLS
    if (isTooLarge || space.work() > MAX_BUILD_WORK) return undefined
  }
  return finish(cells, endings, alphabet.size)
}

/** The table of a pattern that matches before it reads anything. */
function everything(alphabet: Alphabet): Table {
  const cells = new Uint16Array((START + 1) * alphabet.size).fill(MATCHED)
  return { cells, endings: new Uint8Array([0, 0, 1]) }
}

/** Puts the two fixed rows in front and sends every way that can't lead to a match to `DEAD`. */
function finish(cells: readonly number[], endings: readonly number[], size: number): Table {
  const alive = findAlive(cells, endings, size)
  const out = new Uint16Array((endings.length + START) * size)
  for (const [index, target] of cells.entries()) {
    out[START * size + index] = alive[target] === 1 ? target : DEAD
  }
  return { cells: out, endings: Uint8Array.from([0, 0, ...endings]) }
}

/** Marks the states from which a match can still be reached, by walking the ways backwards. */
function findAlive(cells: readonly number[], endings: readonly number[], size: number): Uint8Array {
  const alive = new Uint8Array(endings.length + START)
  const sources = new Map<number, number[]>()
  for (const [index, target] of cells.entries()) {
    const source = START + Math.floor(index / size)
    const known = sources.get(target)
    if (known === undefined) sources.set(target, [source])
    else if (known.at(-1) !== source) known.push(source)
  }
  const stack = [MATCHED]
  for (const [index, isEnding] of endings.entries()) if (isEnding === 1) stack.push(START + index)
  for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
    if (alive[state] === 1) continue
    alive[state] = 1
    stack.push(...(sources.get(state) ?? []))
  }
  return alive
}
