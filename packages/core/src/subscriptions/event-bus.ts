// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import { isJsonObject } from '../protocol/plain.ts'

/** A change that listeners may want to hear of. Identity alone: never what has become of it. */
export type ChangeEvent =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  /** The contents of one resource. */
  | { readonly kind: 'resource'; readonly uri: string }

/**
 * Carries changes to every process that serves an endpoint, the announcing one included. Order is
 * not promised, and an event may come twice.
 */
export interface EventBus {
  /** Announces a change. A rejection is logged by whoever announces; no call fails for it. */
  readonly publish: (event: ChangeEvent) => Awaitable<void>
  /**
   * Begins to listen.
   *
   * @param onLost  told once when events may have been missed: the subscription is then over, and
   * whoever depends on it has to begin anew
   * @returns stops listening, once events are sure to come; rejects where they can't, and settles in
   * a time of its own choice: nobody is told that he listens before
   */
  readonly subscribe: (
    onEvent: (event: ChangeEvent) => void,
    onLost: () => void,
  ) => Awaitable<() => void>
}

/** Reads what came over a bus; undefined for what is no change. Members beyond are dropped. */
export function readChangeEvent(value: unknown): ChangeEvent | undefined {
  const { kind, uri } = isJsonObject(value) ? value : {}
  if (kind === 'tools' || kind === 'prompts' || kind === 'resources') return { kind }
  return kind === 'resource' && typeof uri === 'string' ? { kind, uri } : undefined
}

/** A bus within this process. Whoever listens is told at once. */
export function createMemoryBus(): EventBus {
  const listeners = new Set<(event: ChangeEvent) => void>()
  return {
    publish: (event) => {
      const faults: unknown[] = []
      for (const listener of [...listeners]) {
        try {
          listener(event)
        } catch (thrown) {
          faults.push(thrown)
        }
      }
      // The others have been told all the same.
      if (faults.length > 0) throw faults[0]
    },
    subscribe: (onEvent) => {
      const listener = (event: ChangeEvent): void => onEvent(event)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
