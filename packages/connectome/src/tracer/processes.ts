// SPDX-License-Identifier: Apache-2.0
import type { ChildProcess } from 'node:child_process'
import type { Worker } from 'node:worker_threads'

/** What a process can be: a worker thread or a child process of this one, and alive. */
export type TracedProcess = Worker | ChildProcess

/** A message between this process and one that is traced; its content is not looked at. */
export interface ProcessWatch {
  readonly sent: () => void
  readonly received: () => void
}

/** @throws what `refuse` makes for the first name whose value is no live worker or child process */
export function readProcesses(
  given: Readonly<Record<string, unknown>>,
  refuse: (name: string) => Error,
): ReadonlyMap<string, TracedProcess> {
  const processes = new Map<string, TracedProcess>()
  for (const [name, value] of Object.entries(given)) {
    if (!isLive(value)) throw refuse(name)
    processes.set(name, value)
  }
  return processes
}

function isLive(value: unknown): value is TracedProcess {
  if (typeof value !== 'object' || value === null) return false
  const { emit, threadId, postMessage, pid, exitCode, signalCode } = value as Readonly<
    Record<string, unknown>
  >
  if (typeof emit !== 'function') return false
  if (typeof postMessage === 'function') return typeof threadId === 'number' && threadId > 0
  return typeof pid === 'number' && exitCode === null && signalCode === null
}

/**
 * Watches the messages of one process: what it emits, and the method that sends to it. Both are
 * covered on the object itself and uncovered again; no listener is added, since a child process
 * keeps messages back until somebody listens.
 *
 * @returns what ends the watch
 */
export function watchProcess(target: TracedProcess, { sent, received }: ProcessWatch): () => void {
  const sender = 'postMessage' in target ? 'postMessage' : 'send'
  const covers = [
    cover(target, 'emit', (event) => {
      if (event === 'message') received()
    }),
    cover(target, sender, sent),
  ]
  return () => {
    for (const uncover of covers) uncover()
  }
}

type Method = (...args: unknown[]) => unknown

/** Stands before a method until it is taken away; where somebody covered it since, it only passes on. */
function cover(target: object, name: string, note: (first: unknown) => void): () => void {
  const method: unknown = Reflect.get(target, name)
  if (typeof method !== 'function') return () => {}
  const before = Object.getOwnPropertyDescriptor(target, name)
  let isWatched = true
  const covering: Method = function (this: unknown, ...args) {
    if (isWatched) note(args[0])
    return Reflect.apply(method, this, args)
  }
  Object.defineProperty(target, name, {
    value: covering,
    configurable: true,
    writable: true,
    enumerable: before?.enumerable ?? false,
  })
  return () => {
    isWatched = false
    if (Object.getOwnPropertyDescriptor(target, name)?.value !== covering) return
    if (before === undefined) Reflect.deleteProperty(target, name)
    else Object.defineProperty(target, name, before)
  }
}
