// SPDX-License-Identifier: Apache-2.0
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { atlasFor, listenAlone, serveChanges } from '../support/listening.ts'
import { VERSION } from '../support/messages.ts'

const A = 'atlas://city/a'
const B = 'atlas://city/b'

/** The official client of one caller, and what it is told. */
async function connect(port: number, authorization: string) {
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: VERSION } } },
  )
  onTestFinished(() => client.close())
  const told: unknown[] = []
  for (const method of [
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
    'notifications/resources/updated',
  ] as const) {
    client.setNotificationHandler(method, (notification) => {
      const { params } = notification as { readonly params?: { readonly uri?: string } }
      told.push(params?.uri ?? method)
    })
  }
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
  )
  return { client, told }
}

describe('two official clients on two connections', () => {
  test('[SUB-04] [SUB-05] [SUB-09] [SUB-12] [SUB-15] hear each what it asked for and may see, until the server ends', async () => {
    const { app, complaints } = await serveChanges({
      ...atlasFor(
        (entry, { principal }) =>
          principal === 'ann' || !('uri' in entry.spec && entry.spec.uri === A),
      ),
      authorize: ({ headers }) => ({ ok: true, principal: headers.authorization }),
    })
    const port = await listenAlone(app)
    const [ann, bob] = await Promise.all([connect(port, 'ann'), connect(port, 'bob')])
    const first = await ann.client.listen({ toolsListChanged: true, resourceSubscriptions: [A] })
    const second = await bob.client.listen({
      promptsListChanged: true,
      resourceSubscriptions: [A, B],
    })
    expect(first.honoredFilter).toEqual({ toolsListChanged: true, resourceSubscriptions: [A] })
    expect(second.honoredFilter).toEqual({ promptsListChanged: true, resourceSubscriptions: [B] })
    const { notify } = app.mcp
    for (const uri of [A, B]) notify.resourceUpdated(uri)
    notify.resourcesChanged()
    notify.promptsChanged()
    notify.toolsChanged()
    // Whether a resource may be read is asked first: its update may come behind a list's.
    const sorted = (told: readonly unknown[]) => [...told].sort()
    await expect.poll(() => sorted(ann.told)).toEqual([A, 'notifications/tools/list_changed'])
    await expect.poll(() => sorted(bob.told)).toEqual([B, 'notifications/prompts/list_changed'])
    await first.close()
    expect(await first.closed).toBe('local')
    const closed = app.close()
    expect(await second.closed).toBe('graceful')
    await Promise.all([ann.client.close(), bob.client.close()])
    // On Node 22 and 24 fetch opens a connection in place of one that it has cut, and sends nothing by
    // it: such a one is not idle to a server, which would wait for its first request.
    app.server.closeAllConnections()
    await closed
    expect(complaints()).toEqual([])
  })
})
