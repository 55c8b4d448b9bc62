// SPDX-License-Identifier: Apache-2.0
import type { Alphabet } from './alphabet.ts'
import type { Automaton } from './automaton.ts'
import type { Place } from './parse-pattern.ts'

/** What stands on one side of a position: an edge of the text, a word character, or another. */
type Side = 'edge' | 'word' | 'other'

/** All the steps that the machine may be in, before assertions are decided, and what came before. */
interface State {
  /** The steps in order, each as one UTF-16 unit: small, and quick to compare. */
  readonly steps: string
  readonly before: Side
  /** Whether an assertion is among them. */
  readonly hasPlaces: boolean
}

/** No way leads on to a match. */
export const DEAD = 0
/** The text matches, whatever follows. */
export const MATCHED = 1
/** The state that a text begins in, unless it is one of the two above. */
export const START = 2

/** The states of a machine, found as they are asked for. */
export interface StateSpace {
  /** Steps looked at so far: what finding states has cost. */
  work(): number
  /** States found so far, the two fixed ones among them. */
  count(): number
  /** Steps that the states found so far consist of: what keeping them costs. */
  size(): number
  /** Forgets all states. */
  clear(): void
  /** Forgets all states and finds the first one again: `MATCHED` or `START`. */
  restart(): number
  /** Forgets all states but one, which gets a new number. */
  keep(state: number): number
  /** The state after a state and a character of a class. */
  next(state: number, letter: number): number
  /** Whether a text may end in a state. */
  isEnding(state: number): boolean
}

type Holds = (place: Place) => boolean

/** Going through all steps in order is faster than sorting more than one in so many of them. */
const SPARSE = 16
/** Characters of a text made at once: each is an argument of a call. */
const CHUNK = 1_024

/**
 * Opens the states of a machine.
 *
 * @param wordSet  the set of the alphabet that holds word characters, where `\b` or `\B` occurs
 */
export function openStates(
  { steps, start }: Automaton,
  alphabet: Alphabet,
  wordSet: number | undefined,
): StateSpace {
  let states: (State | undefined)[] = []
  let numbers = new Map<string, number>()
  let work = 0
  let size = 0
  // A step has been seen when its mark is that of the round.
  const marks = new Uint32Array(steps.length)
  let round = 0
  let isMatch = false
  let hasPlaces = false
  const found = new Uint16Array(steps.length)
  const stack: number[] = []

  function begin(): void {
    round = (round + 1) >>> 0
    if (round === 0) marks.fill(round++)
    isMatch = false
    hasPlaces = false
  }

  /**
   * Follows the ways that take no character, through assertions only where `holds` says so.
   *
   * @returns how many steps have been seen since the beginning; they are in `found`
   */
  function spread(from: number, before: number, holds: Holds | undefined): number {
    let count = before
    stack.push(from)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (marks[at] === round) continue
      marks[at] = round
      found[count++] = at
      const step = steps[at]
      if (step === undefined || step.kind === 'set') continue
      if (step.kind === 'split') for (const out of step.outs) stack.push(out)
      else if (step.kind === 'match') isMatch = true
      else {
        hasPlaces = true
        if (holds?.(step.place) === true) stack.push(step.out)
      }
    }
    work += count - before
    return count
  }

  /** Spreads from a state, its assertions decided. */
  function decide({ steps: from, before, hasPlaces: isOpen }: State, after: Side): number {
    const holds = isOpen ? (place: Place): boolean => isHeld(place, before, after) : undefined
    begin()
    let count = 0
    for (let index = 0; index < from.length; index++) {
      count = spread(from.charCodeAt(index), count, holds)
    }
    return count
  }

  function numberOf(from: readonly number[], before: Side): number {
    begin()
    let count = 0
    for (const at of from) count = spread(at, count, undefined)
    return isMatch ? MATCHED : add({ steps: writeFound(count), before, hasPlaces })
  }

  /** The steps of a new state; splits have been followed and say nothing any more. */
  function writeFound(count: number): string {
    const sorted: number[] = []
    const isDense = steps.length < SPARSE * count
    if (!isDense) found.subarray(0, count).sort()
    for (let index = 0; index < (isDense ? steps.length : count); index++) {
      const at = isDense ? index : (found[index] ?? 0)
      if (marks[at] === round && steps[at]?.kind !== 'split') sorted.push(at)
    }
    if (sorted.length <= CHUNK) return String.fromCharCode(...sorted)
    const chunks = Array.from({ length: Math.ceil(sorted.length / CHUNK) }, (_, index) =>
      String.fromCharCode(...sorted.slice(index * CHUNK, (index + 1) * CHUNK)),
    )
    return chunks.join('')
  }

  function add(state: State): number {
    const key = state.before.charAt(0) + state.steps
    const known = numbers.get(key)
    if (known !== undefined) return known
    size += state.steps.length
    numbers.set(key, states.length)
    return states.push(state) - 1
  }

  function next(number: number, letter: number): number {
    const state = states[number]
    if (state === undefined) return number
    const after = sideOf(letter)
    const count = decide(state, after)
    if (isMatch) return MATCHED
    // The search may begin at any character.
    const onward = [start]
    for (let index = 0; index < count; index++) {
      const step = steps[found[index] ?? 0]
      if (step?.kind === 'set' && alphabet.isIn(step.set, letter)) onward.push(step.out)
    }
    return numberOf(onward, after)
  }

  function sideOf(letter: number): Side {
    return wordSet !== undefined && alphabet.isIn(wordSet, letter) ? 'word' : 'other'
  }

  function isEnding(number: number): boolean {
    const state = states[number]
    if (state === undefined) return number === MATCHED
    decide(state, 'edge')
    return isMatch
  }

  function clear(): void {
    states = [undefined, undefined]
    numbers = new Map()
    size = 0
  }

  function restart(): number {
    clear()
    return numberOf([start], 'edge')
  }

  function keep(number: number): number {
    const state = states[number]
    clear()
    return state === undefined ? number : add(state)
  }

  clear()
  return {
    work: () => work,
    count: () => states.length,
    size: () => size,
    clear,
    restart,
    keep,
    next,
    isEnding,
  }
}

function isHeld(place: Place, before: Side, after: Side): boolean {
  if (place === 'start') return before === 'edge'
  if (place === 'end') return after === 'edge'
  const isBoundary = (before === 'word') !== (after === 'word')
  return isBoundary === (place === 'wordBoundary')
}
