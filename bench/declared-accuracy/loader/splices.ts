// SPDX-License-Identifier: Apache-2.0

interface Insertion {
  readonly at: number
  readonly text: string
}

/** Text put into a source, with the way from its offsets to those of the result. */
export interface Splices {
  /** Puts text before the character at an offset. At one offset the order of the calls stays. */
  readonly insert: (at: number, text: string) => Insertion
  /** Replaces characters by spaces, keeping line ends. */
  readonly blank: (start: number, end: number) => void
  readonly finish: () => Spliced
}

export interface Spliced {
  readonly code: string
  /** Where the character of an offset stands in the code. */
  readonly offsetOf: (at: number) => number
  /** The offset in the source that a place in the code came from. */
  readonly sourceOffset: (place: number) => number
  /** Where an insertion ends in the code. */
  readonly endOf: (insertion: Insertion) => number
}

export type { Insertion }

export function createSplices(source: string): Splices {
  const insertions: Insertion[] = []
  const blanks: (readonly [number, number])[] = []
  return {
    insert: (at, text) => {
      const insertion = { at, text }
      insertions.push(insertion)
      return insertion
    },
    blank: (start, end) => blanks.push([start, end]),
    finish: () => splice(blanked(source, blanks), insertions),
  }
}

function blanked(source: string, blanks: readonly (readonly [number, number])[]): string {
  if (blanks.length === 0) return source
  const units = source.split('')
  for (const [start, end] of blanks) {
    for (let at = start; at < end; at += 1) if (!/[\r\n]/.test(units[at] ?? '')) units[at] = ' '
  }
  return units.join('')
}

function splice(source: string, insertions: readonly Insertion[]): Spliced {
  const sorted = [...insertions].sort((a, b) => a.at - b.at)
  const ends = new Map<Insertion, number>()
  const before: { readonly at: number; readonly shift: number }[] = []
  let code = ''
  let last = 0
  for (const insertion of sorted) {
    code += source.slice(last, insertion.at) + insertion.text
    last = insertion.at
    ends.set(insertion, code.length)
    before.push({ at: last, shift: code.length - last })
  }
  code += source.slice(last)
  const offsets = before.map(({ at }) => at)
  const places = before.map(({ at, shift }) => at + shift)
  return {
    code,
    offsetOf: (at) => at + (before[lastUpTo(offsets, at)]?.shift ?? 0),
    sourceOffset: (place) => place - (before[lastUpTo(places, place)]?.shift ?? 0),
    endOf: (insertion) => ends.get(insertion) ?? -1,
  }
}

/** The index of the last number of a rising list that is not above; -1 where there is none. */
export function lastUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
