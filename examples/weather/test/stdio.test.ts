// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildProgram } from '../../../packages/core/test/support/stdio-child.ts'

let program: string

beforeAll(async () => {
  program = await buildProgram(new URL('../src/stdio.ts', import.meta.url))
})

/** The official client, which starts the program as a desktop client does. */
async function connect(mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client(
    { name: 'weather-test', version: '1.0.0' },
    { versionNegotiation: { mode } },
  )
  onTestFinished(() => client.close())
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program] }))
  return client
}

describe.each(['auto', 'legacy'] as const)('the weather example over stdio, mode %s', (mode) => {
  test('serves the same catalog', async () => {
    const client = await connect(mode)
    expect(client.getServerVersion()).toMatchObject({ name: 'weather', title: 'Weather' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['get_climate', 'list_cities'])
    const call = { name: 'get_climate', arguments: { city: 'Zürich', month: 7 } }
    expect((await client.callTool(call)).structuredContent).toEqual({
      city: 'Zürich',
      month: 7,
      meanC: 19.5,
    })
    const { contents } = await client.readResource({ uri: 'weather://stations/zrh' })
    expect(JSON.stringify(contents)).toContain('Zürich')
    const { messages } = await client.getPrompt({ name: 'pack_for', arguments: { city: 'Oslo' } })
    expect(JSON.stringify(messages)).toContain('I travel to Oslo.')
  })
})

test('the README shows desktop clients the program of the package', () => {
  const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
  const snippet = /```json\n(.*?)```/s.exec(read('README.md'))?.[1] ?? ''
  const { mcpServers } = JSON.parse(snippet) as {
    readonly mcpServers: Readonly<
      Record<string, { readonly command: string; readonly args: string[] }>
    >
  }
  const { bin } = JSON.parse(read('package.json')) as { readonly bin: Record<string, string> }
  const [server] = Object.values(mcpServers)
  expect(server?.command).toBe('node')
  expect(server?.args[0]).toMatch(new RegExp(`/${bin['weather-mcp']}$`))
})
