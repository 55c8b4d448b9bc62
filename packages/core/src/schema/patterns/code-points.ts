// SPDX-License-Identifier: Apache-2.0

/**
 * A set of Unicode code points as a flat list `[from, to, from, to, …]`: both ends included, sorted,
 * no two ranges touching. Surrogates are ordinary members, as they are for a `u` pattern.
 */
export type CodePointSet = readonly number[]

/** The largest code point of Unicode. */
export const LAST_CODE_POINT = 0x10ffff

/** `\d` of a pattern without the `i` flag. */
export const DIGITS: CodePointSet = [0x30, 0x39]
/** `\w` of a pattern without the `i` flag. */
export const WORD: CodePointSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]
/** The characters that `.` does not match. */
export const LINE_ENDS: CodePointSet = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]
/** `\s`: ECMAScript's WhiteSpace and LineTerminator. */
export const SPACES: CodePointSet = normalise([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
])

/** The set of the given ranges, which may overlap and come in any order. */
export function normalise(ranges: readonly (readonly [from: number, to: number])[]): CodePointSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0])
  const flat: number[] = []
  for (const [from, to] of sorted) {
    const last = flat.at(-1)
    if (last === undefined || from > last + 1) flat.push(from, to)
    else if (to > last) flat[flat.length - 1] = to
  }
  return flat
}

/** The union of sets. */
export function union(sets: readonly CodePointSet[]): CodePointSet {
  return normalise(sets.flatMap(pairs))
}

/** Every code point that is not in the set. */
export function complement(set: CodePointSet): CodePointSet {
  const flat: number[] = []
  let next = 0
  for (const [from, to] of pairs(set)) {
    if (from > next) flat.push(next, from - 1)
    next = to + 1
  }
  if (next <= LAST_CODE_POINT) flat.push(next, LAST_CODE_POINT)
  return flat
}

/** Whether a code point is in the set. */
export function contains(set: CodePointSet, point: number): boolean {
  let low = 0
  let high = set.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((set[middle] ?? 0) <= point) low = middle + 1
    else high = middle
  }
  // An odd count of ends at or below the point means that it is past a start and not past its end.
  return low % 2 === 1 || (low > 0 && set[low - 1] === point)
}

/** The ranges of a set as pairs. */
export function pairs(set: CodePointSet): [from: number, to: number][] {
  const out: [number, number][] = []
  for (let at = 0; at + 1 < set.length; at += 2) out.push([set[at] ?? 0, set[at + 1] ?? 0])
  return out
}

const propertySets = new Map<string, CodePointSet>()

/**
 * The set that `\p{…}` names, asked of the running engine, so that it is the same Unicode version
 * and the same names that native patterns have.
 *
 * @param spelling  the whole escape, such as `\p{Lu}`; the engine must have accepted it already
 */
export function propertySet(spelling: string): CodePointSet {
  const known = propertySets.get(spelling)
  if (known !== undefined) return known
  const isMember = new RegExp(`^${spelling}$`, 'u')
  const flat: number[] = []
  let open = false
  for (let point = 0; point <= LAST_CODE_POINT; point++) {
    const inside = isMember.test(String.fromCodePoint(point))
    if (inside && !open) flat.push(point)
    if (!inside && open) flat.push(point - 1)
    open = inside
  }
  if (open) flat.push(LAST_CODE_POINT)
  propertySets.set(spelling, flat)
  return flat
}
