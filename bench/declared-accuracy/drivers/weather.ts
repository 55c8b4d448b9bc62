// SPDX-License-Identifier: Apache-2.0
// The example of this repository in its TypeScript, on the package as it is published.
import { createTestClient } from '@beam-mcp/core/testing'
import type { FastifyInstance } from 'fastify'
import { driveCore } from './core-cases.ts'

type BuildApp = (options: {
  readonly token: string
  readonly logger: boolean
}) => Promise<FastifyInstance>

const APP = new URL('../../../../../examples/weather/src/app.ts', import.meta.url)

export async function drive(): Promise<void> {
  const { buildApp } = (await import(APP.href)) as { readonly buildApp: BuildApp }
  const app = await buildApp({ token: 'token', logger: false })
  const client = createTestClient(app, { headers: { authorization: 'Bearer token' } })
  await client.discover()
  await client.listTools()
  await client.callTool('get_climate', { city: 'Oslo', month: 7 })
  await client.callTool('get_climate', { city: 'Oslo', month: 13 })
  await client.callTool('get_climate', { city: 'Nowhere', month: 1 })
  await client.callTool('list_cities')
  await client.callTool('unknown')
  await client.listResources()
  await client.listResourceTemplates()
  await client.readResource('weather://stations')
  await client.readResource('weather://stations/osl')
  await client.readResource('weather://stations/none')
  await client.listPrompts()
  await client.getPrompt('pack_for', { city: 'Oslo', month: '7' })
  await client.getPrompt('pack_for', {})
  await client.request('no/such/method')
  await client.notify('notifications/cancelled', { requestId: 1 })
  await createTestClient(app).discover()
  await app.inject('/health')
  await app.inject({ method: 'POST', url: '/mcp', payload: '{"broken' })
  await app.close()
  await driveCore()
}
