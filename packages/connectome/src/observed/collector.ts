// SPDX-License-Identifier: Apache-2.0
import type { AsyncLocalStorage } from 'node:async_hooks'
import { type Channel, tracingChannel } from 'node:diagnostics_channel'
import type { Graph } from '../graph/graph.ts'
import type { NodeIdentity } from '../graph/node-id.ts'
import type { EdgeKind } from '../graph/vocabulary.ts'
import { createCallers } from './callers.ts'
import { ALL_CALLS, callerIn, counterOf, isOf, TOOL_CALLS } from './calls.ts'
import { keepLifecycle } from './lifecycle.ts'
import {
  type CollectorOptions,
  type ReadCollectorOptions,
  readCollectorOptions,
  refuseObserved,
} from './options.ts'
import { count, createRowBook, type ObservedRow, type RowBook } from './rows.ts'
import { copyRow, type EdgeLatency, graphOf, latencyOf } from './snapshot.ts'

/** Counts what a server does, one row for each distinct edge. */
export interface Collector {
  /** The server whose calls it counts. */
  readonly server: string
  readonly isRunning: boolean
  /** Starts from nothing. Where it is running already, nothing happens. */
  readonly start: () => void
  /** Stops listening and drops every row. */
  readonly stop: () => void
  /**
   * What was seen since the start, as a graph: every edge `observed` and `unset`, its weight the count.
   *
   * @throws ConnectomeError `BEAM_ERR_GRAPH_OBSERVED` with `['not_started']`, or with
   * `['malformed_row', key]` after something was observed that the vocabulary does not have
   */
  readonly snapshot: () => Graph
  /** How long each edge took; empty when it is not running. */
  readonly latency: () => readonly EdgeLatency[]
  /** The rows as they are kept; empty when it is not running. */
  readonly rows: () => readonly ObservedRow[]
  /** The number of distinct edges; 0 when it is not running. */
  readonly size: () => number
  readonly observe: Observe
}

/**
 * Counts one edge of the host's own: identity and a duration in milliseconds, and never more. Without
 * `from` the source is the tool, resource or prompt whose call this is called in: up to the handler's
 * first `await`, or with `nested: true` anywhere in the call. Never throws.
 *
 * @returns whether it was counted: not while the collector is stopped, and not without `from` where no
 * caller is known, of which a process warning tells the first time
 */
export interface Observe {
  (to: NodeIdentity, kind: EdgeKind, durationMs?: number): boolean
  (from: NodeIdentity, to: NodeIdentity, kind: EdgeKind, durationMs?: number): boolean
}

/** One run of a collector, from a start to a stop. */
interface Run {
  readonly book: RowBook
  readonly end: () => void
}

/**
 * Makes a collector; it counts nothing until it is started. Several may run at once.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_OBSERVED`: see `readCollectorOptions`
 * @see docs/connectome-observed.md
 */
export function createCollector(given: CollectorOptions): Collector {
  const options = readCollectorOptions(given)
  const { server } = options
  const callers = createCallers(options.isNested)
  let run: Run | undefined
  const lifecycle = keepLifecycle()
  const warn = options.isNested ? undefined : warnOnce(server)
  const currentCaller = (): NodeIdentity | undefined => {
    const caller = callerIn(callers.getStore(), server)
    if (caller === undefined) warn?.()
    return caller
  }
  const collector: Collector = {
    server,
    get isRunning() {
      return run !== undefined
    },
    start: () => {
      run ??= begin(options, callers)
    },
    stop: () => {
      run?.end()
      run = undefined
      lifecycle.stopped()
    },
    snapshot: () => {
      if (run === undefined) throw refuseObserved('not_started')
      return graphOf(run.book)
    },
    latency: () => (run === undefined ? [] : latencyOf(run.book)),
    rows: () => (run === undefined ? [] : Array.from(run.book.rows(), copyRow)),
    size: () => run?.book.size() ?? 0,
    observe: (...given: readonly unknown[]) =>
      run !== undefined && observe(run.book, given, currentCaller),
  }
  lifecycle.belongsTo(collector)
  return Object.freeze(collector)
}

function begin(
  { server, countsReads }: ReadCollectorOptions,
  callers: AsyncLocalStorage<unknown>,
): Run {
  const book = createRowBook()
  const channels = countsReads ? ALL_CALLS : [TOOL_CALLS]
  const ends = channels.map((channel) => {
    const { start, end } = tracingChannel<unknown, object>(channel.name)
    const hear = counterOf(channel, server, book)
    end.subscribe(hear)
    bindCaller(start, callers, server)
    return () => {
      end.unsubscribe(hear)
      start.unbindStore(callers)
    }
  })
  return {
    book,
    end: () => {
      for (const end of ends) end()
      callers.disable()
    },
  }
}

/** Within a call to another server the caller stays who it was: that call is part of its work. */
function bindCaller(
  start: Channel<unknown, object>,
  callers: AsyncLocalStorage<unknown>,
  server: string,
): void {
  start.bindStore(callers, (event) => (isOf(server, event) ? event : callers.getStore()))
}

/** An edge that is lost for want of an option is not lost in silence. */
function warnOnce(server: string): () => void {
  let isSaid = false
  return () => {
    if (isSaid) return
    isSaid = true
    process.emitWarning(
      `The collector of '${server}' was told of an edge without \`from\` where it knows no caller; after an await it knows one with \`nested: true\``,
      { type: 'ConnectomeWarning', code: 'BEAM_WARN_OBSERVED_NO_CALLER' },
    )
  }
}

/** `(to, kind, durationMs?)` where the second argument is a kind, else `(from, to, kind, durationMs?)`. */
function observe(
  book: RowBook,
  given: readonly unknown[],
  caller: () => NodeIdentity | undefined,
): boolean {
  try {
    const isShort = typeof given[1] === 'string'
    const [from, to, kind, durationMs] = isShort ? [caller(), ...given] : given
    if (isShort && from === undefined) return false
    const row = book.rowOf(from, to, kind)
    if (row === undefined) return false
    count(row, durationMs)
    return true
  } catch {
    return false
  }
}
