// SPDX-License-Identifier: Apache-2.0

/** Characters of a name that are compared. */
const LONGEST = 64

/**
 * Finds the known name that is fewest edits away, for an error that helps with a slip of the pen.
 *
 * @returns the name, or undefined where none is within a third of the given one's length
 */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const within = Math.max(2, Math.ceil(Math.min(given.length, LONGEST) / 3))
  let best: string | undefined
  let fewest = within + 1
  for (const name of known) {
    const edits = editDistance(given.toLowerCase(), name.toLowerCase())
    if (edits < fewest) {
      fewest = edits
      best = name
    }
  }
  return best
}

/** Levenshtein's distance, a row at a time. Option names are short; longer text is cut. */
function editDistance(a: string, b: string): number {
  const left = a.slice(0, LONGEST)
  const right = b.slice(0, LONGEST)
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 0; i < left.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < right.length; j += 1) {
      const swap = (row[j] ?? 0) + (left[i] === right[j] ? 0 : 1)
      next.push(Math.min(swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
