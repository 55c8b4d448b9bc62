// SPDX-License-Identifier: Apache-2.0
// The least that Fastify holds for a stream of events: a route that answers with one and says nothing more.
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { reportTo } from './meter.ts'

const app = Fastify()
app.post('/mcp', (_request, reply) => {
  const stream = new Readable({ read: () => undefined })
  stream.push(': begun\n\n')
  reply.header('content-type', 'text/event-stream').send(stream)
})
await app.listen({ port: 0, host: '127.0.0.1' })
reportTo(process, app.server)
