// SPDX-License-Identifier: Apache-2.0
import { cut } from './json.ts'
import type { Meter } from './meter.ts'
import { type CompiledPattern, compilePattern } from './patterns/compile-pattern.ts'
import type { Refuse } from './refuse.ts'

/** A pattern in use. */
export interface Matcher {
  test(text: string): boolean
}

/** The patterns of one schema, compiled once each. */
export interface PatternBook {
  /**
   * Takes a pattern in, or refuses it.
   *
   * @param longest  code points of the longest text it can meet
   * @param bound    the keyword that would make that shorter, for the message
   * @throws BEAM_ERR_SCHEMA_UNSUPPORTED on a pattern that can't run, or not on so long a text
   */
  admit(pattern: string, longest: number, bound: string, pointer: string): void
  /** The machine of an admitted pattern; each test is charged to the meter. */
  matcher(pattern: string): Matcher
  /** Lets go of what texts led to. */
  forget(): void
}

/**
 * Creates an empty book.
 *
 * @param allowNative  run what only a backtracking engine runs, on short values
 */
export function createPatternBook(allowNative: boolean, meter: Meter, refuse: Refuse): PatternBook {
  const patterns = new Map<string, CompiledPattern>()
  const matchers = new Map<string, Matcher>()
  const growing: CompiledPattern[] = []

  function read(pattern: string, pointer: string): CompiledPattern {
    const known = patterns.get(pattern)
    if (known !== undefined) return known
    const compiled = compilePattern(pattern, allowNative)
    if ('refused' in compiled)
      throw refuse(pointer, `pattern ${quote(pattern)} ${compiled.refused}`)
    patterns.set(pattern, compiled)
    if (compiled.engine === 'states') growing.push(compiled)
    return compiled
  }

  return {
    admit(pattern, longest, bound, pointer) {
      const compiled = read(pattern, pointer)
      if (longest <= compiled.longest) return
      throw refuse(
        pointer,
        `pattern ${quote(pattern)} takes too long on a text of ${longest} characters; set ${bound} to ${compiled.longest} or less`,
      )
    },

    matcher(pattern) {
      const known = matchers.get(pattern)
      if (known !== undefined) return known
      const compiled = read(pattern, '')
      const matcher: Matcher = { test: (text) => compiled.test(text, meter) }
      matchers.set(pattern, matcher)
      return matcher
    },

    forget() {
      for (const compiled of growing) compiled.forget()
    },
  }
}

function quote(pattern: string): string {
  return cut(JSON.stringify(pattern), 100)
}
