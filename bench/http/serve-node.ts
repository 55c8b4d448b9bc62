// SPDX-License-Identifier: Apache-2.0
// The physical limit: node:http that collects the body, parses it and answers.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { answerTo, type Message } from './messages.ts'
import { reportTo } from './meter.ts'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Message
    const body = JSON.stringify(answerTo(message))
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
})

server.listen(0, '127.0.0.1')
await once(server, 'listening')
reportTo(process, server)
