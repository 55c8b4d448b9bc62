// SPDX-License-Identifier: Apache-2.0
import { beamMcp, createCatalog, defineTool } from '@beam-mcp/core'
import Fastify, { type FastifyInstance } from 'fastify'

/** @param hosts  names by which clients reach the proxy: `api.example` */
export async function createApp(hosts: readonly string[]): Promise<FastifyInstance> {
  const whence = defineTool({
    name: 'whence',
    handler: (_args, { request }) => ({ ip: request?.ip, protocol: request?.protocol }),
  })
  // Only what the proxy itself says is believed: anyone else's X-Forwarded-For is not.
  const app = Fastify({ trustProxy: '127.0.0.1' })
  await app.register(beamMcp, {
    ...createCatalog({ tools: [whence] }),
    allowedOrigins: [],
    allowedHosts: hosts,
    authorize: ({ headers }) => ({ ok: headers.authorization === 'Bearer s3cret' }),
  })
  return app
}
