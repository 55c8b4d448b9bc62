// SPDX-License-Identifier: Apache-2.0
const { createCatalog, createServer, defineTool } = require('@beam-mcp/core/server')
const { ADD, assertAnswer, CALL, SERVER_INFO } = require('./exchange.mjs')

const catalog = createCatalog({ tools: [defineTool(ADD)] })
createServer({ ...catalog, serverInfo: SERVER_INFO })
  .handle(CALL)
  .then(assertAnswer)
  .then(() => console.log('require without Fastify: the answer is right'))
  .catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
