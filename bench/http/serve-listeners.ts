// SPDX-License-Identifier: Apache-2.0
// The plugin with clients that listen for changes; the tool `change` announces one.
import { beamMcp, createCatalog, defineResource, defineTool } from '@beam-mcp/core'
import Fastify from 'fastify'
import { SERVER_INFO } from './messages.ts'
import { reportTo } from './meter.ts'

const app = Fastify()
await app.register(beamMcp, {
  ...createCatalog({
    tools: [
      defineTool({ name: 'echo', handler: (args) => args }),
      defineTool({
        name: 'change',
        handler: () => {
          app.mcp.notify.toolsChanged()
          return 'changed'
        },
      }),
    ],
    resources: [defineResource({ uri: 'atlas://city/a', name: 'a', read: () => 'a' })],
  }),
  serverInfo: SERVER_INFO,
  allowedOrigins: [],
  authorize: () => ({ ok: true }),
  subscriptions: { maxListeners: 10_000 },
})
await app.listen({ port: 0, host: '127.0.0.1' })
reportTo(process, app.server)
