// SPDX-License-Identifier: Apache-2.0
import { SCHEMA_LIMITS } from '../limits.ts'
import { type Alphabet, divideAlphabet } from './alphabet.ts'
import type { Automaton } from './automaton.ts'
import { WORD } from './code-points.ts'
import type { Place } from './parse-pattern.ts'

/** What stands on one side of a position: an edge of the text, a word character, or another. */
type Side = 'edge' | 'word' | 'other'

/** All the steps that the machine may be in, before assertions are decided, and what came before. */
interface State {
  readonly steps: readonly number[]
  readonly before: Side
}

/** No way leads on to a match. */
const DEAD = 0
/** The text matches, whatever follows. */
const MATCHED = 1

/** Steps looked at while the table is built; past it the pattern counts as too large. */
const MAX_BUILD_WORK = 5_000_000
/** Cells of a table: states × classes. */
const MAX_CELLS = 262_144

/**
 * Turns a machine into a table with one row per reachable state, so that a text costs one look-up
 * per character however large the pattern is.
 *
 * @returns a function that says whether a text has a match anywhere in it; `undefined` when the
 *   table would be too large
 */
export function compileTable(automaton: Automaton): ((text: string) => boolean) | undefined {
  const sets = automaton.hasWordPlaces ? [...automaton.sets, WORD] : automaton.sets
  const alphabet = divideAlphabet(sets)
  if (alphabet === undefined) return undefined
  const table = createBuilder(automaton, alphabet).build()
  return table === undefined ? undefined : createRunner(alphabet, table)
}

interface Table {
  /** Row-major: `cells[state * alphabet.size + class]` is the next state. */
  readonly cells: Uint16Array
  /** Whether the text may end in a state. */
  readonly endings: Uint8Array
}

const START = 2

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

function createBuilder(automaton: Automaton, alphabet: Alphabet) {
  const { steps, hasWordPlaces } = automaton
  const wordSet = automaton.sets.length
  const states: (State | undefined)[] = [undefined, undefined]
  const numbers = new Map<string, number>()
  let work = 0

  /** Follows the ways that take no character, through assertions only where `holds` says so. */
  function spread(from: readonly number[], holds: (place: Place) => boolean): number[] {
    const seen = new Set<number>()
    const stack = [...from]
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      work++
      const step = steps[at]
      if (step?.kind === 'split') stack.push(...step.outs)
      if (step?.kind === 'assertion' && holds(step.place)) stack.push(step.out)
    }
    return [...seen]
  }

  function rest(from: readonly number[]): number[] {
    return spread(from, () => false).filter((at) => steps[at]?.kind !== 'split')
  }

  function isMatch(at: readonly number[]): boolean {
    return at.some((one) => steps[one]?.kind === 'match')
  }

  function numberOf(from: readonly number[], before: Side): number {
    const at = rest(from).sort((a, b) => a - b)
    if (isMatch(at)) return MATCHED
    const key = `${before} ${at.join()}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, states.length)
    return states.push({ steps: at, before }) - 1
  }

  function next(state: State, letter: number): number {
    const after = sideOf(letter)
    const here = spread(state.steps, (place) => isHeld(place, state.before, after))
    if (isMatch(here)) return MATCHED
    // The search may begin at any character.
    const onward = [automaton.start]
    for (const at of here) {
      const step = steps[at]
      if (step?.kind === 'set' && alphabet.isIn(step.set, letter)) onward.push(step.out)
    }
    return numberOf(onward, after)
  }

  function sideOf(letter: number): Side {
    return hasWordPlaces && alphabet.isIn(wordSet, letter) ? 'word' : 'other'
  }

  function build(): Table | undefined {
    if (numberOf([automaton.start], 'edge') === MATCHED) return everything(alphabet)
    const cells: number[] = []
    const endings: number[] = []
    for (let number = START; number < states.length; number++) {
      const state = states[number]
      if (state === undefined) continue
      for (let letter = 0; letter < alphabet.size; letter++) cells.push(next(state, letter))
      const last = spread(state.steps, (place) => isHeld(place, state.before, 'edge'))
      endings.push(isMatch(last) ? 1 : 0)
      const isTooLarge = states.length > SCHEMA_LIMITS.patternStates || cells.length > MAX_CELLS
      if (isTooLarge || work > MAX_BUILD_WORK) return undefined
    }
    return finish(cells, endings, alphabet.size)
  }

  return { build }
}

function isHeld(place: Place, before: Side, after: Side): boolean {
  if (place === 'start') return before === 'edge'
  if (place === 'end') return after === 'edge'
  const isBoundary = (before === 'word') !== (after === 'word')
  return isBoundary === (place === 'wordBoundary')
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
