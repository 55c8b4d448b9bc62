// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createGraph,
  diffHashHex,
  encode,
  encodeDiff,
  type Graph,
  hashHex,
  invokeEdge,
  serverNode,
  sidecar,
  toolNode,
} from '@beam-mcp/connectome'
import connectome, { type ConnectomeOptions } from '@beam-mcp/connectome/fastify'
import { createCollector } from '@beam-mcp/connectome/observed'
import {
  beamMcp,
  createCatalog,
  definePrompt,
  defineResourceTemplate,
  defineTool,
  toolError,
} from '@beam-mcp/core'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { describe, expect, onTestFinished, test } from 'vitest'

const SERVER = 'srv'
const DECLARED: Graph = createGraph({
  nodes: [serverNode(SERVER), toolNode(SERVER, 'add'), toolNode(SERVER, 'unused')],
  edges: ['add', 'unused'].map((name) =>
    invokeEdge({ from: 'srv/server', to: `srv/tool/${name}`, provenance: 'declared' }),
  ),
})
const ANYTHING = { type: 'object', additionalProperties: true } as const
const WINDOW = { from: '2026-01-01', calls: 2 }

const CONNECTOME_TOOL = {
  name: 'connectome',
  description: 'The graphs of this server in canonical bytes, with their SHA-256.',
  commandClass: 'observe',
  mode: 'read_only',
  inputSchema: {
    type: 'object',
    properties: { graph: { type: 'string', enum: ['declared', 'observed', 'diff'] } },
    required: ['graph'],
    additionalProperties: false,
  },
} as const

async function createApp(options: Partial<ConnectomeOptions> = {}): Promise<FastifyInstance> {
  const app = Fastify()
  onTestFinished(() => app.close())
  await app.register(connectome, { declared: DECLARED, window: WINDOW, ...options })
  await app.register(beamMcp, {
    ...createCatalog({
      tools: [
        defineTool({ name: 'add', handler: () => 'sum' }),
        defineTool({ ...CONNECTOME_TOOL, handler: (args) => app.connectome.call(args) }),
      ],
      resources: app.connectome.resources(),
    }),
    serverInfo: { name: SERVER, version: '1.0.0' },
    authorize: () => ({ ok: true }),
    allowedOrigins: [],
  })
  return app
}

/** The official client over real HTTP. */
async function connect(
  app: FastifyInstance,
  headers: Record<string, string> = {},
): Promise<Client> {
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  onTestFinished(() => client.close())
  const requestInit = { headers }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit }))
  return client
}

async function readText(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri })
  const [item] = contents
  return item !== undefined && 'text' in item ? item.text : ''
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

