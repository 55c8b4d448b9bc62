// SPDX-License-Identifier: Apache-2.0
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** Whoever uses this client. */
export interface User {
  /** Answers what was filled in, or undefined for no. */
  fillIn(message: string): Promise<Record<string, string> | undefined>
  hearOf(uri: string): void
}

export async function connect(url: URL, token: string, user: User): Promise<Client> {
  const client = new Client(
    { name: 'my-client', version: '1.0.0' },
    // Without `versionNegotiation` it opens with the older handshake.
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: {} } },
  )
  // What a tool asks comes here; the client then sends the call anew by itself.
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const content = await user.fillIn(params.message)
    return content === undefined ? { action: 'decline' } : { action: 'accept', content }
  })
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    user.hearOf(params.uri),
  )
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}
