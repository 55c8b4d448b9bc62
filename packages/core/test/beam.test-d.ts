// SPDX-License-Identifier: Apache-2.0
import {
  type AuthorizeCallTarget,
  type BeamMcpOptions,
  beamMcp,
  type CallContext,
  createBeam,
  type Decision,
  type Denial,
  type McpEndpoints,
} from '@beam-mcp/core'
import { createServer, createBeam as createServerBeam } from '@beam-mcp/core/server'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { describe, expectTypeOf, test } from 'vitest'

interface User {
  readonly id: string
  readonly isAdmin: boolean
}

const beam = createBeam<User>()
const user: User = { id: 'u', isAdmin: false }
const app = Fastify()

const parts = {
  tools: [
    beam.defineTool({
      name: 't',
      inputSchema: Type.Object({ city: Type.String() }),
      handler: ({ city }, context) => {
        expectTypeOf(city).toEqualTypeOf<string>()
        expectTypeOf(context.principal).toEqualTypeOf<User>()
        return context.principal.id
      },
    }),
  ],
  resources: [
    beam.defineResource({ uri: 'a:1', name: 'n', read: ({ principal }) => principal.id }),
  ],
  resourceTemplates: [
    beam.defineResourceTemplate({
      uriTemplate: 'a:{x}',
      name: 'n',
      read: (_uri, { principal }) => principal.id,
    }),
  ],
  prompts: [
    beam.definePrompt({
      name: 'p',
      arguments: [{ name: 'a', required: true }],
      render: ({ a }, { principal }) => a + principal.id,
    }),
  ],
}
const made = beam.createCatalog({
  ...parts,
  allows: (entry, { principal }) => entry.type !== 'tool' || principal.isAdmin,
})
const required = { ...made, allowedOrigins: [] }

describe('createBeam', () => {
  test("links authorize's principal to the context's", () => {
    app.register(beam.plugin, { ...required, authorize: () => ({ ok: true, principal: user }) })
    app.register(beam.plugin, {
      ...required,
      authorize: async (request) => {
        expectTypeOf(request).toEqualTypeOf<FastifyRequest>()
        return { ok: false, status: 401, challenge: 'Bearer' }
      },
      authorizeCall: (target) => {
        expectTypeOf(target).toEqualTypeOf<AuthorizeCallTarget<User>>()
        expectTypeOf(target.principal).toEqualTypeOf<User>()
        expectTypeOf(target.name).toEqualTypeOf<string | undefined>()
        expectTypeOf(target.request).toEqualTypeOf<FastifyRequest | undefined>()
        return target.principal.isAdmin ? { ok: true } : { ok: false }
      },
    })
  })

  test('refuses a principal of another type', () => {
    // @ts-expect-error a text is no user
    app.register(beam.plugin, { ...required, authorize: () => ({ ok: true, principal: 'u' }) })
    const half = { id: 'u' }
    // @ts-expect-error a part of a user is none
    app.register(beam.plugin, { ...required, authorize: () => ({ ok: true, principal: half }) })
    // @ts-expect-error an admission names the user
    app.register(beam.plugin, { ...required, authorize: () => ({ ok: true }) })
  })

  test('refuses a catalog of another principal', () => {
    const other = createBeam<{ tenant: number }>()
    app.register(other.plugin, {
      allowedOrigins: [],
      authorize: () => ({ ok: true, principal: { tenant: 1 } }),
      // @ts-expect-error its tools want a user
      catalog: made.catalog,
      dispatch: () => 'x',
    })
  })

  test('does the same without the plugin', () => {
    const { catalog, dispatch } = createServerBeam<User>().createCatalog(parts)
    const server = createServer<User>({ catalog, dispatch })
    server.handle({}, { principal: user })
    // @ts-expect-error a text is no user
    server.handle({}, { principal: 'u' })
  })
})

describe('a decision', () => {
  test('names the principal unless it may be undefined', () => {
    expectTypeOf<Decision<User>>().toEqualTypeOf<
      { readonly ok: true; readonly principal: User; readonly expiresAt?: Date | number } | Denial
    >()
    expectTypeOf<Decision>().toEqualTypeOf<
      | { readonly ok: true; readonly principal?: unknown; readonly expiresAt?: Date | number }
      | Denial
    >()
    expectTypeOf<Decision<User | undefined>>().toExtend<{ readonly ok: boolean }>()
    expectTypeOf<{ ok: true }>().toExtend<Decision<User | undefined>>()
    expectTypeOf<{ ok: true }>().not.toExtend<Decision<User>>()
    expectTypeOf<{ ok: 1 }>().not.toExtend<Decision>()
    expectTypeOf<boolean>().not.toExtend<Decision>()
  })

  test('denies with a status, a challenge and a reason, all optional', () => {
    expectTypeOf<Denial>().toEqualTypeOf<{
      readonly ok: false
      readonly reason?: string
      readonly status?: 401 | 403
      readonly challenge?: string
    }>()
    expectTypeOf<{ ok: false }>().toExtend<Denial>()
    expectTypeOf<{ ok: false; status: 404 }>().not.toExtend<Denial>()
  })
})

describe('the plugin', () => {
  test('has no default for authorize and allowedOrigins', () => {
    // @ts-expect-error authorize is missing
    app.register(beamMcp, { ...made, allowedOrigins: [] })
    // @ts-expect-error allowedOrigins are missing
    app.register(beamMcp, { ...made, authorize: () => ({ ok: true }) })
    // @ts-expect-error one origin is no list
    app.register(beamMcp, { ...made, authorize: () => ({ ok: true }), allowedOrigins: '*' })
    expectTypeOf<'any'>().toExtend<BeamMcpOptions['allowedOrigins']>()
  })

  test('adds the request to the context, and its endpoints to the application', () => {
    expectTypeOf<CallContext['request']>().toEqualTypeOf<FastifyRequest | undefined>()
    expectTypeOf<FastifyInstance['mcp']>().toEqualTypeOf<McpEndpoints>()
  })
})
