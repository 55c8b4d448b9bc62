// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { collect } from '../support/collect.ts'
import type { Negotiation } from '../support/official-client.ts'
import { buildProgram } from '../support/stdio-child.ts'

let program: string
let server: ChildProcess
let endpoint: URL

beforeAll(async () => {
  program = await buildProgram('atlas')
  server = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const { until, text } = collect(server.stderr)
  await until((said) => said.includes('/mcp\n'))
  endpoint = new URL(/at (\S+)/.exec(text())?.[1] ?? '')
})

afterAll(async () => {
  const closed = once(server, 'close')
  server.kill()
  await closed
})

/** What both generations of the client have in common. */
interface AnyClient {
  close(): Promise<void>
  getServerVersion(): unknown
  getInstructions(): string | undefined
  listTools(): Promise<{ readonly tools: readonly Listed[] }>
  callTool(call: {
    readonly name: string
    readonly arguments?: Record<string, unknown>
  }): Promise<Record<string, unknown>>
  listResources(page?: { readonly cursor: string }): Promise<{
    readonly resources: readonly { readonly name: string }[]
    readonly nextCursor?: string | undefined
  }>
  listResourceTemplates(): Promise<{ readonly resourceTemplates: readonly Listed[] }>
  readResource(target: { readonly uri: string }): Promise<{ readonly contents: readonly unknown[] }>
  listPrompts(): Promise<{ readonly prompts: readonly Listed[] }>
  getPrompt(target: {
    readonly name: string
    readonly arguments: Record<string, string>
  }): Promise<{ readonly messages: readonly unknown[] }>
}

interface Listed {
  readonly name: string
  readonly outputSchema?: unknown
}

/** Connects over a pipe to a process that the client starts, or over HTTP to one that listens. */
type Connect = (token?: string) => Promise<AnyClient>

const IDENTITY = { name: 'official', version: '1.0.0' }

function closeAfter<Made extends AnyClient>(client: Made): Made {
  onTestFinished(() => client.close())
  return client
}

const bearer = (token: string | undefined) => ({
  requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
})

function newerClient(mode: NonNullable<Negotiation>['mode']): Client {
  return closeAfter(new Client(IDENTITY, { versionNegotiation: { mode } } as never))
}

const overStdio =
  (mode: NonNullable<Negotiation>['mode']): Connect =>
  async () => {
    const client = newerClient(mode)
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program] }))
    return client as unknown as AnyClient
  }

const overHttp =
  (mode: NonNullable<Negotiation>['mode']): Connect =>
  async (token = 'good') => {
    const client = newerClient(mode)
    await client.connect(new StreamableHTTPClientTransport(endpoint, bearer(token)))
    return client as unknown as AnyClient
  }

const olderOverStdio: Connect = async () => {
  const client = closeAfter(new OlderClient(IDENTITY) as unknown as AnyClient & OlderClient)
  await client.connect(new OlderStdio({ command: process.execPath, args: [program] }))
  return client
}

const olderOverHttp: Connect = async (token = 'good') => {
  const client = closeAfter(new OlderClient(IDENTITY) as unknown as AnyClient & OlderClient)
  // The package's own types disagree under exactOptionalPropertyTypes.
  await client.connect(new OlderHttp(endpoint, bearer(token)) as never)
  return client
}

const PIN = { pin: '2026-07-28' } as const
const CONNECTIONS: readonly (readonly [string, 'newer' | 'older', Connect])[] = [
  ['2.x over stdio, pinned to 2026-07-28', 'newer', overStdio(PIN)],
  ['2.x over stdio, asking first', 'newer', overStdio('auto')],
  ['2.x over stdio, opening with the handshake', 'older', overStdio('legacy')],
  ['2.x over HTTP, pinned to 2026-07-28', 'newer', overHttp(PIN)],
  ['2.x over HTTP, asking first', 'newer', overHttp('auto')],
  ['2.x over HTTP, opening with the handshake', 'older', overHttp('legacy')],
  ['1.x over stdio', 'older', olderOverStdio],
  ['1.x over HTTP', 'older', olderOverHttp],
]
const OVER_HTTP = CONNECTIONS.filter(([name]) => name.includes('HTTP'))

