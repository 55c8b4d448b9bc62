// SPDX-License-Identifier: Apache-2.0
// The peer that ratios are taken to: a Fastify route with its own JSON parser and no schema.
import Fastify from 'fastify'
import { answerTo, type Message } from './messages.ts'
import { reportTo } from './meter.ts'

const app = Fastify()
app.post('/mcp', (request, reply) => reply.send(answerTo(request.body as Message)))
await app.listen({ port: 0, host: '127.0.0.1' })
reportTo(process, app.server)
