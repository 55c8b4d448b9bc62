// SPDX-License-Identifier: Apache-2.0
// What neither example sets up of the package that both run on: further decisions, completers, prompts
// and templates, and an argument that a header mirrors. A driver's own code is not part of what is judged.
import { createBeam, createNotifier } from '@beam-mcp/core'
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
  for (const isFailing of [false, true]) await driveListeners(isFailing)
}

const PLAIN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'cases', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/**
 * Everything that tells the host or a client of what goes on: reports, instruments, subscriptions.
 *
 * @param isFailing  whether the host's callbacks answer at once, or fail later
 */
async function driveListeners(isFailing: boolean): Promise<void> {
  const told = (): Promise<void> | undefined =>
    isFailing ? Promise.reject(new Error('as wanted')) : undefined
  const app = Fastify()
  const beam = createBeam()
  const bus = {
    publish: async () => Promise.reject(new Error('no bus')),
    subscribe: () => () => {},
  }
  const notifier = createNotifier({ bus, onError: told })
  await app.register(beam.plugin, {
    ...beam.createCatalog({
      tools: [
        beam.defineTool({
          name: 'slow',
          handler: async (_args, { progress }) => {
            await progress(1)
            return 'done'
          },
        }),
      ],
    }),
    serverInfo: { name: 'listeners', version: '1' },
    allowedOrigins: [],
    authorize: () => ({ ok: true as const }),
    onCall: told,
    instrument: (_start, serve) => {
      void serve()
      return told()
    },
    subscriptions: { notifier, principalKey: async () => 'nobody' },
  })
  await app.ready()
  const message = { jsonrpc: '2.0' as const, id: 1 }
  const _meta = { ...PLAIN_META, progressToken: 1 }
  const call = { ...message, method: 'tools/call', params: { name: 'slow', arguments: {}, _meta } }
  await app.mcp.handle(call, { onNotification: told })
  const wishes = { notifications: { toolsListChanged: true }, _meta: PLAIN_META }
  await app.mcp.handle({ ...message, method: 'subscriptions/listen', params: wishes })
  notifier.toolsChanged()
  await createTestClient(app, { meta: { progressToken: 1 } }).callTool('slow')
  await app.close()
}
