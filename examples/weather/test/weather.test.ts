// SPDX-License-Identifier: Apache-2.0
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../src/app.ts'

const TOKEN = 'the-token-of-this-test'

let app: FastifyInstance
let endpoint: URL
let client: Client

beforeAll(async () => {
  app = await buildApp({ token: TOKEN, logger: false })
  endpoint = new URL('/mcp', await app.listen({ host: '127.0.0.1', port: 0 }))
  client = new Client(
    { name: 'weather-test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } }
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }))
})

afterAll(async () => {
  await client.close()
  await app.close()
})

describe('the weather example, called by the official client', () => {
  test('tells what it serves', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'weather', version: '1.0.0' })
    expect(client.getInstructions()).toContain('list_cities')
  })

  test('lists its tools, read-only as their mode says', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['get_climate', true],
      ['list_cities', true],
    ])
  })

  test('answers a call with structured content and its text', async () => {
    const answer = await client.callTool({
      name: 'get_climate',
      arguments: { city: 'oslo', month: 7 },
    })
    const climate = { city: 'Oslo', month: 7, meanC: 17.5 }
    expect(answer.structuredContent).toEqual(climate)
    expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(climate) }])
    expect(answer.isError).toBe(false)
  })

  test('tells the model which cities there are', async () => {
    const answer = await client.callTool({
      name: 'get_climate',
      arguments: { city: 'Atlantis', month: 7 },
    })
    expect(answer.isError).toBe(true)
    expect(answer.content).toEqual([
      {
        type: 'text',
        text: 'There is no station in that city; there are: Oslo, Zürich, Nairobi.',
      },
    ])
  })

  test('refuses arguments that its schema does not admit', async () => {
    const answer = await client.callTool({
      name: 'get_climate',
      arguments: { city: 'Oslo', month: '7' },
    })
    expect(answer.isError).toBe(true)
  })

  test('reads a resource and a template, and refuses a station that is not there', async () => {
    const all = await client.readResource({ uri: 'weather://stations' })
    const one = await client.readResource({ uri: 'weather://stations/zrh' })
    expect(all.contents).toHaveLength(1)
    expect(one.contents[0]).toMatchObject({
      uri: 'weather://stations/zrh',
      mimeType: 'application/json',
      text: expect.stringContaining('Zürich'),
    })
    await expect(client.readResource({ uri: 'weather://stations/xxx' })).rejects.toMatchObject({
      code: -32602,
    })
  })

  test('renders a prompt with and without the optional argument', async () => {
    const textOf = async (args: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name: 'pack_for', arguments: args })
      return JSON.stringify(messages[0]?.content)
    }
    expect(await textOf({ city: 'Nairobi' })).toContain('I travel to Nairobi. ')
    expect(await textOf({ city: 'Nairobi', month: '3' })).toContain('Nairobi in month 3.')
  })

  test('admits nobody without the token', async () => {
    const stranger = await fetch(endpoint, { method: 'POST', body: '{}' })
    expect(stranger.status).toBe(401)
    expect(stranger.headers.get('www-authenticate')).toBe('Bearer realm="weather"')
  })

  test('lets clients in that open with the older handshake where it is told to', async () => {
    const revisions = ['2026-07-28', '2025-11-25'] as const
    const both = await buildApp({ token: TOKEN, logger: false, revisions })
    onTestFinished(() => both.close())
    const older = new Client({ name: 'older', version: '1.0.0' })
    const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } }
    const open = (url: URL) =>
      older.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    await expect(open(endpoint)).rejects.toThrowError('2026-07-28')
    await open(new URL('/mcp', await both.listen({ host: '127.0.0.1', port: 0 })))
    expect((await older.listTools()).tools).toHaveLength(2)
    await older.close()
  })

  test('keeps its own routes beside the endpoint', async () => {
    const health = await fetch(new URL('/health', endpoint))
    expect(await health.json()).toEqual({ stations: 3 })
  })
})
