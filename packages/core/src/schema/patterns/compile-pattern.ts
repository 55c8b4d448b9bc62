// SPDX-License-Identifier: Apache-2.0
import { SCHEMA_LIMITS } from '../limits.ts'
import { type Meter, spend } from '../meter.ts'
import { divideAlphabet } from './alphabet.ts'
import { buildAutomaton } from './automaton.ts'
import { WORD } from './code-points.ts'
import { createLazyStates } from './lazy-states.ts'
import { NotRegular, type PatternNode, parsePattern } from './parse-pattern.ts'
import { openStates } from './state-space.ts'
import { compileTable } from './state-table.ts'

/** A pattern ready to run. */
export interface CompiledPattern {
  /** Which machine runs it. */
  readonly engine: 'table' | 'states' | 'native'
  /** Whether the text has a match anywhere in it; charges the meter what that costs. */
  test(text: string, meter: Meter): boolean
  /** Lets go of what texts led to. */
  forget(): void
  /** Code points that a text may have for this pattern to be admitted; `Infinity` for any. */
  readonly longest: number
}

/** Why a pattern can't run, in words that end a sentence. */
export interface PatternRefusal {
  readonly refused: string
}

/** Work of one test beside the text's length. */
const TEST_UNITS = 15
/** About 7 to 13 ns per character, measured; see `bench/schema.bench.ts`. */
const TABLE_UNITS = 1
/** A native match of ordinary patterns; what a backtracking one costs nobody can say. */
const NATIVE_UNITS = 1

/**
 * Compiles an ECMAScript pattern (`u` flag) for linear-time matching: as a table of states where
 * that fits, by states that are found as texts lead to them otherwise. Look-arounds, back-references and inline flags go to the native
 * engine when `allowNative` says so, and are refused when it doesn't.
 *
 * @param source       the pattern as the schema has it
 * @param allowNative  the host vouches for patterns that only a backtracking engine runs
 * @returns the machine with the longest text it may be given, or why there is none
 */
export function compilePattern(
  source: string,
  allowNative: boolean,
): CompiledPattern | PatternRefusal {
  if (source.length > SCHEMA_LIMITS.patternLength) {
    return { refused: `is longer than ${SCHEMA_LIMITS.patternLength} characters` }
  }
  try {
    new RegExp(source, 'u')
    return compileRegular(parsePattern(source))
  } catch (error) {
    if (error instanceof NotRegular) return compileNative(source, error.feature, allowNative)
    if (error instanceof RangeError) return { refused: 'nests too deeply' }
    if (!(error instanceof SyntaxError)) throw error
    return { refused: `is not valid with the u flag (${error.message})` }
  }
}

const TOO_LARGE = 'is too large to run; repeat less, or say it with maxLength'

function compileRegular(node: PatternNode): CompiledPattern | PatternRefusal {
  const automaton = buildAutomaton(node)
  if (automaton === undefined) return { refused: TOO_LARGE }
  const { hasWordPlaces, sets, steps } = automaton
  const alphabet = divideAlphabet(hasWordPlaces ? [...sets, WORD] : sets)
  if (alphabet === undefined) return { refused: TOO_LARGE }
  const space = openStates(automaton, alphabet, hasWordPlaces ? sets.length : undefined)
  const test = compileTable(space, alphabet)
  if (test !== undefined) return simple('table', test, TABLE_UNITS, Infinity)
  if (steps.length > SCHEMA_LIMITS.patternSteps) return { refused: TOO_LARGE }
  const states = createLazyStates(space, alphabet)
  space.clear()
  return {
    engine: 'states',
    test(text, meter) {
      spend(meter, TEST_UNITS)
      return states.test(text, meter)
    },
    forget: states.forget,
    longest: Math.floor(SCHEMA_LIMITS.patternWork / steps.length),
  }
}

/** A machine whose time depends on the length of the text alone. */
function simple(
  engine: 'table' | 'native',
  run: (text: string) => boolean,
  unitsPerChar: number,
  longest: number,
): CompiledPattern {
  return {
    engine,
    test(text, meter) {
      spend(meter, TEST_UNITS + text.length * unitsPerChar)
      return run(text)
    },
    forget: () => undefined,
    longest,
  }
}

function compileNative(
  source: string,
  feature: string,
  allowNative: boolean,
): CompiledPattern | PatternRefusal {
  if (!allowNative) {
    return {
      refused: `has ${feature}, which only a backtracking engine runs; write it without, or set nativePatterns and a maxLength of ${SCHEMA_LIMITS.nativePatternLength} or less`,
    }
  }
  const native = new RegExp(source, 'u')
  return simple(
    'native',
    (text) => native.test(text),
    NATIVE_UNITS,
    SCHEMA_LIMITS.nativePatternLength,
  )
}
