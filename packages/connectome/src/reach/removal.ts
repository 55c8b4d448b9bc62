// SPDX-License-Identifier: Apache-2.0
import type { Compact } from '../graph/compact.ts'
import { type Scratch, search } from './search.ts'

/**
 * Whether every path from the entries to the target passes the gate, by taking the gate away and
 * searching again. Independent of the dominator tree, which must agree.
 *
 * @returns `undefined` when no path leads to the target at all
 */
export function passesGate(
  compact: Compact,
  scratch: Scratch,
  question: {
    readonly entries: readonly number[]
    readonly gate: number
    readonly target: number
    readonly mask: number
  },
): boolean | undefined {
  const { entries: starts, gate, target, mask } = question
  const request = { starts, target, mask, maxHops: Number.POSITIVE_INFINITY }
  if (!search(compact, scratch, { ...request, without: [] })) return undefined
  return gate === target || !search(compact, scratch, { ...request, without: [gate] })
}
