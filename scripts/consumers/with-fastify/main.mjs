// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict'
import plugin, { beamMcp, createCatalog, createServer, defineTool } from '@beam-mcp/core'
import Fastify from 'fastify'
import { ADD, assertAnswer, CALL, callOverHttp, SERVER_INFO } from './exchange.mjs'

assert.equal(plugin, beamMcp)
const catalog = createCatalog({ tools: [defineTool(ADD)] })
assertAnswer(await createServer({ ...catalog, serverInfo: SERVER_INFO }).handle(CALL))

const app = Fastify()
await app.register(beamMcp, {
  ...catalog,
  serverInfo: SERVER_INFO,
  allowedOrigins: [],
  authorize: () => ({ ok: true }),
})
await callOverHttp(`${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`)
assertAnswer(await app.mcp.handle(CALL))
await app.close()
console.log('import: in process and over HTTP, the answers are right')
