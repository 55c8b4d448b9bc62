// SPDX-License-Identifier: Apache-2.0
import type { FastifyInstance } from 'fastify'

/** Tells a client to send its body only when every `onRequest` hook has let the request pass. */
export function continueWhenAdmitted(app: FastifyInstance): void {
  const waiting = new WeakSet<object>()
  // With this listener, Node leaves the answer to an Expect to it.
  app.server.on('checkContinue', (request, response) => {
    waiting.add(request)
    app.server.emit('request', request, response)
  })
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (waiting.has(request.raw)) reply.raw.writeContinue()
    done()
  })
}
