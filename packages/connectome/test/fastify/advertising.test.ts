// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { createSurface } from '@beam-mcp/connectome/surface'
import {
  beamMcp,
  type CatalogWithDispatch,
  createCatalog,
  defineResource,
  defineTool,
} from '@beam-mcp/core'
import { runStdio } from '@beam-mcp/core/stdio'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'

const ADVERTISING = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'server/discover',
]

const SERVER_INFO = { name: 'srv', version: '1.0.0' }

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

const messageOf = (method: string, id: number): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { _meta: META },
})

const NOTHING = { nodes: [], edges: [] }
const surface = createSurface({ declared: NOTHING, observed: NOTHING, window: {} })

/** A catalog of a tool and a resource, with the entries or without. */
function catalogOf(hasEntries: boolean): CatalogWithDispatch {
  const tool = defineTool({
    name: 'connectome',
    mode: 'read_only',
    commandClass: 'observe',
    handler: surface.call,
  })
  return createCatalog({
    tools: [defineTool({ name: 'add', handler: () => 'sum' }), ...(hasEntries ? [tool] : [])],
    resources: [
      defineResource({ uri: 'note://list', name: 'list', read: () => 'all' }),
      ...(hasEntries ? surface.resources() : []),
    ],
  })
}

/** The answers to the five methods, as text. */
type Recording = (catalog: CatalogWithDispatch) => Promise<string[]>

const overHttp: Recording = async (catalog) => {
  const app = Fastify()
  onTestFinished(() => app.close())
  await app.register(beamMcp, {
    ...catalog,
    serverInfo: SERVER_INFO,
    authorize: () => ({ ok: true }),
    allowedOrigins: [],
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const answers: string[] = []
  for (const [id, method] of ADVERTISING.entries()) {
    const response = await fetch(new URL('/mcp', address), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
      },
      body: JSON.stringify(messageOf(method, id)),
    })
    answers.push(await response.text())
  }
  return answers
}

const overStdio: Recording = async (catalog) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const run = runStdio({ ...catalog, serverInfo: SERVER_INFO, input, output })
  const lines = createInterface({ input: output })
  const answers: string[] = []
  for (const [id, method] of ADVERTISING.entries()) {
    const line = once(lines, 'line')
    input.write(`${JSON.stringify(messageOf(method, id))}\n`)
    answers.push(String(await line))
  }
  input.end()
  await run
  return answers
}

test.each([
  ['HTTP', overHttp],
  ['stdio', overStdio],
])(
  'on %s the entries add themselves to what is advertised, and nothing else',
  async (_name, record) => {
    const [without, withEntries] = [await record(catalogOf(false)), await record(catalogOf(true))]
    const results = (answers: readonly string[]) => answers.map((text) => JSON.parse(text).result)
    const [plain, full] = [results(without), results(withEntries)]
    expect(plain.every((result) => typeof result === 'object')).toBe(true)

    // The lists without the entries, and all else to the byte.
    const uris = ['connectome://declared', 'connectome://diff', 'connectome://observed']
    expect(full[1].resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      ...uris,
      'note://list',
    ])
    expect(full[0].tools.map(({ name }: { name: string }) => name)).toEqual(['add', 'connectome'])
    full[0].tools = full[0].tools.filter(({ name }: { name: string }) => name !== 'connectome')
    full[1].resources = full[1].resources.filter(({ uri }: { uri: string }) => !uris.includes(uri))
    expect(JSON.stringify(full)).toBe(JSON.stringify(plain))
    expect(withEntries.slice(2)).toEqual(without.slice(2))
  },
)
