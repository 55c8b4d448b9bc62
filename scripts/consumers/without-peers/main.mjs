// SPDX-License-Identifier: Apache-2.0
// No Fastify here: node:http around the protocol core.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { PassThrough } from 'node:stream'
import { json } from 'node:stream/consumers'
import { createRedisBus } from '@beam-mcp/core/redis'
import { createCatalog, createNotifier, createServer, defineTool } from '@beam-mcp/core/server'
import { runStdio } from '@beam-mcp/core/stdio'
import { ADD, assertAnswer, CALL, callOverHttp, SERVER_INFO } from './exchange.mjs'

const server = createServer({
  ...createCatalog({ tools: [defineTool(ADD)] }),
  serverInfo: SERVER_INFO,
})
await server.ready()
assertAnswer(await server.handle(CALL))

// Whatever has the functions of a client of ioredis will do.
const published = []
const publish = async (channel, text) => published.push(channel, text)
const bus = createRedisBus({
  client: { status: 'ready', publish, duplicate: () => undefined },
  channel: 'shop',
})
createNotifier({ bus }).toolsChanged()
assert.deepEqual(published, ['shop', '{"kind":"tools"}'])

const http = createHttpServer(async (request, response) => {
  const answer = await server.handle(await json(request))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(answer))
})
await once(http.listen(0, '127.0.0.1'), 'listening')
await callOverHttp(`http://127.0.0.1:${http.address().port}/`)
http.close()
http.closeAllConnections()

const [input, output] = [new PassThrough(), new PassThrough()]
input.end(JSON.stringify(CALL))
await runStdio({
  ...createCatalog({ tools: [defineTool(ADD)] }),
  serverInfo: SERVER_INFO,
  input,
  output,
})
assertAnswer(JSON.parse(output.read()))
console.log('without Fastify: in process, over HTTP and over stdio, the answers are right')
