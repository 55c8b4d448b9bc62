// SPDX-License-Identifier: Apache-2.0
import type { WriteOptions } from '../canonical/write-options.ts'
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import type { Graph, GraphInput } from '../graph/graph.ts'
import type { Labels } from '../graph/labels.ts'
import { isPlainObject, unknownKey } from '../graph/plain-object.ts'
import type { Collector } from '../observed/collector.ts'
import type { Supplied } from '../surface/read-surface.ts'

/** A graph, or what `buildDeclared` answers. */
export type DeclaredGraph = Graph | GraphInput | { readonly graph: Graph | GraphInput }

/** The options of the plugin. Whatever is not named here is refused. */
export interface ConnectomeOptions extends WriteOptions {
  /** The declared graph, or what makes it when the application gets ready. Required. */
  readonly declared:
    | DeclaredGraph
    | PromiseLike<DeclaredGraph>
    | (() => DeclaredGraph | PromiseLike<DeclaredGraph>)
  /** What the host says of the time observed, asked anew for each diff. Required. */
  readonly window: Supplied<Labels>
  /** Started when the application is ready, stopped when it closes, unless it runs already. */
  readonly collector?: Collector
  /**
   * Whether the scopes of plugins registered after this one are observed, as `process` nodes with
   * `supervise` edges, and which of them serves the server's endpoint. Takes a collector. @default false
   */
  readonly pluginTree?: boolean
}

/** The same, checked. */
export interface ReadConnectomeOptions {
  readonly declared: ConnectomeOptions['declared']
  readonly window: Supplied<Labels>
  readonly collector: Collector | undefined
  readonly pluginTree: boolean
  readonly writing: WriteOptions
}

/** Fastify's own are passed to every plugin. */
const FASTIFY_KEYS = ['prefix', 'logLevel', 'logSerializers']
const KEYS = ['declared', 'window', 'collector', 'pluginTree', 'schemaVersion', 'algorithm']

export const refusePlugin = (...reason: Reason): ConnectomeError =>
  new ConnectomeError(CONNECTOME_CODES.SURFACE, reason)

/**
 * @throws ConnectomeError `BEAM_ERR_GRAPH_SURFACE` with, in this order: `['invalid', 'options', given]`,
 * `['unknown_option', key]`, `['missing', 'declared' | 'window']`, `['invalid', field, value]`
 */
export function readConnectomeOptions(given: unknown): ReadConnectomeOptions {
  if (!isPlainObject(given)) throw refusePlugin('invalid', 'options', given)
  const unknown = unknownKey(given, [...KEYS, ...FASTIFY_KEYS])
  if (unknown !== undefined) throw refusePlugin('unknown_option', unknown)
  const { declared, window, collector, pluginTree = false, schemaVersion, algorithm } = given
  if (declared === undefined) throw refusePlugin('missing', 'declared')
  if (window === undefined) throw refusePlugin('missing', 'window')
  if (typeof declared !== 'function' && (typeof declared !== 'object' || declared === null)) {
    throw refusePlugin('invalid', 'declared', declared)
  }
  if (typeof window !== 'function' && !isPlainObject(window)) {
    throw refusePlugin('invalid', 'window', window)
  }
  if (collector !== undefined && !isCollector(collector)) {
    throw refusePlugin('invalid', 'collector', collector)
  }
  if (typeof pluginTree !== 'boolean' || (pluginTree && collector === undefined)) {
    throw refusePlugin('invalid', 'plugin_tree', pluginTree)
  }
  return {
    declared: declared as ConnectomeOptions['declared'], // read when the application gets ready
    window: window as Supplied<Labels>, // the diff checks it
    collector,
    pluginTree,
    writing: {
      ...(schemaVersion !== undefined && { schemaVersion }),
      ...(algorithm !== undefined && { algorithm }),
    } as WriteOptions, // the encoder checks them
  }
}

function isCollector(value: unknown): value is Collector {
  if (typeof value !== 'object' || value === null) return false
  const { start, stop, snapshot, observe } = value as Partial<Record<string, unknown>>
  return [start, stop, snapshot, observe].every((one) => typeof one === 'function')
}