async function failureOf(asked: Promise<unknown>): Promise<{ readonly code?: unknown }> {
  return asked.then(
    () => expect.fail('nothing was refused'),
    (thrown: { readonly code?: unknown }) => thrown,
  )
}

describe.each(CONNECTIONS)('the official client %s', (name, era, connect) => {
  // The client 2.x tells its user of -32002 as of the newer code.
  const missingCode = name.startsWith('2.x') ? -32602 : -32002

  test('connects, lists and calls', async () => {
    const client = await connect()
    expect(client.getServerVersion()).toMatchObject({ name: 'atlas', version: '0.4.2' })
    expect(client.getInstructions()).toBe('Find a city first.')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['find_city', 'list_cities', 'demolish'])
    expect(tools.map(({ outputSchema }) => outputSchema !== undefined)).toEqual([
      true,
      era === 'newer',
      false,
    ])
    const found = await client.callTool({ name: 'find_city', arguments: { name: 'Zürich' } })
    expect(found).toMatchObject({ isError: false, structuredContent: { id: 4 } })
    const cities = await client.callTool({ name: 'list_cities' })
    const listed = ['Bergen', 'Lima', 'Oslo', 'Quito', 'Zürich']
    expect(cities['content']).toEqual([{ type: 'text', text: JSON.stringify(listed) }])
    expect(cities['structuredContent']).toEqual(era === 'newer' ? listed : undefined)
  })

  test('reads, gets and pages', async () => {
    const client = await connect()
    expect((await client.readResource({ uri: 'atlas://city/4' })).contents).toEqual([
      { uri: 'atlas://city/4', text: 'Zürich' },
    ])
    expect((await client.readResource({ uri: 'atlas://river/nile' })).contents).toEqual([
      { uri: 'atlas://river/nile', blob: 'AQL/' },
    ])
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'plan_trip' }])
    const prompt = await client.getPrompt({ name: 'plan_trip', arguments: { from: 'Oslo' } })
    expect(prompt.messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Plan a trip from Oslo.' } },
    ])
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.listResources(cursor === undefined ? undefined : { cursor })
      names.push(...page.resources.map(({ name }) => name))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(names).toEqual(['Bergen', 'Lima', 'Oslo', 'Quito', 'Zürich'])
  })

  test('is refused an unknown tool, wrong arguments and a missing resource', async () => {
    const client = await connect()
    await client.listTools()
    const unknown = await failureOf(client.callTool({ name: 'none' }))
    expect(unknown).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: none'),
    })
    const wrong = await client.callTool({ name: 'find_city', arguments: { name: 5 } })
    expect(wrong).toMatchObject({ isError: true })
    const missing = await failureOf(client.readResource({ uri: 'atlas://city/99' }))
    expect(missing.code).toBe(missingCode)
    const river = await failureOf(client.readResource({ uri: 'atlas://river/none' }))
    expect(river.code).toBe(missingCode)
    const cursor = await failureOf(client.listResources({ cursor: 'nonsense' }))
    expect(cursor.code).toBe(-32602)
    // The connection has borne all of it.
    expect(await client.callTool({ name: 'demolish-not' }).catch(() => 'refused')).toBe('refused')
    expect((await client.listTools()).tools).toHaveLength(3)
  })
})

describe.each(OVER_HTTP)('the official client %s', (_, _era, connect) => {
  test('[AUTH-07] does not come in without its token', async () => {
    expect(String(await failureOf(connect('bad')))).toMatch(
      /unauthori[sz]ed|requires authorization/i,
    )
  })

  test('[AUTH-08] is shown the scope that a call lacks, and goes on', async () => {
    const client = await connect()
    const refused = await failureOf(client.callTool({ name: 'demolish' }))
    expect(String(refused)).toMatch(/scope|forbidden/i)
    expect((await client.listTools()).tools).toHaveLength(3)
  })
})
