// SPDX-License-Identifier: Apache-2.0

/**
 * Every bound of schema compilation and validation. `docs/schemas.md` states each of them; a test
 * compares page and table.
 */
export const SCHEMA_LIMITS = {
  /** JSON levels within a schema, the root being level 1. */
  nesting: 128,
  /** JSON values within a schema: every object, array, string, number, boolean and null. */
  values: 100_000,
  /** UTF-16 units of all keys and strings of a schema together. */
  textLength: 1_048_576,
  /** Subschemas after references are followed: the compiled form's size. */
  subschemas: 4_000,
  /** UTF-16 units of one pattern. */
  patternLength: 4_096,
  /** States of the table that a pattern is turned into; a larger one needs a bounded value. */
  patternStates: 4_000,
  /** Steps of a pattern too large for a table. */
  patternSteps: 4_000,
  /** Steps × longest value, in code points, for a pattern too large for a table. */
  patternWork: 300_000,
  /** Code points of the longest value that a native `RegExp` may meet. */
  nativePatternLength: 256,
  /** Units of validation work per byte of the body cap; a unit is about ten nanoseconds. */
  workPerByte: 10,
  /** Units of validation work that there are at least, however small the body cap. */
  leastWork: 5_000_000,
} as const
