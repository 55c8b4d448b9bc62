// SPDX-License-Identifier: Apache-2.0

/** What a part of this package asks of a collector beyond its public face. */
export interface Lifecycle {
  /** Calls back when the collector is stopped, until the answer is called. */
  readonly onStop: (listener: () => void) => () => void
}

const LIFECYCLES = new WeakMap<object, Lifecycle>()

/** The lifecycle of a collector that was made here; undefined for any other object. */
export function lifecycleOf(collector: object): Lifecycle | undefined {
  return LIFECYCLES.get(collector)
}

/** Keeps who wants to know of stops. */
export function keepLifecycle(): {
  readonly stopped: () => void
  readonly belongsTo: (collector: object) => void
} {
  const listeners = new Set<() => void>()
  return {
    stopped: () => {
      for (const listener of [...listeners]) listener()
    },
    belongsTo: (collector) => {
      const onStop: Lifecycle['onStop'] = (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      }
      LIFECYCLES.set(collector, { onStop })
    },
  }
}
