// SPDX-License-Identifier: Apache-2.0
import connectome from '@beam-mcp/connectome/fastify'
import { beamMcp } from '@beam-mcp/core'
import Fastify, { type FastifyInstance } from 'fastify'
import { shopCatalog } from './catalog.ts'
import { DECLARED } from './declared.ts'
import { collector, SERVER } from './effects.ts'

/** The shop: an MCP endpoint at /mcp, and the graphs of what it can do and did. */
export async function buildApp(): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(connectome, {
    declared: DECLARED,
    collector,
    window: () => ({ until: new Date().toISOString() }),
  })
  await app.register(beamMcp, {
    ...shopCatalog(app),
    serverInfo: { name: SERVER, version: '1.0.0' },
    allowedOrigins: [],
    // Open, since it listens on this machine alone and ends after its calls.
    authorize: () => ({ ok: true }),
  })
  return app
}
