// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'

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
   * @returns stops listening, once events are sure to come; rejects where they can't
   */
  readonly subscribe: (
    onEvent: (event: ChangeEvent) => void,
    onLost: () => void,
  ) => Awaitable<() => void>
}

/** A bus within this process. Whoever listens is told at once. */
export function createMemoryBus(): EventBus {
  const listeners = new Set<(event: ChangeEvent) => void>()
  return {
    publish: (event) => {
      for (const listener of [...listeners]) listener(event)
    },
    subscribe: (onEvent) => {
      const listener = (event: ChangeEvent): void => onEvent(event)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
