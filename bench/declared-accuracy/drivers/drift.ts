// SPDX-License-Identifier: Apache-2.0
// The other example in its TypeScript, on both packages as they are published.
import { createTestClient } from '@beam-mcp/core/testing'
import type { FastifyInstance } from 'fastify'
import { driveConnectome } from './connectome-cases.ts'

const APP = new URL('../../../../../examples/drift/src/app.ts', import.meta.url)

export async function drive(): Promise<void> {
  const { buildShop } = (await import(APP.href)) as {
    readonly buildShop: () => Promise<{ readonly app: FastifyInstance }>
  }
  const { app } = await buildShop()
  const client = createTestClient(app)
  await client.listTools()
  await client.listResources()
  for (const article of ['apple', 'pear', 'none']) {
    await client.callTool('get_price', { article })
    await client.callTool('count_stock', { article })
  }
  for (const name of ['declared', 'observed', 'diff']) {
    await client.readResource(`connectome://${name}`)
  }
  await app.close()
  await driveConnectome(APP.href)
}
