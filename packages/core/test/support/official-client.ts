// SPDX-License-Identifier: Apache-2.0
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { listen } from './app.ts'
import { VERSION } from './messages.ts'

/** How a client chooses the revision: the pinned one, or by asking. */
export type Negotiation = NonNullable<ConstructorParameters<typeof Client>[1]>['versionNegotiation']

const PINNED: Negotiation = { mode: { pin: VERSION } }

/** The official client, connected over real HTTP until the test is over. */
export async function connectClient(
  app: FastifyInstance,
  options: {
    readonly headers?: Record<string, string>
    readonly negotiation?: Negotiation | undefined
  } = {},
): Promise<Client> {
  const { headers = {}, negotiation = PINNED } = options
  const endpoint = new URL(`http://127.0.0.1:${await listen(app)}/mcp`)
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { ...(negotiation !== undefined && { versionNegotiation: negotiation }) },
  )
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }))
  return client
}
