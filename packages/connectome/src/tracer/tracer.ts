// SPDX-License-Identifier: Apache-2.0
import { ConnectomeError } from '../error.ts'
import type { NodeIdentity } from '../graph/node-id.ts'
import { isHooked } from './entry-hook.ts'
import {
  type ReadTracerOptions,
  readTracerOptions,
  refuseTracer,
  type TracerOptions,
} from './options.ts'
import { watchProcess } from './processes.ts'
import { createRun, type TracerEnd, type TracerRun } from './run.ts'
import { traceModules } from './trace-modules.ts'

/** A tracer that was started. */
export interface Tracer {
  readonly isRunning: boolean
  /** Ends it, if it has not ended. When this returns nothing of it is left. */
  readonly stop: () => void
  /** Resolves when it has ended, whatever ended it. Never rejects. */
  readonly ended: Promise<TracerEnd>
}

/** The name of the process that a tracer runs in. */
const OWN_NAME = 'main'

/**
 * Traces the calls into named modules, and the messages of named processes, for a bounded time: each
 * is counted by the collector as an edge from the caller's module to the called one, with `functions` from
 * function to function, or between the processes. Arguments, results, receivers and messages are never
 * read. One at a time in a thread.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_TRACER` with `['already_running']`, what `readTracerOptions`
 * and `traceModules` say, or `['init_failed', message]`; nothing is left of a start that failed
 * @see docs/connectome-observed.md, "The tracer"
 */
export function startTracer(given: TracerOptions): Tracer {
  if (isHooked()) throw refuseTracer('already_running')
  const options = readTracerOptions(given)
  const run = createRun(options)
  try {
    begin(options, run)
  } catch (thrown) {
    run.abandon()
    if (thrown instanceof ConnectomeError) throw thrown
    throw refuseTracer('init_failed', thrown instanceof Error ? thrown.message : String(thrown))
  }
  return Object.freeze({
    get isRunning() {
      return !run.isOver()
    },
    stop: () => run.finish(['stopped']),
    ended: run.ended,
  })
}

function begin(options: ReadTracerOptions, run: TracerRun): void {
  run.undoing(options.lifecycle.onStop(() => run.finish(['collector_gone'])))
  traceModules(options, run)
  traceProcesses(options, run)
  run.start()
}

/** This process started the others, and talks with them. */
function traceProcesses({ collector, processes }: ReadTracerOptions, run: TracerRun): void {
  const { server, observe } = collector
  const own: NodeIdentity = { kind: 'process', server, name: OWN_NAME }
  const count = (from: NodeIdentity, to: NodeIdentity): void => {
    if (run.admits()) observe(from, to, 'message')
    else run.finishIfOver()
  }
  for (const [name, target] of processes) {
    const other: NodeIdentity = { kind: 'process', server, name }
    observe(own, other, 'supervise')
    const sent = (): void => count(own, other)
    const received = (): void => count(other, own)
    run.undoing(watchProcess(target, { sent, received }))
  }
}
