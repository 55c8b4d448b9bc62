// SPDX-License-Identifier: Apache-2.0
import { buildDeclared } from '@beam-mcp/connectome/declared'
import connectome from '@beam-mcp/connectome/fastify'
import { createCollector } from '@beam-mcp/connectome/observed'
import { beamMcp, createCatalog, defineTool } from '@beam-mcp/core'
import Fastify, { type FastifyInstance } from 'fastify'

/** The first component of every id, for all who write ids: the build, the collector, the server. */
const server = 'greeter'

const greet = defineTool({ name: 'greet', handler: () => 'Hello' })

export async function createApp(): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(connectome, {
    // Asked when the application gets ready, and so with the catalog that is made below.
    declared: () =>
      buildDeclared({
        server,
        catalog: offered.catalog,
        // The second is the name in this application's own package.json.
        scope: { entries: [import.meta.url], packages: ['greeter'] },
        include: ['read'],
      }),
    collector: createCollector({ server, include: ['read'] }),
    window: () => ({ until: new Date().toISOString() }),
  })
  const offered = createCatalog({ tools: [greet], resources: [...app.connectome.resources()] })
  await app.register(beamMcp, {
    ...offered,
    serverInfo: { name: server, version: '1.0.0' },
    allowedOrigins: [],
    authorize: ({ headers }) => ({ ok: headers.authorization === 'Bearer s3cret' }),
  })
  return app
}
