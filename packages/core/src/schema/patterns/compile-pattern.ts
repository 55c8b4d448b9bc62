// SPDX-License-Identifier: Apache-2.0
import { RE2JS } from 're2js'
import { SCHEMA_LIMITS } from '../limits.ts'
import { buildAutomaton } from './automaton.ts'
import { NotRegular, type PatternNode, parsePattern } from './parse-pattern.ts'
import { writeRe2 } from './re2-text.ts'
import { compileTable } from './state-table.ts'

/** A pattern ready to run. */
export interface CompiledPattern {
  /** Which machine runs it. */
  readonly engine: 'table' | 're2' | 'native'
  /** Whether the text has a match anywhere in it. */
  test(text: string): boolean
  /** Work per UTF-16 unit of text, in units of the validation budget. */
  readonly unitsPerChar: number
  /** Code points that a text may have for this pattern to be admitted; `Infinity` for any. */
  readonly longest: number
}

/** Why a pattern can't run, in words that end a sentence. */
export interface PatternRefusal {
  readonly refused: string
}

/** About 7 to 13 ns per character, measured; see `bench/schema.bench.ts`. */
const TABLE_UNITS = 1
/** About 120 ns per character and instruction while it builds states, measured. */
const RE2_UNITS = 12
/** A native match of ordinary patterns; what a backtracking one costs nobody can say. */
const NATIVE_UNITS = 1

/**
 * Compiles an ECMAScript pattern (`u` flag) for linear-time matching: as a table of states where
 * that fits, by re2js otherwise. Look-arounds, back-references and inline flags go to the native
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

function compileRegular(node: PatternNode): CompiledPattern | PatternRefusal {
  const automaton = buildAutomaton(node)
  const test = automaton === undefined ? undefined : compileTable(automaton)
  if (test !== undefined) {
    return { engine: 'table', test, unitsPerChar: TABLE_UNITS, longest: Infinity }
  }
  return (
    compileRe2(node) ?? { refused: 'is too large to run; repeat less, or say it with maxLength' }
  )
}

function compileRe2(node: PatternNode): CompiledPattern | undefined {
  try {
    const machine = RE2JS.compile(writeRe2(node))
    const size = machine.programSize()
    return {
      engine: 're2',
      test: (text) => machine.test(text),
      unitsPerChar: size * RE2_UNITS,
      longest: Math.floor(SCHEMA_LIMITS.patternWork / size),
    }
  } catch {
    // re2js refuses counts over 1,000 and programs past its own bounds.
    return undefined
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
  return {
    engine: 'native',
    test: (text) => native.test(text),
    unitsPerChar: NATIVE_UNITS,
    longest: SCHEMA_LIMITS.nativePatternLength,
  }
}
