// SPDX-License-Identifier: Apache-2.0
import { beamMcp, createCatalog, defineTool } from '@beam-mcp/core'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance } from 'fastify'

/** @param origins  of the pages that may call: `https://app.example` */
export async function createApp(origins: readonly string[]): Promise<FastifyInstance> {
  const add = defineTool({
    name: 'add',
    inputSchema: {
      type: 'object',
      properties: {
        a: { type: 'integer', 'x-mcp-header': 'A' },
        b: { type: 'integer' },
      },
      required: ['a', 'b'],
    },
    handler: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
  })
  const app = Fastify()
  // Before the endpoint, so that it answers the preflights, which carry no token.
  await app.register(cors, {
    // Another origin gets no answer from here: the endpoint refuses it, preflights too.
    origin: async (origin: string | undefined) =>
      origin !== undefined && origins.includes(origin) ? origin : false,
    methods: ['POST'],
    // No allowedHeaders: those that are asked for are allowed, Mcp-Param-* of any tool among them.
    exposedHeaders: ['WWW-Authenticate', 'Retry-After'],
    maxAge: 600,
  })
  await app.register(beamMcp, {
    ...createCatalog({ tools: [add] }),
    allowedOrigins: origins,
    authorize: ({ headers }) =>
      headers.authorization === 'Bearer s3cret'
        ? { ok: true }
        : { ok: false, status: 401, challenge: 'Bearer' },
  })
  return app
}
