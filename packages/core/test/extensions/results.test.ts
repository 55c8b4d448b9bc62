// SPDX-License-Identifier: Apache-2.0
import {
  createCatalog,
  definePrompt,
  defineResource,
  defineTool,
  extensionResult,
  type JsonObject,
} from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { createApp, post } from '../support/app.ts'
import { META, request } from '../support/messages.ts'
import { BOTH, bare } from '../support/older-client.ts'
import { createTestServer, errorAnswer, INTERNAL, RESULT_META } from '../support/server.ts'

const JOBS = 'com.example/jobs'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** A call of the tool by a client that declares these extensions. */
function start(extensions: unknown): Record<string, unknown> {
  const _meta = { ...META, [CAPABILITIES]: { extensions } }
  return request('tools/call', { name: 'start', _meta })
}

/** A server that declares the extension, and a tool with this result. */
function serve(result: unknown, extensions: Readonly<Record<string, JsonObject>> = { [JOBS]: {} }) {
  const tool = defineTool({ name: 'start', handler: () => result })
  const options = { ...createCatalog({ tools: [tool] }), extensions, revisions: [...BOTH] }
  return { options, ...createTestServer(options) }
}

const STARTED = extensionResult(JOBS, 'com.example/job', { jobId: 'j-1', at: { percent: 0 } })
const MISSING = errorAnswer(-32021, 'Missing required client capability', {
  requiredCapabilities: { extensions: { [JOBS]: {} } },
})

describe('a result of an extension', () => {
  test('[EXT-03, ENV-06] reaches a client that declared it, as it is', async () => {
    const { server, log } = serve(STARTED)
    expect(await server.handle(start({ [JOBS]: {} }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        jobId: 'j-1',
        at: { percent: 0 },
        resultType: 'com.example/job',
        _meta: RESULT_META,
      },
    })
    expect(log.lines).toEqual([])
  })

  test('may have no members of its own', async () => {
    const { server } = serve(extensionResult(JOBS, 'com.example/job', {}))
    expect((await server.handle(start({ [JOBS]: { any: 'settings' } })))?.result).toEqual({
      resultType: 'com.example/job',
      _meta: RESULT_META,
    })
  })

  test.each<readonly [string, unknown]>([
    ['nothing', undefined],
    ['another extension', { 'com.example/other': {} }],
    ['true for its settings', { [JOBS]: true }],
    ['null for its settings', { [JOBS]: null }],
    ['a list', [JOBS]],
  ])('[EXT-03, ENV-06] is -32021 for a client that declared %s', async (_what, extensions) => {
    const { server, log } = serve(STARTED)
    expect(await server.handle(start(extensions))).toEqual(MISSING)
    expect(log.lines).toEqual([])
  })

  test('[EXT-03] over HTTP: the result, and the error with status 400', async () => {
    const app = await createApp(serve(STARTED).options)
    const { statusCode, ...answer } = await post(app, start({ [JOBS]: {} }))
    expect(statusCode).toBe(200)
    expect(answer.json().result).toMatchObject({ jobId: 'j-1', resultType: 'com.example/job' })
    const refused = await post(app, start({}))
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toEqual(MISSING)
  })

  test('[EXT-03] is told in words to a client of the older revision', async () => {
    const { server } = serve(STARTED)
    expect(await server.handle(bare('tools/call', { name: 'start' }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [{ type: 'text', text: `This needs a client with the extension ${JOBS}` }],
        isError: true,
      },
    })
  })
})

describe('a host fault is', () => {
  const DECLARED = start({ [JOBS]: {}, 'com.example/other': {} })
  const broken = (members: unknown): unknown => extensionResult(JOBS, 'job', members as JsonObject)

  test.each<readonly [string, unknown, string]>([
    [
      'an extension that the server does not declare',
      extensionResult('com.example/other', 'job', {}),
      'names an extension that is not declared',
    ],
    ['the type of a whole result', extensionResult(JOBS, 'complete', {}), 'has a resultType'],
    ['the type of a question', extensionResult(JOBS, 'input_required', {}), 'has a resultType'],
    ['a type without a name', extensionResult(JOBS, '', {}), 'has a resultType'],
    ['a type that is no text', extensionResult(JOBS, 7 as never, {}), 'has a resultType'],
    ['no members', broken(undefined), 'has undefined, which JSON cannot carry'],
    ['a list of members', broken([1]), 'has members that are no object'],
    ['a date for members', broken(new Date(0)), 'has members that are no object'],
    ['a second resultType', broken({ resultType: 'complete' }), 'resultType or _meta among them'],
    ['_meta of its own', broken({ _meta: {} }), 'resultType or _meta among them'],
    [
      'a resultType that shows only in JSON',
      broken({ toJSON: () => ({ resultType: 'complete' }) }),
      'resultType or _meta among them',
    ],
    ['a member that JSON cannot carry', broken({ at: 1n }), 'has a value that JSON cannot carry'],
    ['a member that JSON would lose', broken({ at: Number.NaN }), 'has a value that JSON would'],
  ])('%s', async (_what, result, why) => {
    const { server, log } = serve(result)
    expect(await server.handle(DECLARED)).toEqual(INTERNAL)
    expect(log.lines.map(({ bindings }) => String(bindings['err']))).toEqual([
      expect.stringContaining(why),
    ])
  })

  test.each([DECLARED, bare('tools/call', { name: 'start' })])(
    '[EXT-04] any extension where the server declares none',
    async (message) => {
      const { server } = serve(STARTED, {})
      const { error } = (await server.handle(message)) ?? {}
      expect(error).toEqual({ code: -32603, message: 'Internal error' })
    },
  )

  test('one that a reader or a renderer answers', async () => {
    const parts = {
      resources: [defineResource({ uri: 'job://1', name: 'job', read: () => STARTED as never })],
      prompts: [definePrompt({ name: 'job', render: () => STARTED as never })],
    }
    const { server } = createTestServer({ ...createCatalog(parts), extensions: { [JOBS]: {} } })
    const read = request('resources/read', { uri: 'job://1' })
    const get = request('prompts/get', { name: 'job' })
    expect(await server.handle(read)).toEqual(INTERNAL)
    expect(await server.handle(get)).toEqual(INTERNAL)
  })
})
