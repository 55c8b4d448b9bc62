// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool } from '@beam-mcp/core'
import type { JsonObject, ServerOptions } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { createTransportServer } from '../../src/protocol/create-server.ts'
import type { Exchange } from '../../src/protocol/exchange.ts'
import { createSession, type Session } from '../../src/protocol/session.ts'
import { createApp } from '../support/app.ts'
import { META, request, VERSION } from '../support/messages.ts'
import { BOTH, bare, initialize, OLDER, postOld, VERSION_KEY } from '../support/older-client.ts'
import { checkAnswer } from '../support/published-types.ts'
import { createCheckedServer, recordLog, SERVER_INFO } from '../support/server.ts'

const WHO = defineTool({
  name: 'who',
  handler: (_, { clientInfo, clientCapabilities, protocolVersion, meta }) => ({
    clientInfo: clientInfo ?? null,
    clientCapabilities,
    protocolVersion,
    meta,
  }),
})
const CATALOG = createCatalog({ tools: [WHO] })
const OPTIONS: ServerOptions = { ...CATALOG, serverInfo: SERVER_INFO, revisions: BOTH }

/** What every handshake is answered, whatever it asked for. */
const ANSWER = {
  protocolVersion: OLDER,
  capabilities: {
    tools: { listChanged: false },
    resources: { listChanged: false, subscribe: false },
    prompts: { listChanged: false },
  },
  serverInfo: SERVER_INFO,
}

/** What a handshake may carry, right and wrong. */
const OPENINGS: readonly (readonly [string, unknown])[] = [
  ['2025-11-25', { protocolVersion: OLDER, capabilities: {}, clientInfo: { name: 'c' } }],
  ['2024-11-05', { protocolVersion: '2024-11-05', capabilities: {} }],
  ['2026-07-28', { protocolVersion: VERSION, capabilities: {} }],
  ['a version of no form', { protocolVersion: 'v999.0.0' }],
  ['no version', { capabilities: {} }],
  ['a null version', { protocolVersion: null }],
  ['a false version', { protocolVersion: false }],
  ['a version that is an object', { protocolVersion: {} }],
  ['capabilities and a client of the wrong kind', { capabilities: [], clientInfo: 'me' }],
  ['no params', undefined],
  ['null params', null],
  ['params that are an array', [OLDER]],
  ['params that are text', OLDER],
  ['a _meta that is no object', { protocolVersion: OLDER, _meta: 5 }],
  ['a _meta that lacks its version', { _meta: { 'io.modelcontextprotocol/clientInfo': {} } }],
]

describe('initialize', () => {
  test.each(OPENINGS)(
    '[L-INIT-02, L-INIT-03, L-INIT-04] with %s is answered 2025-11-25',
    async (_, params) => {
      const expected = { jsonrpc: '2.0', id: 0, result: ANSWER }
      expect(await createCheckedServer(OPTIONS).handle(bare('initialize', params, 0))).toEqual(
        expected,
      )
      const app = await createApp(OPTIONS)
      const response = await postOld(app, bare('initialize', params, 0), {
        'mcp-protocol-version': undefined,
      })
      expect([response.statusCode, response.json()]).toEqual([200, expected])
    },
  )

  test('tells the whole identity and the instructions', async () => {
    const serverInfo = { ...SERVER_INFO, title: 'Test', websiteUrl: 'https://example.com/' }
    const server = createCheckedServer({ ...OPTIONS, serverInfo, instructions: 'Ask who.' })
    const answer = await server.handle(initialize())
    expect(answer?.result).toEqual({ ...ANSWER, serverInfo, instructions: 'Ask who.' })
  })

  test('[L-IO-10] outranks what its _meta names where there are no headers', async () => {
    for (const version of [VERSION, OLDER, 'v999.0.0']) {
      const _meta = { ...META, [VERSION_KEY]: version }
      const answer = await createCheckedServer(OPTIONS).handle(bare('initialize', { _meta }))
      expect(answer?.result).toEqual(ANSWER)
    }
  })

  test('[VER-06] over HTTP, with the metadata of the newer revision, is an unknown method', async () => {
    const message = bare('initialize', { protocolVersion: OLDER, _meta: META })
    const response = await postOld(await createApp(OPTIONS), message, {
      'mcp-protocol-version': VERSION,
      'mcp-method': 'initialize',
    })
    expect([response.statusCode, response.json()]).toEqual([
      404,
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found: initialize' } },
    ])
  })

  test('[L-HTTP-04, L-HTTP-08] leaves nothing behind over HTTP or in process', async () => {
    const server = createCheckedServer(OPTIONS)
    const app = await createApp(OPTIONS)
    const opening = bare('initialize', {
      protocolVersion: OLDER,
      capabilities: { roots: {} },
      clientInfo: { name: 'old', version: '1' },
    })
    await server.handle(opening)
    await postOld(app, opening)
    const who = bare('tools/call', { name: 'who' })
    const nobody = {
      clientInfo: null,
      clientCapabilities: {},
      protocolVersion: OLDER,
      meta: {},
    }
    const told = [await server.handle(who), (await postOld(app, who)).json()]
    expect(told.map((answer) => answer.result.structuredContent)).toEqual([nobody, nobody])
  })

  test('[L-PING-01] is not waited for: a ping and any other request come first', async () => {
    const server = createCheckedServer(OPTIONS)
    expect(await server.handle(bare('ping'))).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    expect((await server.handle(bare('tools/list')))?.result).toHaveProperty('tools')
  })
})

