// SPDX-License-Identifier: Apache-2.0
// What neither example sets up of the package that both run on: further decisions, completers, prompts
// and templates, and an argument that a header mirrors. A driver's own code is not part of what is judged.
import { createBeam } from '@beam-mcp/core'
import { createTestClient } from '@beam-mcp/core/testing'
import Fastify from 'fastify'

export async function driveCore(): Promise<void> {
  const app = Fastify()
  const beam = createBeam()
  const catalog = beam.createCatalog({
    tools: [
      beam.defineTool({
        name: 'mirrored',
        description: 'Answers what it is given.',
        inputSchema: {
          type: 'object',
          properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        },
        handler: async () => 'done',
      }),
    ],
    resourceTemplates: [
      {
        uriTemplate: 'case://{name}',
        name: 'case',
        read: async () => 'case',
        complete: { name: async () => ['one', 'two'] },
      },
    ],
    prompts: [
      {
        name: 'ask',
        arguments: [{ name: 'what', required: true, complete: async () => ['one'] }],
        render: async () => 'ask',
      },
    ],
  })
  await app.register(beam.plugin, {
    ...catalog,
    serverInfo: { name: 'cases', version: '1' },
    allowedOrigins: [],
    authorize: async () => ({ ok: true as const }),
    authorizeBody: async () => ({ ok: true as const }),
    authorizeCall: async () => ({ ok: true as const }),
  })
  const client = createTestClient(app)
  await client.listTools()
  await client.callTool('mirrored', { region: 'north' })
  await client.readResource('case://one')
  await client.getPrompt('ask', { what: 'one' })
  const name = { name: 'what', value: 'o' }
  await client.complete({ type: 'ref/prompt', name: 'ask' }, name)
  await client.complete({ type: 'ref/resource', uri: 'case://{name}' }, { ...name, name: 'name' })
  await app.close()
}
