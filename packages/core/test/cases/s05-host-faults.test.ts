// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool, toolError } from '@beam-mcp/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { closed, errorAnswer, INTERNAL, kept, SERVER_META, see } from '../support/answers.ts'
import { collectLog, createApp, echoCatalog, listen, post } from '../support/app.ts'
import { call } from '../support/messages.ts'
import { connectClient } from '../support/official-client.ts'
import { rawPost } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const SECRET = 'connect ECONNREFUSED 10.0.0.5:5432 user=svc'

function circular(): object {
  const self: Record<string, unknown> = {}
  self['self'] = self
  return self
}

const TOOLS = [
  defineTool({
    name: 't1',
    handler: () => {
      throw Object.assign(new Error(SECRET), {
        statusCode: 404,
        code: -32601,
        headers: { 'x-leak': 'yes' },
      })
    },
  }),
  defineTool({ name: 't2', handler: () => Promise.reject('secret-string') }),
  defineTool({
    name: 't3',
    handler: () => {
      throw undefined
    },
  }),
  defineTool({ name: 't4', handler: circular }),
  defineTool({ name: 't5', handler: () => ({ amount: 10n }) }),
  defineTool({ name: 'expected', handler: () => toolError('The town is not known') }),
]

/** What of each fault the log has to have. */
const FAULTS: [string, string][] = [
  ['t1', SECRET],
  ['t2', 'a value that is no Error was thrown: secret-string'],
  ['t3', 'a value that is no Error was thrown: undefined'],
  ['t4', "The handler of tool 't4' answered a value that JSON cannot carry"],
  ['t5', "The handler of tool 't5' answered a value that JSON cannot carry"],
]

describe('S05: a tool that fails badly', () => {
  const { lines, logger } = collectLog('error')
  beforeEach(() => {
    lines.length = 0
  })
  const build = () => createApp(createCatalog({ tools: TOOLS }), { logger })

  test.each(FAULTS)(
    '[ERR-11] %s is one complete answer that tells nothing, and the log tells all',
    async (name, told) => {
      const socket = await openRawSocket(await listen(await build()))
      socket.send(rawPost(call(name, {}, 'q-42')))
      const response = await socket.read()
      expect(see(response)).toEqual(
        kept(500, errorAnswer(-32603, 'Internal error', { id: 'q-42' })),
      )
      expect(response.headers['x-leak']).toBeUndefined()
      expect(lines).toEqual([
        expect.objectContaining({
          level: 50,
          reqId: expect.any(String),
          requestId: 'q-42',
          tool: name,
          err: expect.objectContaining({
            message: expect.stringContaining(told),
            stack: expect.any(String),
          }),
        }),
      ])
      socket.send(rawPost(call('expected', {}, 2)))
      expect((await socket.read()).status).toBe(200)
    },
  )

  test.each(FAULTS)(
    'the official client shows of %s an HTTP error with that body alone',
    async (name) => {
      const client = await connectClient(await build())
      const thrown = await client.callTool({ name, arguments: {} }).catch((error: unknown) => error)
      expect(thrown).toMatchObject({ name: 'SdkHttpError', data: { status: 500 } })
      const { text } = (thrown as { data: { text: string } }).data
      expect(JSON.parse(text)).toEqual({ ...INTERNAL, id: expect.anything() })
      const next = await client.callTool({ name: 'expected', arguments: {} })
      expect(next.content).toEqual([{ type: 'text', text: 'The town is not known' }])
    },
  )

  test('[TOOL-15] an expected failure reaches the caller with the text of the host', async () => {
    expect(see(await post(await build(), call('expected')))).toEqual(
      kept(200, {
        jsonrpc: '2.0',
        id: 1,
        result: {
          content: [{ type: 'text', text: 'The town is not known' }],
          isError: true,
          resultType: 'complete',
          _meta: SERVER_META,
        },
      }),
    )
    expect(lines).toEqual([])
  })

  test('an authorize that throws is answered 500, with none of its text', async () => {
    const authorize = () => {
      throw new Error('token abc123 expired')
    }
    const { options, seen } = echoCatalog()
    const app = await createApp({ ...options, authorize }, { logger })
    expect(see(await post(app, call('echo')))).toEqual(closed(500, INTERNAL))
    expect(seen).toHaveLength(0)
    expect(lines).toEqual([
      expect.objectContaining({
        reqId: expect.any(String),
        err: expect.objectContaining({ message: 'token abc123 expired' }),
      }),
    ])
  })
})
