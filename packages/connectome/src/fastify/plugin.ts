// SPDX-License-Identifier: Apache-2.0
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { DiffRecord } from '../diff/record.ts'
import { createGraph } from '../graph/create-graph.ts'
import type { Graph } from '../graph/graph.ts'
import type { Labels } from '../graph/labels.ts'
import type { SurfaceGraph } from '../surface/entries.ts'
import { diffSurface, hashSurface, partOf, type SurfaceParts } from '../surface/read-surface.ts'
import { createSurface, type Surface } from '../surface/surface.ts'
import { createDeclaredSource, type DeclaredSource } from './declared-source.ts'
import { type ConnectomeOptions, readConnectomeOptions } from './options.ts'
import { watchPluginTree } from './plugin-tree.ts'

/** The graphs of an application. Asking changes none of them. */
export interface AppConnectome extends Surface {
  /** @throws ConnectomeError `BEAM_ERR_GRAPH_SURFACE`, `['not_ready', 'declared']` before `ready` */
  readonly declared: () => Graph
  /** @throws ConnectomeError `['missing', 'observed']` without a collector, or what `snapshot` throws */
  readonly observed: () => Graph
  /** @param window  what is said of the time observed. Default: the option */
  readonly diff: (window?: Labels) => DiffRecord
  /** The digest of a graph's canonical bytes in lower-case hexadecimal. @default 'declared' */
  readonly hash: (graph?: SurfaceGraph) => string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The graphs of this application, and what its own catalog may show of them. */
    connectome: AppConnectome
  }
}

const plugin = async (app: FastifyInstance, given: ConnectomeOptions): Promise<void> => {
  const { declared, window, collector, pluginTree, writing } = readConnectomeOptions(given)
  const source = createDeclaredSource(declared)
  const parts: SurfaceParts = {
    ...writing,
    declared: source.graph,
    window,
    ...(collector !== undefined && { observed: collector.snapshot }),
  }
  app.decorate('connectome', createConnectome(source, parts))
  const tree = pluginTree ? watchPluginTree(app) : undefined
  let isOurs = false
  app.addHook('onReady', async () => {
    await source.build()
    if (collector === undefined) return
    isOurs = !collector.isRunning
    collector.start()
    tree?.observe(collector)
  })
  app.addHook('preClose', async () => {
    if (isOurs) collector?.stop()
  })
}

function createConnectome(source: DeclaredSource, parts: SurfaceParts): AppConnectome {
  return Object.freeze({
    ...createSurface(parts),
    declared: source.graph,
    observed: () => createGraph(partOf(parts, 'observed')),
    diff: (window?: Labels) => diffSurface(window === undefined ? parts : { ...parts, window }),
    hash: (graph: SurfaceGraph = 'declared') => hashSurface(graph, parts),
  })
}

/**
 * Puts the graphs of an application on it, as `app.connectome`: what it can do, what it did, and where
 * the two differ. Nothing is served unless the host lists it.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_SURFACE` when it is registered, for its options; what building
 * and checking the declared graph throws, when the application gets ready
 * @see docs/connectome-observed.md, "In Fastify"
 */
export const connectome = fp(plugin, { fastify: '5.x', name: '@beam-mcp/connectome' })
