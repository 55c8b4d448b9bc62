// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { closed, errorAnswer, FORBIDDEN, kept, ORIGIN_REFUSED, see } from '../support/answers.ts'
import { createApp, type EndpointOptions, echoCatalog } from '../support/app.ts'
import { META, VERSION } from '../support/messages.ts'
import { BOTH, bare, initialize, OLDER, postOld, VERSION_KEY } from '../support/older-client.ts'

function createBoth(more: Partial<EndpointOptions> = {}) {
  return createApp({ ...echoCatalog().options, revisions: BOTH, ...more })
}

const ECHO_CALL = bare('tools/call', { name: 'echo', arguments: { text: 'hi' } })
const ECHOED = kept(200, {
  jsonrpc: '2.0',
  id: 1,
  result: {
    content: [{ type: 'text', text: '{"text":"hi"}' }],
    structuredContent: { text: 'hi' },
    isError: false,
  },
})

describe('2025-11-25 over HTTP', () => {
  test('[L-HTTP-02] sends no session id, and takes no notice of one', async () => {
    const app = await createBoth()
    for (const headers of [{}, { 'mcp-session-id': 'abc' }]) {
      for (const message of [initialize(), bare('ping'), ECHO_CALL]) {
        const response = await postOld(app, message, headers)
        expect(response.statusCode).toBe(200)
        expect(response.headers).not.toHaveProperty('mcp-session-id')
      }
    }
  })

  test.each(['GET', 'DELETE'] as const)('[L-HTTP-01, L-HTTP-02] %s is 405', async (method) => {
    const response = await (await createBoth()).inject({
      method,
      url: '/mcp',
      headers: {
        accept: 'text/event-stream',
        'mcp-protocol-version': OLDER,
        'mcp-session-id': 'abc',
        'last-event-id': '7',
      },
    })
    expect(see(response)).toEqual(
      closed(405, errorAnswer(-32600, `Method not allowed: ${method}; use POST`)),
    )
    expect(response.headers['allow']).toBe('POST')
  })

  test.each([
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/roots/list_changed',
    'notifications/nope',
  ])('[L-HTTP-05] %s is 202 without a body', async (method) => {
    const app = await createBoth()
    for (const version of [undefined, OLDER, [OLDER, OLDER]]) {
      const message = { jsonrpc: '2.0', method, params: { requestId: 1 } }
      const response = await postOld(app, message, { 'mcp-protocol-version': version })
      expect([response.statusCode, response.body]).toEqual([202, ''])
    }
  })

  test('[L-HTTP-06] a notification of a version that is not served is 400', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const headers = { 'mcp-protocol-version': '2025-06-18' }
    expect(see(await postOld(await createBoth(), message, headers))).toEqual(
      kept(
        400,
        errorAnswer(-32600, 'Unsupported MCP-Protocol-Version: 2025-06-18 (supported: 2025-11-25)'),
      ),
    )
  })

  test.each(['2025-06-18', '2024-11-05', '1999-01-01', ''])(
    '[L-HTTP-06, A-41] a request of the version %j is 400, and names what is served',
    async (version) => {
      const headers = { 'mcp-protocol-version': version }
      expect(see(await postOld(await createBoth(), ECHO_CALL, headers))).toEqual(
        kept(
          400,
          errorAnswer(
            -32600,
            `Unsupported MCP-Protocol-Version: ${version} (supported: 2025-11-25)`,
            { id: 1 },
          ),
        ),
      )
    },
  )

  test('[L-HTTP-04] the handshake has no duty to the version header', async () => {
    for (const version of [undefined, OLDER, '2025-06-18']) {
      const headers = { 'mcp-protocol-version': version }
      const response = await postOld(await createBoth(), initialize('2025-06-18'), headers)
      expect(response.json()).toMatchObject({ id: 0, result: { protocolVersion: OLDER } })
    }
  })

  test('[L-HTTP-07] a request without the version header is served', async () => {
    const headers = { 'mcp-protocol-version': undefined }
    expect(see(await postOld(await createBoth(), ECHO_CALL, headers))).toEqual(ECHOED)
  })

  test('[L-HTTP-15] the headers of the newer revision are not asked for, nor looked at', async () => {
    const app = await createBoth()
    for (const headers of [{}, { 'mcp-method': 'x', 'mcp-name': 'y', 'mcp-param-z': '=?bad' }]) {
      expect(see(await postOld(app, ECHO_CALL, headers))).toEqual(ECHOED)
    }
  })

  test('[L-HTTP-15] a tool that mirrors an argument is called without its header', async () => {
    const inputSchema = {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    } as const
    const tool = defineTool({ name: 'find', inputSchema, handler: (args) => args })
    const app = await createBoth(createCatalog({ tools: [tool] }))
    const message = bare('tools/call', { name: 'find', arguments: { region: 'north' } })
    for (const headers of [{}, { 'mcp-param-region': 'south' }]) {
      const response = await postOld(app, message, headers)
      expect(response.json()).toMatchObject({ result: { structuredContent: { region: 'north' } } })
    }
  })

  test('[L-HTTP-17] a version header of the newer revision makes a broken newer request', async () => {
    const app = await createBoth()
    for (const message of [ECHO_CALL, initialize()]) {
      const response = await postOld(app, message, { 'mcp-protocol-version': VERSION })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ id: message['id'], error: { code: -32602 } })
    }
  })

  test('[A-39] an older header and a newer body disagree', async () => {
    const message = bare('tools/list', { _meta: META })
    const response = await postOld(await createBoth(), message, { 'mcp-method': 'tools/list' })
    expect([response.statusCode, response.json().error.code]).toEqual([400, -32020])
  })

  test('[A-25] a body that names 2025-11-25 is served by it', async () => {
    const app = await createBoth()
    const message = bare('ping', { _meta: { [VERSION_KEY]: OLDER } })
    for (const version of [undefined, OLDER]) {
      const response = await postOld(app, message, { 'mcp-protocol-version': version })
      expect(see(response)).toEqual(kept(200, { jsonrpc: '2.0', id: 1, result: {} }))
    }
  })

  test('[L-HTTP-14] a posted response is refused', async () => {
    const response = await postOld(await createBoth(), { jsonrpc: '2.0', id: 3, result: {} })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      errorAnswer(-32600, 'Invalid Request', { id: 3 }),
    ])
  })

  test('[L-ENV-01] there is no batch', async () => {
    const response = await (await createBoth()).inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': OLDER },
      payload: JSON.stringify([bare('ping'), bare('ping')]),
    })
    expect([response.statusCode, response.json().error.code]).toEqual([400, -32600])
  })

  test('[L-HTTP-18] Accept is read leniently', async () => {
    const app = await createBoth()
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html']) {
      expect(see(await postOld(app, ECHO_CALL, { accept }))).toEqual(ECHOED)
    }
    expect((await postOld(app, ECHO_CALL, { accept: 'text/html' })).statusCode).toBe(406)
  })

  test('[L-HTTP-03] Origin and authorize come first, as ever', async () => {
    const app = await createBoth({ authorize: () => ({ ok: false }) })
    for (const message of [initialize(), ECHO_CALL]) {
      expect(see(await postOld(app, message)).body).toEqual(FORBIDDEN)
      const response = await postOld(app, message, { origin: 'https://evil.example' })
      expect([response.statusCode, response.json()]).toEqual([403, ORIGIN_REFUSED])
    }
  })
})

