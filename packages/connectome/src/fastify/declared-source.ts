// SPDX-License-Identifier: Apache-2.0
import { diff } from '../diff/diff.ts'
import { createGraph } from '../graph/create-graph.ts'
import type { Graph, GraphInput } from '../graph/graph.ts'
import { type ConnectomeOptions, refusePlugin } from './options.ts'

const NOTHING: GraphInput = { nodes: [], edges: [] }

/** The declared graph of an application, made once. */
export interface DeclaredSource {
  /** Makes the graph and checks it, its bytes and its provenance. */
  readonly build: () => Promise<void>
  /** @throws ConnectomeError `BEAM_ERR_GRAPH_SURFACE` with `['not_ready', 'declared']` */
  readonly graph: () => Graph
}

export function createDeclaredSource(given: ConnectomeOptions['declared']): DeclaredSource {
  let graph: Graph | undefined
  // A promise may fail before anyone waits for it; it is waited for when the application gets ready.
  if (typeof given !== 'function') Promise.resolve(given).catch(() => {})
  return {
    build: async () => {
      const made = await (typeof given === 'function' ? given() : given)
      const checked = createGraph('graph' in made ? made.graph : made)
      // All that a diff asks of its declared side, before anyone asks for one.
      diff(checked, NOTHING, { window: {} })
      graph = checked
    },
    graph: () => {
      if (graph === undefined) throw refusePlugin('not_ready', 'declared')
      return graph
    },
  }
}
