// SPDX-License-Identifier: Apache-2.0

import type { FunctionTable } from '../declared/function-table.ts'
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import { isPlainObject, unknownKey } from '../graph/plain-object.ts'
import type { Collector } from '../observed/collector.ts'
import { type Lifecycle, lifecycleOf } from '../observed/lifecycle.ts'
import { type ModulePlaces, readTable } from './find-place.ts'
import { readProcesses, type TracedProcess } from './processes.ts'

/** What is traced, and for how long. */
export interface TracerOptions {
  /** A running collector, which counts the edges. */
  readonly collector: Collector
  /**
   * Modules whose functions are traced, each loaded already: an absolute path, a `file:` URL, or an id
   * as a declared graph has it, `<package>/<path from its package.json>`. No patterns.
   */
  readonly modules?: readonly string[]
  /**
   * Where functions stand, from `readFunctions` of `@beam-mcp/connectome/declared`: edges are between
   * functions then. Of the modules that are traced, and of those whose calls count.
   */
  readonly functions?: FunctionTable
  /** Worker threads and child processes of this one, by the names of their nodes. */
  readonly processes?: Readonly<Record<string, TracedProcess>>
  /** The most calls and messages that are taken in, from 1. @default 1_000 */
  readonly maxEvents?: number
  /** Milliseconds until it ends by itself, 1 to 2,147,483,647. @default 5_000 */
  readonly maxDurationMs?: number
}

/** The same, checked and with every default filled in. */
export interface ReadTracerOptions {
  readonly collector: Collector
  readonly lifecycle: Lifecycle
  readonly modules: readonly string[]
  readonly functions: ReadonlyMap<string, ModulePlaces> | undefined
  readonly processes: ReadonlyMap<string, TracedProcess>
  readonly maxEvents: number
  readonly maxDurationMs: number
}

const KEYS = ['collector', 'modules', 'functions', 'processes', 'maxEvents', 'maxDurationMs']

/** Milliseconds: the longest timer Node holds. */
const LONGEST_TIMER_MS = 2_147_483_647

export const refuseTracer = (...reason: Reason): ConnectomeError =>
  new ConnectomeError(CONNECTOME_CODES.TRACER, reason)

/**
 * @throws ConnectomeError `BEAM_ERR_GRAPH_TRACER` with, in this order: `['invalid', 'options', given]`,
 * `['unknown_option', key]`, `['missing', 'collector' | 'modules']`, `['invalid', 'collector', given]`,
 * `['collector_not_started']`, `['invalid', field, value]` for `modules`, `functions`, `processes`,
 * `max_events`, `max_duration_ms`, `['not_registered', name]`
 */
export function readTracerOptions(options: unknown): ReadTracerOptions {
  if (!isPlainObject(options)) throw refuseTracer('invalid', 'options', options)
  const unknown = unknownKey(options, KEYS)
  if (unknown !== undefined) throw refuseTracer('unknown_option', unknown)
  const { collector, modules = [], processes = {} } = options
  if (collector === undefined) throw refuseTracer('missing', 'collector')
  if (options['modules'] === undefined && options['processes'] === undefined) {
    throw refuseTracer('missing', 'modules')
  }
  const lifecycle = Object(collector) === collector ? lifecycleOf(Object(collector)) : undefined
  if (lifecycle === undefined) throw refuseTracer('invalid', 'collector', collector)
  const known = collector as Collector // only ours have a lifecycle
  if (!known.isRunning) throw refuseTracer('collector_not_started')
  if (!Array.isArray(modules) || (options['modules'] !== undefined && modules.length === 0)) {
    throw refuseTracer('invalid', 'modules', modules)
  }
  const bad: unknown = modules.find((one) => typeof one !== 'string' || one.includes('*'))
  if (bad !== undefined) throw refuseTracer('invalid', 'modules', bad)
  const functions = readFunctionTable(options['functions'])
  if (!isPlainObject(processes)) throw refuseTracer('invalid', 'processes', processes)
  return {
    collector: known,
    lifecycle,
    modules: modules as readonly string[], // each was looked at
    functions,
    maxEvents: readLimit('max_events', options['maxEvents'], 1_000, Number.MAX_SAFE_INTEGER),
    maxDurationMs: readLimit('max_duration_ms', options['maxDurationMs'], 5_000, LONGEST_TIMER_MS),
    processes: readProcesses(processes, (name) => refuseTracer('not_registered', name)),
  }
}

function readFunctionTable(given: unknown): ReadonlyMap<string, ModulePlaces> | undefined {
  if (given === undefined) return undefined
  const table = readTable(given)
  if (table === undefined) throw refuseTracer('invalid', 'functions', given)
  return table
}

function readLimit(field: string, given: unknown, fallback: number, most: number): number {
  if (given === undefined) return fallback
  if (Number.isSafeInteger(given) && Number(given) > 0 && Number(given) <= most) {
    return Number(given)
  }
  throw refuseTracer('invalid', field, given)
}
