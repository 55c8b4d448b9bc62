// SPDX-License-Identifier: Apache-2.0
import { createHash, timingSafeEqual } from 'node:crypto'
import { type BeamMcpOptions, beamMcp } from '@beam-mcp/core'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import { about, weather } from './catalog.ts'
import { STATIONS } from './climate.ts'

/** How the application is set up. */
export interface AppOptions {
  /** The bearer token that callers of the MCP endpoint send. */
  readonly token: string
  /** Whether Fastify writes its log to standard output. */
  readonly logger: boolean
  /** The revisions served. @default ['2026-07-28'] */
  readonly revisions?: NonNullable<BeamMcpOptions['revisions']>
}

/** The application: an ordinary route of its own, and the MCP endpoint at /mcp. */
export async function buildApp({
  token,
  logger,
  revisions = ['2026-07-28'],
}: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({ logger }).withTypeProvider<TypeBoxTypeProvider>()

  app.get(
    '/health',
    { schema: { response: { 200: Type.Object({ stations: Type.Integer() }) } } },
    () => ({ stations: STATIONS.length }),
  )

  await app.register(beamMcp, {
    ...weather,
    ...about,
    revisions,
    allowedOrigins: [],
    authorize: (request) =>
      isSame(request.headers.authorization ?? '', `Bearer ${token}`)
        ? { ok: true }
        : { ok: false, status: 401, challenge: 'Bearer realm="weather"' },
  })
  return app
}

/** Compares digests, so that the time taken says nothing of the token. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
