// SPDX-License-Identifier: Apache-2.0
import { type CodePointSet, pairs } from '../../src/schema/patterns/code-points.ts'
import type { PatternNode, Place } from '../../src/schema/patterns/parse-pattern.ts'

const PLACES: Readonly<Record<Place, string>> = {
  start: '\\A',
  end: '\\z',
  wordBoundary: '\\b',
  notWordBoundary: '\\B',
}

/**
 * Writes a pattern in RE2's syntax with nothing in it that the two syntaxes read differently: every
 * class is spelled as code point ranges, every group is plain.
 *
 * @see RE2, Syntax
 */
export function writeRe2(node: PatternNode): string {
  switch (node.kind) {
    case 'set':
      return writeSet(node.set)
    case 'assertion':
      return PLACES[node.place]
    case 'sequence':
      return `(?:${node.parts.map(writeRe2).join('')})`
    case 'choice':
      return `(?:${node.options.map(writeRe2).join('|')})`
    case 'repeat':
      return `(?:${writeRe2(node.body)})${writeCount(node.min, node.max)}`
  }
}

function writeCount(min: number, max: number): string {
  return max === Infinity ? `{${min},}` : `{${min},${max}}`
}

function writeSet(set: CodePointSet): string {
  // RE2 has no empty class: this one excludes everything there is.
  if (set.length === 0) return '[^\\x{0}-\\x{10ffff}]'
  const ranges = pairs(set).map(([from, to]) => `\\x{${from.toString(16)}}-\\x{${to.toString(16)}}`)
  return `[${ranges.join('')}]`
}