/** A server with one caller for its life, as a pipe has. */
function connect(): {
  readonly session: Session
  readonly ask: (message: unknown) => Promise<Record<string, unknown> | undefined>
} {
  const { logger } = recordLog()
  const server = createTransportServer({ ...OPTIONS, logger })
  const session = createSession()
  const exchange: Exchange = {
    transportContext: { transport: 'stdio' },
    principal: undefined,
    log: logger,
    session,
  }
  return {
    session,
    ask: async (message) => {
      const answer = await server.serveValue(message, exchange)
      if (answer !== undefined) checkAnswer(message, answer)
      return answer as Record<string, unknown> | undefined
    },
  }
}

/** What the tool saw of its caller. */
async function whoIs(ask: ReturnType<typeof connect>['ask'], _meta?: unknown) {
  const params = { name: 'who', ...(_meta !== undefined && { _meta }) }
  const answer = await ask(bare('tools/call', params))
  return (answer as { readonly result: JsonObject }).result['structuredContent']
}

const OPENED = {
  protocolVersion: OLDER,
  capabilities: { roots: { listChanged: true }, sampling: {} },
  clientInfo: { name: 'desk', version: '3.0.0' },
}

describe('a connection that has one caller for its life', () => {
  test('[L-IO-02, L-INIT-05] remembers what the client said of itself', async () => {
    const { ask, session } = connect()
    await ask(bare('initialize', OPENED))
    expect(session.isInitialized).toBe(false)
    expect(await ask({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined()
    expect(session.isInitialized).toBe(true)
    const { clientInfo, capabilities: clientCapabilities } = OPENED
    const seen = { clientInfo, clientCapabilities, protocolVersion: OLDER }
    expect(await whoIs(ask)).toEqual({ ...seen, meta: {} })
    expect(await whoIs(ask, { progressToken: 7 })).toEqual({ ...seen, meta: { progressToken: 7 } })
    const named = { [VERSION_KEY]: OLDER }
    expect(await whoIs(ask, named)).toEqual({ ...seen, meta: named })
  })

  test('[L-IO-10, ENV-11] shows a request of the newer revision nothing of it', async () => {
    const { ask } = connect()
    await ask(bare('initialize', OPENED))
    const newer = { clientInfo: null, clientCapabilities: {}, protocolVersion: VERSION }
    expect(await whoIs(ask, META)).toEqual({ ...newer, meta: META })
    const introduced = {
      ...META,
      'io.modelcontextprotocol/clientInfo': { name: 'new', version: '9' },
    }
    expect(await whoIs(ask, introduced)).toMatchObject({ clientInfo: { name: 'new' } })
    expect(await whoIs(ask)).toMatchObject({ clientInfo: OPENED.clientInfo })
  })

  test('[L-INIT-07] is opened again by a second handshake, which forgets the first', async () => {
    const { ask, session } = connect()
    await ask(bare('initialize', OPENED))
    await ask({ jsonrpc: '2.0', method: 'notifications/initialized' })
    session.logLevel = 'debug'
    expect(await ask(bare('initialize', { clientInfo: 'x' }))).toMatchObject({ result: ANSWER })
    expect(session).toEqual(createSession())
    expect(await whoIs(ask)).toMatchObject({ clientInfo: null, clientCapabilities: {} })
  })

  test('[L-IO-11] is probed first and opened then', async () => {
    const { ask } = connect()
    const probe = await ask(request('server/discover'))
    expect(probe).toMatchObject({ result: { supportedVersions: BOTH, resultType: 'complete' } })
    expect(await ask(initialize())).toEqual({ jsonrpc: '2.0', id: 0, result: ANSWER })
  })

  test('answers nothing to notifications/initialized that carries an id, and notes it', async () => {
    const { ask, session } = connect()
    expect(await ask(bare('notifications/initialized'))).toBeUndefined()
    expect(session.isInitialized).toBe(true)
  })

  test('notes the client as ready where _meta is misplaced in the notification', async () => {
    const { ask, session } = connect()
    const misplaced = { jsonrpc: '2.0', method: 'notifications/initialized', _meta: {} }
    expect(await ask(misplaced)).toBeUndefined()
    expect(session.isInitialized).toBe(true)
  })
})