describe('app.connectome', () => {
  test('gives a client the bytes that a file export has', async () => {
    const collector = createCollector({ server: SERVER })
    const app = await createApp({ collector })
    const client = await connect(app)
    await client.callTool({ name: 'add', arguments: {} })
    await client.callTool({ name: 'add', arguments: {} })
    const folder = mkdtempSync(join(tmpdir(), 'connectome-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const exported = (name: string, bytes: Uint8Array): string => {
      writeFileSync(join(folder, name), bytes)
      return readFileSync(join(folder, name), 'utf8')
    }
    const files = {
      declared: exported('declared', encode(app.connectome.declared())),
      observed: exported('observed', encode(app.connectome.observed())),
      diff: exported('diff', encodeDiff(app.connectome.diff())),
    }
    const served = {
      declared: await readText(client, 'connectome://declared'),
      observed: await readText(client, 'connectome://observed'),
      diff: await readText(client, 'connectome://diff'),
    }
    expect(served).toEqual(files)
    expect(JSON.parse(served.diff).classes).toEqual({
      changed_sign: [],
      declared_and_observed: [{ from: 'srv/server', kind: 'invoke', to: 'srv/tool/add' }],
      declared_never_observed: [{ from: 'srv/server', kind: 'invoke', to: 'srv/tool/unused' }],
      observed_but_undeclared: [],
    })
    const answer = await client.callTool({ name: 'connectome', arguments: { graph: 'declared' } })
    expect(answer.structuredContent).toEqual({
      graph: 'declared',
      bytes: files.declared,
      sha256: hashHex(DECLARED),
    })
  })

  test('changes nothing by being read; a call of the tool is a call like any other', async () => {
    const collector = createCollector({ server: SERVER })
    const app = await createApp({ collector })
    const client = await connect(app)
    await client.callTool({ name: 'add', arguments: {} })
    const state = (): string =>
      JSON.stringify([
        collector.rows(),
        collector.latency(),
        sidecar(collector.snapshot()),
        hashHex(app.connectome.declared()),
      ])
    const before = state()
    for (const graph of ['declared', 'observed', 'diff'] as const) {
      await readText(client, `connectome://${graph}`)
      app.connectome.read(`connectome://${graph}`)
      app.connectome.call({ graph })
      app.connectome.hash(graph)
    }
    app.connectome.diff({})
    expect(state()).toBe(before)
    await client.callTool({ name: 'connectome', arguments: { graph: 'observed' } })
    expect(collector.rows().map(({ to, count }) => [to, count])).toEqual([
      [{ kind: 'tool', server: SERVER, name: 'add' }, 1],
      [{ kind: 'tool', server: SERVER, name: 'connectome' }, 1],
    ])
  })

  test('hashes each graph, and diffs over a window of the moment', async () => {
    let calls = 0
    const window = (): { calls: number } => ({ calls: ++calls })
    const app = await createApp({ collector: createCollector({ server: SERVER }), window })
    await app.ready()
    const { connectome } = app
    expect(connectome.hash()).toBe(hashHex(DECLARED))
    expect(connectome.hash('observed')).toBe(hashHex(connectome.observed()))
    expect(connectome.diff().window).toEqual({ calls: 1 })
    expect(connectome.diff({ day: 'Monday' }).window).toEqual({ day: 'Monday' })
    expect(connectome.hash('diff')).toBe(diffHashHex(connectome.diff({ calls: 2 })))
  })

  test('writes version 3 where the host says so', async () => {
    const app = await createApp({ schemaVersion: 3, algorithm: 'sha384' })
    await app.ready()
    const options = { schemaVersion: 3, algorithm: 'sha384' } as const
    expect(app.connectome.hash()).toBe(hashHex(DECLARED, options))
    expect(app.connectome.read('connectome://declared')).toMatchObject({
      text: textOf(encode(DECLARED, options)),
    })
  })

  test('refuses what there is not: before it is ready, and without a collector', async () => {
    const app = await createApp()
    const call = (graph: string): unknown => app.connectome.call({ graph })
    expect(() => app.connectome.declared()).toThrowError(
      expect.objectContaining({ reason: ['not_ready', 'declared'] }),
    )
    await app.ready()
    expect(app.connectome.declared().size).toBe(2)
    expect(() => app.connectome.observed()).toThrowError(
      expect.objectContaining({ reason: ['missing', 'observed'] }),
    )
    expect(call('diff')).toMatchObject({ structuredContent: { error: ['missing', 'observed'] } })
  })
})

describe('what a client sends', () => {
  test('is in nothing that is kept, be it an argument, a uri, a header, a result or an exception', async () => {
    const marker = 'MARKER-of-a-payload'
    const collector = createCollector({ server: SERVER, include: ['read'], nested: true })
    const app = Fastify()
    onTestFinished(() => app.close())
    await app.register(connectome, { declared: DECLARED, window: {}, collector })
    const fail = (): never => {
      throw new Error(marker, { cause: marker })
    }
    const observing = async (): Promise<string> => {
      await null
      collector.observe({ kind: 'process', server: SERVER, name: 'store' }, 'message', 1)
      return marker
    }
    const fails = defineResourceTemplate({ uriTemplate: 'bad://{id}', name: 'bad', read: fail })
    const note = defineResourceTemplate({ uriTemplate: 'note://{id}', name: 'n', read: observing })
    await app.register(beamMcp, {
      ...createCatalog({
        tools: [
          defineTool({ name: 'say', inputSchema: ANYTHING, handler: observing }),
          defineTool({ name: 'decline', handler: () => toolError(marker) }),
          defineTool({ name: 'fail', handler: fail }),
        ],
        resourceTemplates: [note, fails],
        prompts: [definePrompt({ name: 'ask', arguments: [{ name: 'who' }], render: observing })],
      }),
      serverInfo: { name: SERVER, version: '1.0.0' },
      authorize: (request) => ({ ok: true, principal: request.headers['x-marker'] }),
      allowedOrigins: [],
    })
    const client = await connect(app, { 'x-marker': marker, authorization: `Bearer ${marker}` })
    const answers = await Promise.allSettled([
      client.callTool({ name: 'say', arguments: { text: marker, [marker]: 1 } }),
      client.callTool({ name: 'decline', arguments: { text: marker } }),
      client.callTool({ name: 'fail', arguments: { text: marker } }),
      client.callTool({ name: marker, arguments: {} }),
      client.readResource({ uri: `note://${marker}` }),
      client.readResource({ uri: `bad://${marker}` }),
      client.readResource({ uri: `none://${marker}` }),
      client.getPrompt({ name: 'ask', arguments: { who: marker } }),
    ])
    expect(JSON.stringify(answers)).toContain(marker)
    expect(collector.size()).toBe(9)
    const kept = [
      JSON.stringify([collector.rows(), collector.latency(), app.connectome.diff()]),
      textOf(encode(app.connectome.observed())),
      sidecar(app.connectome.observed()),
      textOf(encodeDiff(app.connectome.diff())),
      JSON.stringify(app.connectome.call({ graph: 'observed' })),
    ]
    expect(kept.join()).not.toContain(marker)
  })
})

describe('the life of the plugin', () => {
  test.each<[string, ConnectomeOptions['declared']]>([
    ['a graph', DECLARED],
    ['a literal', { nodes: DECLARED.nodes, edges: DECLARED.edges }],
    ['what a build answers', { graph: DECLARED }],
    ['a promise', Promise.resolve(DECLARED)],
    ['a function', () => DECLARED],
    ['a build that takes time', async () => ({ graph: DECLARED, bound: {} })],
  ])('takes %s as the declared graph', async (_what, declared) => {
    const app = await createApp({ declared })
    await app.ready()
    expect(app.connectome.hash()).toBe(hashHex(DECLARED))
  })

  test.each<[string, ConnectomeOptions['declared'], unknown]>([
    [
      'is no graph',
      () => ({ nodes: [], edges: [...DECLARED.edges] }),
      { code: 'BEAM_ERR_GRAPH_INVALID', reason: ['dangling_edge', 'srv/server'] },
    ],
    [
      'was observed',
      () => ({
        nodes: DECLARED.nodes,
        edges: DECLARED.edges.map((edge) => ({ ...edge, provenance: 'observed' as const })),
      }),
      {
        code: 'BEAM_ERR_GRAPH_DIFF',
        reason: ['declared', ['invalid', 'provenance', 'observed']],
      },
    ],
    ['could not be built', () => Promise.reject(new Error('no source')), { message: 'no source' }],
  ])('does not get ready with a declared graph that %s', async (_what, declared, error) => {
    const app = await createApp({ declared })
    await expect(app.ready()).rejects.toMatchObject(error as object)
  })

  test('does not get ready with a promise that failed long before anyone waited for it', async () => {
    const app = await createApp({ declared: Promise.reject(new Error('early')) })
    await new Promise((resolve) => setImmediate(resolve))
    await expect(app.ready()).rejects.toThrow('early')
  })

  test('starts the collector with the application and stops it with it', async () => {
    const collector = createCollector({ server: SERVER })
    const app = await createApp({ collector })
    expect(collector.isRunning).toBe(false)
    await app.ready()
    expect(collector.isRunning).toBe(true)
    await app.close()
    expect(collector.isRunning).toBe(false)
  })

  test('leaves a collector running that ran before', async () => {
    const collector = createCollector({ server: SERVER })
    collector.start()
    onTestFinished(collector.stop)
    collector.observe(
      { kind: 'server', server: SERVER },
      { kind: 'tool', server: SERVER, name: 'early' },
      'invoke',
    )
    const app = await createApp({ collector })
    await app.ready()
    await app.close()
    expect([collector.isRunning, collector.size()]).toEqual([true, 1])
  })

  test('sees the scopes of the plugins that come after it, by their names, where it is asked to', async () => {
    const collector = createCollector({ server: SERVER })
    const app = Fastify()
    onTestFinished(() => app.close())
    await app.register(connectome, { declared: DECLARED, window: {}, collector, pluginTree: true })
    const billing = Object.assign(
      async (scope: FastifyInstance) => {
        await scope.register(async () => {})
        await scope.register(async () => {})
      },
      { [Symbol.for('fastify.display-name')]: 'billing' },
    )
    await app.register(billing)
    await app.register(billing)
    await app.register(fp(async () => {}, { name: 'flat' }))
    await app.ready()
    const edges = collector.snapshot().edges.map(({ from, kind, to }) => [from, kind, to].join(' '))
    const id = (...names: string[]): string => `srv/process/${names.join('%2F')}`
    expect(edges).toEqual([
      `${id('fastify')} supervise ${id('fastify', 'billing')}`,
      `${id('fastify')} supervise ${id('fastify', 'billing#2')}`,
      `${id('fastify', 'billing')} supervise ${id('fastify', 'billing', 'anonymous')}`,
      `${id('fastify', 'billing')} supervise ${id('fastify', 'billing', 'anonymous#2')}`,
      `${id('fastify', 'billing#2')} supervise ${id('fastify', 'billing#2', 'anonymous')}`,
      `${id('fastify', 'billing#2')} supervise ${id('fastify', 'billing#2', 'anonymous#2')}`,
    ])
  })

  test('sees which scope serves the endpoint of its server, and of no other', async () => {
    const collector = createCollector({ server: SERVER })
    const app = Fastify()
    onTestFinished(() => app.close())
    await app.register(connectome, { declared: DECLARED, window: {}, collector, pluginTree: true })
    const endpoint = async (scope: FastifyInstance, { name }: { readonly name: string }) => {
      await scope.register(beamMcp, {
        ...createCatalog({ tools: [] }),
        serverInfo: { name, version: '1.0.0' },
        allowedOrigins: [],
        authorize: () => ({ ok: true }),
      })
      for (const [place, config] of [
        { mcp: 'none' },
        { mcp: { server: 1 } },
        null,
        'x',
      ].entries()) {
        scope.get(`/${place}`, { config: config as object }, () => 'fine')
      }
    }
    await app.register(endpoint, { name: SERVER, prefix: '/ours' })
    await app.register(endpoint, { name: 'other', prefix: '/theirs' })
    await app.ready()
    const served = collector.snapshot().edges.filter(({ to }) => !to.includes('/process/'))
    expect(served.map(({ from, kind, to }) => [from, kind, to])).toEqual([
      ['srv/process/fastify%2Fendpoint%2FhttpRoutes%2Fanonymous', 'supervise', 'srv/server'],
    ])
  })

  test.each<[unknown, unknown[]]>([
    [{ declared: DECLARED, window: {}, windows: {} }, ['unknown_option', 'windows']],
    [{ window: {} }, ['missing', 'declared']],
    [{ declared: DECLARED }, ['missing', 'window']],
    [{ declared: 'graph', window: {} }, ['invalid', 'declared', 'graph']],
    [{ declared: DECLARED, window: 'today' }, ['invalid', 'window', 'today']],
    [{ declared: DECLARED, window: {}, collector: {} }, ['invalid', 'collector', {}]],
    [{ declared: DECLARED, window: {}, pluginTree: true }, ['invalid', 'plugin_tree', true]],
  ])('refuses options %#', async (options, reason) => {
    const app = Fastify()
    onTestFinished(() => app.close())
    const registered = app.register(connectome, options as ConnectomeOptions)
    await expect(registered).rejects.toMatchObject({ code: 'BEAM_ERR_GRAPH_SURFACE', reason })
  })
})