describe('who may do what, for older clients too', () => {
  test('[L-SEC-01] authorizeCall is asked about each method and target', async () => {
    const asked: unknown[] = []
    const app = await createBoth({
      authorizeCall: ({ method, name }) => {
        asked.push([method, name])
        return name === 'echo'
          ? { ok: false, status: 403, challenge: 'Bearer scope="x"' }
          : { ok: true }
      },
    })
    await postOld(app, initialize())
    await postOld(app, bare('tools/list'))
    const refused = await postOld(app, ECHO_CALL)
    expect(refused.statusCode).toBe(403)
    expect(refused.headers['www-authenticate']).toBe('Bearer scope="x"')
    expect(refused.json()).toEqual(errorAnswer(-32600, 'Forbidden', { id: 1 }))
    expect(asked).toEqual([
      ['initialize', undefined],
      ['tools/list', undefined],
      ['tools/call', 'echo'],
    ])
  })

  test('[L-SEC-01] allows hides a tool, whatever the revision', async () => {
    const { options, seen } = echoCatalog()
    const catalog = { ...options.catalog, allows: () => false }
    const app = await createBoth({ ...options, catalog })
    expect((await postOld(app, bare('tools/list'))).json()).toMatchObject({ result: { tools: [] } })
    expect((await postOld(app, ECHO_CALL)).json()).toEqual(
      errorAnswer(-32602, 'Unknown tool: echo', { id: 1 }),
    )
    expect(seen).toEqual([])
  })
})
