// SPDX-License-Identifier: Apache-2.0
import { type AuthorizeCallTarget, createBeam, type Decision } from '@beam-mcp/core'
import Fastify, { type FastifyInstance } from 'fastify'
import { type BearerConfig, type Caller, createBearer } from './bearer.ts'

/** What each tool needs. One that is not here needs a scope that nobody is given. */
const NEEDED: ReadonlyMap<string, string> = new Map([
  ['read_note', 'notes:read'],
  ['write_note', 'notes:write'],
])

/** A broader scope holds the narrower ones: `notes` is `notes:read` and `notes:write`. */
function isGranted({ scopes }: Caller, needed: string): boolean {
  return scopes.has(needed) || scopes.has(needed.split(':')[0] ?? needed)
}

export async function createApp(config: BearerConfig): Promise<FastifyInstance> {
  const bearer = createBearer(config)
  const beam = createBeam<Caller>()
  const authorizeCall = ({ method, name, principal }: AuthorizeCallTarget<Caller>): Decision => {
    if (method !== 'tools/call') return { ok: true }
    const needed = NEEDED.get(name ?? '') ?? 'nobody'
    if (isGranted(principal, needed)) return { ok: true }
    const challenge = `Bearer ${bearer.challenge('insufficient_scope', needed)}`
    return { ok: false, status: 403, reason: `${name} needs ${needed}`, challenge }
  }
  const app = Fastify()
  bearer.addMetadata(app)
  await app.register(beam.plugin, {
    ...beam.createCatalog({
      tools: [
        beam.defineTool({ name: 'read_note', handler: () => 'a note' }),
        beam.defineTool({ name: 'write_note', handler: () => 'written' }),
        beam.defineTool({ name: 'forgotten', handler: () => 'in no list of scopes' }),
      ],
    }),
    allowedOrigins: [],
    authorize: bearer.authorize,
    authorizeCall,
  })
  return app
}
