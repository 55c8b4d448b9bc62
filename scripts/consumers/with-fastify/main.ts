// SPDX-License-Identifier: Apache-2.0
import {
  beamMcp,
  type CallContext,
  createBeam,
  createCatalog,
  type McpEndpoints,
} from '@beam-mcp/core'
import { createOpenTelemetry } from '@beam-mcp/core/opentelemetry'
import type { StdioOptions } from '@beam-mcp/core/stdio'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const hold = <_Claim extends true>(): void => {}

hold<Same<CallContext['request'], FastifyRequest | undefined>>()
hold<Same<FastifyInstance['mcp'], McpEndpoints>>()

interface Person {
  readonly name: string
}
const beam = createBeam<Person>()
const whoAmI = beam.defineTool({
  name: 'who_am_i',
  handler: (_args, context) => {
    hold<Same<typeof context.principal, Person>>()
    hold<Same<typeof context.request, FastifyRequest | undefined>>()
    return `${context.principal.name} from ${context.request?.ip ?? 'this process'}`
  },
})

const app = Fastify()
await app.register(beam.plugin, {
  ...beam.createCatalog({ tools: [whoAmI] }),
  allowedOrigins: [],
  authorize: (request) =>
    request.headers.authorization === 'Bearer ada'
      ? { ok: true, principal: { name: 'Ada' } }
      : { ok: false, status: 401, challenge: 'Bearer' },
})
await app.register(beamMcp, {
  ...createCatalog({ tools: [{ name: 'ping', handler: () => 'pong' }] }),
  prefix: '/open',
  instrument: createOpenTelemetry(),
  logLevel: 'warn',
  allowedOrigins: 'any',
  authorize: () => ({ ok: true }),
})
await app.register(beam.plugin, {
  ...beam.createCatalog({ tools: [whoAmI] }),
  prefix: '/wrong',
  allowedOrigins: [],
  // @ts-expect-error the principal is a Person
  authorize: () => ({ ok: true, principal: { title: 'Ada' } }),
})
const people = beam.createCatalog({ tools: [whoAmI] })
hold<Same<StdioOptions<Person>['principal'], Person | undefined>>()
void ({
  ...people,
  principal: { name: 'Ada' },
  input: process.stdin,
} satisfies StdioOptions<Person>)
// @ts-expect-error the principal is a Person
void ({ ...people, principal: { title: 'Ada' } } satisfies StdioOptions<Person>)
// @ts-expect-error authorize and allowedOrigins are required
void (() => app.register(beamMcp, createCatalog({ tools: [] })))

await app.ready()
const message = {
  jsonrpc: '2.0',
  id: 'one',
  method: 'tools/call',
  params: {
    name: 'who_am_i',
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}
const answer = await app.mcp.handle(message, { principal: { name: 'Ada' } })
const content = JSON.stringify(answer?.result?.['content'])
if (content !== '[{"type":"text","text":"Ada from this process"}]') throw new Error(content)
if (app.mcp.at('/open/mcp') === app.mcp.at('/mcp')) throw new Error('one endpoint for two paths')
await app.close()
console.log('types: the compiled program answers right')
