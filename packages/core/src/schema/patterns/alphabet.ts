// SPDX-License-Identifier: Apache-2.0
import { type CodePointSet, contains, pairs } from './code-points.ts'

/**
 * The code points of Unicode in the few classes that a pattern can tell apart.
 */
export interface Alphabet {
  /** How many classes there are. */
  readonly size: number
  /** The class of a code point. */
  classOf(point: number): number
  /** Whether the members of a class are in set number `set`. */
  isIn(set: number, letter: number): boolean
}

/** Sets × boundaries beyond which classes are not worked out. */
const MAX_WORK = 4_000_000
const LATIN = 256

/**
 * Divides Unicode so that two code points of one class are in exactly the same sets.
 *
 * @returns `undefined` when the sets are too many and too ragged to divide by
 */
export function divideAlphabet(sets: readonly CodePointSet[]): Alphabet | undefined {
  const bounds = [...new Set([0, ...sets.flatMap(startsAndEnds)])].sort((a, b) => a - b)
  if (bounds.length * sets.length > MAX_WORK) return undefined
  const classes = new Map<string, number>()
  const members: boolean[][] = []
  const letters = bounds.map((point) => {
    const inside = sets.map((set) => contains(set, point))
    const key = inside.map(Number).join('')
    const known = classes.get(key)
    if (known !== undefined) return known
    classes.set(key, members.length)
    return members.push(inside) - 1
  })
  return createAlphabet(Int32Array.from(bounds), Int32Array.from(letters), members)
}

function startsAndEnds(set: CodePointSet): number[] {
  return pairs(set).flatMap(([from, to]) => [from, to + 1])
}

function createAlphabet(
  bounds: Int32Array,
  letters: Int32Array,
  members: readonly (readonly boolean[])[],
): Alphabet {
  const latin = new Int32Array(LATIN)
  for (let point = 0; point < LATIN; point++) latin[point] = search(point)

  function search(point: number): number {
    let low = 0
    let high = bounds.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((bounds[middle] ?? 0) <= point) low = middle
      else high = middle
    }
    return letters[low] ?? 0
  }

  return {
    size: members.length,
    classOf: (point) => (point < LATIN ? (latin[point] ?? 0) : search(point)),
    isIn: (set, letter) => members[letter]?.[set] === true,
  }
}
