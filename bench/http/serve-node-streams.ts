// SPDX-License-Identifier: Apache-2.0
// The least that node:http holds for a stream of events: an answer that has begun.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { reportTo } from './meter.ts'

const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': begun\n\n')
})
await once(server.listen(0, '127.0.0.1'), 'listening')
reportTo(process, server)
