// SPDX-License-Identifier: Apache-2.0
import { beamMcp, createCatalog, createNotifier, defineResource, defineTool } from '@beam-mcp/core'
import Fastify, { type FastifyInstance } from 'fastify'

const stock = new Map([['apples', 3]])
const notifier = createNotifier()

const sell = defineTool({
  name: 'sell',
  inputSchema: {
    type: 'object',
    properties: { what: { type: 'string' } },
    required: ['what'],
  },
  handler: ({ what }) => {
    const left = (stock.get(String(what)) ?? 0) - 1
    stock.set(String(what), left)
    notifier.resourceUpdated(`stock://${what}`)
    return { left }
  },
})

const apples = defineResource({
  uri: 'stock://apples',
  name: 'apples',
  read: () => String(stock.get('apples')),
})

export async function createApp(): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(beamMcp, {
    ...createCatalog({ tools: [sell], resources: [apples] }),
    subscriptions: { notifier, tools: false, prompts: false, resources: false },
    allowedOrigins: [],
    authorize: () => ({ ok: true }),
  })
  return app
}
