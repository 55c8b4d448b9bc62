// SPDX-License-Identifier: Apache-2.0
const { createCatalog, createServer, defineTool } = require('@beam-mcp/core/server')
const Fastify = require('fastify')
const { ADD, assertAnswer, CALL, callOverHttp, SERVER_INFO } = require('./exchange.mjs')

async function main() {
  const catalog = createCatalog({ tools: [defineTool(ADD)] })
  assertAnswer(await createServer({ ...catalog, serverInfo: SERVER_INFO }).handle(CALL))

  const app = Fastify()
  // Fastify takes the default export of a module.
  await app.register(require('@beam-mcp/core'), {
    ...catalog,
    serverInfo: SERVER_INFO,
    allowedOrigins: [],
    authorize: () => ({ ok: true }),
  })
  await callOverHttp(`${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`)
  await app.close()
  console.log('require: in process and over HTTP, the answers are right')
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
