// SPDX-License-Identifier: Apache-2.0
import { buildDeclared } from '@beam-mcp/connectome/declared'
import connectome from '@beam-mcp/connectome/fastify'
import { type Collector, createCollector } from '@beam-mcp/connectome/observed'
import { startTracer, type Tracer } from '@beam-mcp/connectome/tracer'
import { beamMcp } from '@beam-mcp/core'
import Fastify, { type FastifyInstance } from 'fastify'
import { shopCatalog } from './catalog.ts'
import { loadPlugin, moduleUrl } from './plugin.ts'

/** The name of the server: the first component of every id. */
const SERVER = 'shop'

/** The application, and what counts the things it does. */
export interface Shop {
  readonly app: FastifyInstance
  readonly collector: Collector
}

/** The shop: an MCP endpoint at /mcp that also serves the graphs of what it can do and did. */
export async function buildShop(): Promise<Shop> {
  const app = Fastify()
  const collector = createCollector({ server: SERVER })
  const plugin = await loadPlugin()
  await app.register(connectome, {
    // What it can do, from its source: this module, and those of this package that it leads to.
    declared: () =>
      buildDeclared({
        server: SERVER,
        catalog: shop.catalog,
        scope: { entries: [import.meta.url], packages: ['beam-mcp-example-drift'] },
      }),
    collector,
    window: () => ({ until: new Date().toISOString() }),
  })
  const shop = shopCatalog(plugin, app.connectome.resources())
  await app.register(beamMcp, {
    ...shop,
    serverInfo: { name: SERVER, version: '1.0.0' },
    allowedOrigins: [],
    // Open, since it listens on this machine alone and ends after its calls.
    authorize: () => ({ ok: true }),
  })
  return { app, collector }
}

/** Traces what the tools call, until it is stopped or for a minute. */
export function traceEffects({ collector }: Shop): Tracer {
  const modules = ['prices', 'stock', 'partner'].map(moduleUrl)
  return startTracer({ collector, modules, maxDurationMs: 60_000 })
}
