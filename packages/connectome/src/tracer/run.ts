// SPDX-License-Identifier: Apache-2.0
import type { ReadTracerOptions } from './options.ts'

/** Why a tracer ended. */
export type TracerReason =
  | readonly ['stopped']
  | readonly ['limit', 'max_events' | 'max_duration_ms', number]
  | readonly ['collector_gone']

/** What a tracer says at its end. */
export interface TracerEnd {
  readonly reason: TracerReason
  /** Calls and messages that were taken in. */
  readonly events: number
  /** Calls among them without a caller on their stack, which made no edge. */
  readonly withoutCaller: number
}

/** One run of a tracer: its limits, what it counted, and what has to be undone at its end. */
export interface TracerRun {
  readonly isOver: () => boolean
  /** Starts the clock: what setting up takes is not part of the time. */
  readonly start: () => void
  /**
   * Takes one event in, unless a limit is reached, which is looked at before anything is counted:
   * behind a limit nothing lands, however busy the program is.
   */
  readonly admits: () => boolean
  /** Counts a call without a caller. */
  readonly lose: () => void
  /** Undoes everything, for the reason that is there already or else for this one. */
  readonly finish: (why: TracerReason) => void
  /** The same, if a limit was reached. */
  readonly finishIfOver: () => void
  /** Adds what the end has to undo; the last is undone first. */
  readonly undoing: (undo: () => void) => void
  /** Undoes what was done by a start that failed. */
  readonly abandon: () => void
  readonly ended: Promise<TracerEnd>
}

export function createRun({ maxEvents, maxDurationMs }: ReadTracerOptions): TracerRun {
  let deadline = Number.POSITIVE_INFINITY
  const undos: (() => void)[] = []
  let events = 0
  let withoutCaller = 0
  let reason: TracerReason | undefined
  let resolve: (end: TracerEnd) => void = () => {}
  const ended = new Promise<TracerEnd>((settle) => {
    resolve = settle
  })
  const abandon = (): void => {
    for (const undo of undos.splice(0).reverse()) undo()
  }
  const finish: TracerRun['finish'] = (why) => {
    reason ??= why
    abandon()
    resolve(Object.freeze({ reason, events, withoutCaller }))
  }
  return {
    ended,
    abandon,
    finish,
    isOver: () => reason !== undefined,
    start: () => {
      deadline = performance.now() + maxDurationMs
      const timer = setTimeout(finish, maxDurationMs, ['limit', 'max_duration_ms', maxDurationMs])
      timer.unref()
      undos.push(() => clearTimeout(timer))
    },
    finishIfOver: () => {
      if (reason !== undefined) finish(reason)
    },
    admits: () => {
      if (performance.now() >= deadline) reason ??= ['limit', 'max_duration_ms', maxDurationMs]
      if (events >= maxEvents) reason ??= ['limit', 'max_events', maxEvents]
      if (reason !== undefined) return false
      events += 1
      return true
    },
    lose: () => {
      withoutCaller += 1
    },
    undoing: (undo) => {
      undos.push(undo)
    },
  }
}
