// SPDX-License-Identifier: Apache-2.0
import type { CodePointSet } from './code-points.ts'
import type { PatternNode, Place } from './parse-pattern.ts'

/** One instruction: what it takes to get from here to `out`. */
export type Step =
  | { readonly kind: 'set'; readonly set: number; readonly out: number }
  | { readonly kind: 'split'; readonly outs: number[] }
  | { readonly kind: 'assertion'; readonly place: Place; readonly out: number }
  | { readonly kind: 'match' }

/** A pattern as a machine that may be in several steps at once. */
export interface Automaton {
  readonly steps: readonly Step[]
  readonly start: number
  /** The distinct sets that `Step.set` indexes. */
  readonly sets: readonly CodePointSet[]
  /** Whether `\b` or `\B` occurs. */
  readonly hasWordPlaces: boolean
}

/** Steps beyond which a pattern is not unrolled any further: counted repeats multiply. */
const MAX_STEPS = 20_000

interface Builder {
  readonly steps: Step[]
  readonly sets: CodePointSet[]
  readonly setIndex: Map<string, number>
  hasWordPlaces: boolean
}

/**
 * Builds the machine of a pattern, counted repeats unrolled.
 *
 * @returns `undefined` when it would have more than 20,000 steps
 * @see Thompson, Regular Expression Search Algorithm (1968)
 */
export function buildAutomaton(pattern: PatternNode): Automaton | undefined {
  if (countSteps(pattern) > MAX_STEPS) return undefined
  const builder: Builder = { steps: [], sets: [], setIndex: new Map(), hasWordPlaces: false }
  const start = emit(builder, pattern, add(builder, { kind: 'match' }))
  return { steps: builder.steps, start, sets: builder.sets, hasWordPlaces: builder.hasWordPlaces }
}

/** An upper bound of the steps of a node; it counts before anything is built. */
function countSteps(node: PatternNode): number {
  switch (node.kind) {
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + countSteps(part), 0)
    case 'choice':
      return node.options.reduce((sum, option) => sum + countSteps(option), 1)
    case 'repeat': {
      const copies = Number.isFinite(node.max) ? node.max : node.min + 1
      return copies * (countSteps(node.body) + 1)
    }
    default:
      return 1
  }
}

function add(builder: Builder, step: Step): number {
  return builder.steps.push(step) - 1
}

/** Emits a node in front of `next` and returns where the node begins. */
function emit(builder: Builder, node: PatternNode, next: number): number {
  switch (node.kind) {
    case 'set':
      return add(builder, { kind: 'set', set: indexOfSet(builder, node.set), out: next })
    case 'assertion':
      if (node.place.endsWith('Boundary')) builder.hasWordPlaces = true
      return add(builder, { kind: 'assertion', place: node.place, out: next })
    case 'sequence':
      return node.parts.reduceRight((after, part) => emit(builder, part, after), next)
    case 'choice':
      return add(builder, {
        kind: 'split',
        outs: node.options.map((option) => emit(builder, option, next)),
      })
    case 'repeat':
      return emitRepeat(builder, node, next)
  }
}

function emitRepeat(
  builder: Builder,
  node: PatternNode & { readonly kind: 'repeat' },
  next: number,
): number {
  let begin = next
  if (Number.isFinite(node.max)) {
    for (let copy = node.min; copy < node.max; copy++) {
      begin = add(builder, { kind: 'split', outs: [emit(builder, node.body, begin), next] })
    }
  } else {
    const outs = [next]
    begin = add(builder, { kind: 'split', outs })
    outs.push(emit(builder, node.body, begin))
  }
  for (let copy = 0; copy < node.min; copy++) begin = emit(builder, node.body, begin)
  return begin
}

function indexOfSet(builder: Builder, set: CodePointSet): number {
  const key = set.join()
  const known = builder.setIndex.get(key)
  if (known !== undefined) return known
  const index = builder.sets.push(set) - 1
  builder.setIndex.set(key, index)
  return index
}
