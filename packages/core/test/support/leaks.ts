// SPDX-License-Identifier: Apache-2.0
import { createHook } from 'node:async_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { onTestFinished } from 'vitest'

/** Counts the objects that are still held of those it was shown. */
export interface Held {
  readonly watch: (object: object) => void
  /** How many are left once all was collected that nobody holds. */
  readonly count: () => Promise<number>
}

/** Watches objects without holding them. */
export function countHeld(): Held {
  const watched: WeakRef<object>[] = []
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const left = (): number => watched.filter((ref) => ref.deref() !== undefined).length
  return {
    watch: (object) => void watched.push(new WeakRef(object)),
    count: async () => {
      // More than once: what a finished stream holds is let go of by what the first pass frees.
      for (let pass = 0; pass < 10 && left() > 0; pass += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        collect()
      }
      return left()
    },
  }
}

/** Counts the timers that were made since and are not gone, those included that hold nothing up. */
export function countTimers(): () => number {
  const alive = new Set<number>()
  const hook = createHook({
    init: (id, type) => void (type === 'Timeout' && alive.add(id)),
    destroy: (id) => void alive.delete(id),
  })
  hook.enable()
  onTestFinished(() => void hook.disable())
  return () => alive.size
}

/** Collects the warnings of the process: Node gives one for an emitter with too many listeners. */
export function collectWarnings(): readonly string[] {
  const warnings: string[] = []
  const onWarning = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  return warnings
}
