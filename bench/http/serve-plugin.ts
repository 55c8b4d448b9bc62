// SPDX-License-Identifier: Apache-2.0
// The plugin with every check on; its argument is another build of the package to serve with.
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { climateTool } from './climate-tool.ts'
import { SERVER_INFO } from './messages.ts'
import { reportTo } from './meter.ts'

const [build] = process.argv.slice(2)
const { beamMcp, createCatalog, defineTool } = (await import(
  build === undefined ? '@beam-mcp/core' : pathToFileURL(build).href
)) as typeof import('@beam-mcp/core')

const app = Fastify()
await app.register(beamMcp, {
  ...createCatalog({ tools: [climateTool(defineTool)] }),
  serverInfo: SERVER_INFO,
  allowedOrigins: [],
  authorize: () => ({ ok: true }),
  // Longer than any measurement holds a body.
  bodyTimeout: 600_000,
})
await app.listen({ port: 0, host: '127.0.0.1' })
reportTo(process, app.server)
