// SPDX-License-Identifier: Apache-2.0
import { createHmac, timingSafeEqual } from 'node:crypto'
import { beamMcp, createCatalog, type Decision, defineTool } from '@beam-mcp/core'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'

/** Seconds that a clock may differ, and that a signature counts. */
const WINDOW_S = 300

/** The header is `x-signature: <unix seconds>.<hex of HMAC-SHA-256 over "<unix seconds>.<body>">`. */
export function sign(secret: string, seconds: number, body: Uint8Array): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
  return `${seconds}.${digest}`
}

export function createSignatureCheck(secret: string, now: () => number = Date.now) {
  /** Signatures that were used, with the second from which their time has run out anyway. */
  const used = new Map<string, number>()

  return ({ headers }: FastifyRequest, rawBody: Buffer): Decision => {
    const given = String(headers['x-signature'] ?? '')
    const [, digits] = /^([0-9]{1,12})\.[0-9a-f]{64}$/.exec(given) ?? []
    if (digits === undefined) return { ok: false, status: 401, reason: 'no signature' }
    const seconds = Number(digits)
    const current = Math.floor(now() / 1000)
    if (Math.abs(current - seconds) > WINDOW_S) {
      return { ok: false, status: 401, reason: 'signed too long ago, or ahead of time' }
    }
    const expected = sign(secret, seconds, rawBody)
    // The pattern fixed the length of one, and the number in it may have been written otherwise.
    if (
      given.length !== expected.length ||
      !timingSafeEqual(Buffer.from(given), Buffer.from(expected))
    ) {
      return { ok: false, status: 401, reason: 'the signature is another' }
    }
    for (const [signature, until] of used) if (until < current) used.delete(signature)
    if (used.has(given)) return { ok: false, status: 401, reason: 'the signature was used' }
    used.set(given, seconds + WINDOW_S)
    return { ok: true }
  }
}

export async function createApp(secret: string, now?: () => number): Promise<FastifyInstance> {
  const ping = defineTool({ name: 'ping', handler: () => 'pong' })
  const app = Fastify()
  await app.register(beamMcp, {
    ...createCatalog({ tools: [ping] }),
    allowedOrigins: [],
    // The bytes decide: nothing is refused, and nothing but the bounded body is read, before them.
    authorize: () => ({ ok: true }),
    authorizeBody: createSignatureCheck(secret, now),
  })
  return app
}
