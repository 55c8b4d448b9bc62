// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import {
  type CallContext,
  type CallReport,
  createCatalog,
  definePrompt,
  defineResource,
  defineTool,
  elicitForm,
  inputRequired,
  listRoots,
  sample,
} from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { createApp, post } from '../support/app.ts'
import {
  asks,
  METHODS,
  paramsOf,
  SEALER,
  STATE_REFUSED,
  serveAsking,
  stateOf,
} from '../support/asking.ts'
import { request } from '../support/messages.ts'
import {
  errorAnswer,
  INTERNAL,
  resultAnswer,
  serve,
  textAnswer,
  UNCACHED,
} from '../support/server.ts'

const WHO = elicitForm('Who is travelling?', {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
})
const ADA = { who: { action: 'accept', content: { name: 'Ada' } } }

/** What the callback of {@link greeter} answers in the end, by method. */
const GREETED = {
  'tools/call': textAnswer('Hello Ada'),
  'resources/read': resultAnswer({
    contents: [{ uri: 'ask://it', text: 'Hello Ada' }],
    ...UNCACHED,
  }),
  'prompts/get': resultAnswer({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }],
  }),
}

const greeter = (options = {}) =>
  serveAsking((context) => {
    const who = context.input('who', WHO)
    if (who === undefined) return inputRequired({ requests: { who: WHO } })
    return who.action === 'accept' ? `Hello ${who.content.name}` : `Nobody: ${who.action}`
  }, options)

describe.each(METHODS)('%s', (method) => {
  test('[MRTR-01] [MRTR-03] [MRTR-04] asks by a result that ends the request', async () => {
    const { round } = greeter()
    expect(await round(method)).toEqual(asks({ inputRequests: { who: WHO } }))
  })

  test('[MRTR-06] [MRTR-07] [MRTR-15] is served from what it carries, by a server that never asked', async () => {
    const { round } = greeter()
    expect(await round(method, { inputResponses: ADA })).toEqual(GREETED[method])
  })

  test('[MRTR-14] asks again for an answer that is missing', async () => {
    const { round } = greeter()
    for (const inputResponses of [{}, { other: ADA.who }, { toString: ADA.who }]) {
      expect(await round(method, { inputResponses })).toEqual(asks({ inputRequests: { who: WHO } }))
    }
  })

  test('[MRTR-13] does not look at other keys', async () => {
    const { round } = greeter()
    const inputResponses = { ...ADA, one: 5, two: { action: 'accept' }, three: null }
    expect(await round(method, { inputResponses })).toEqual(GREETED[method])
  })

  test.each([null, 5, 'text', true, [ADA]])(
    '[MRTR-12] refuses inputResponses that are %j',
    async (inputResponses) => {
      const { round } = greeter()
      expect(await round(method, { inputResponses })).toEqual(
        errorAnswer(-32602, 'Invalid params: inputResponses must be an object'),
      )
    },
  )

  test.each([
    ['lets it through', (read: () => unknown) => read()],
    [
      'answers all the same',
      (read: () => unknown) => {
        try {
          return read()
        } catch {
          return 'caught'
        }
      },
    ],
    [
      'throws something else',
      (read: () => unknown) => {
        try {
          return read()
        } catch {
          throw new Error('another')
        }
      },
    ],
    [
      'asks again',
      (read: () => unknown) => {
        try {
          return read()
        } catch {
          return inputRequired({ requests: { who: WHO } })
        }
      },
    ],
    ['rejects', async (read: () => unknown) => read()],
  ])('[MRTR-12] refuses a malformed answer whose handler %s', async (_what, handle) => {
    const { round, log } = serveAsking((context) =>
      handle(() => context.input('who', WHO) ?? 'none'),
    )
    const refused = errorAnswer(
      -32602,
      'Invalid params: inputResponses.who: action must be accept, decline or cancel',
    )
    expect(await round(method, { inputResponses: { who: { action: 5 } } })).toEqual(refused)
    expect(log.lines).toEqual([])
  })

  test('[MRTR-03] [MRTR-04] is a host fault where it asks for nothing', async () => {
    for (const nothing of [inputRequired({}), inputRequired({ requests: {} })]) {
      const { round, faults } = serveAsking(() => nothing, { stateSealer: SEALER })
      expect(await round(method)).toEqual(INTERNAL)
      expect(faults()).toEqual(['inputRequired asks for nothing and has no state'])
    }
  })

  test('asks by what it throws too', async () => {
    const { round, log } = serveAsking(() => {
      throw inputRequired({ requests: { who: WHO } })
    })
    expect(await round(method)).toEqual(asks({ inputRequests: { who: WHO } }))
    expect(log.lines).toEqual([])
  })

  test('[MRTR-17] may send a state alone, which brings the client back', async () => {
    const { round } = serveAsking(
      ({ state }) => (state === undefined ? inputRequired({ state: { shed: 1 } }) : 'Hello Ada'),
      { stateSealer: SEALER },
    )
    const first = await round(method)
    const requestState = stateOf(first)
    expect(first).toEqual(asks({ requestState }))
    expect(await round(method, { requestState })).toEqual(GREETED[method])
  })

  test('[MRTR-06] [MRTR-16] goes on for several rounds on whatever instance it meets', async () => {
    const server = () =>
      serveAsking(
        (context) => {
          const earlier = (context.state ?? []) as readonly string[]
          const who = context.input('who', WHO)
          const names = who?.action === 'accept' ? [...earlier, who.content.name] : earlier
          return names.length < 3
            ? inputRequired({ requests: { who: WHO }, state: names })
            : `Hello ${names.join()}`
        },
        { stateSealer: SEALER },
      )
    const states: string[] = []
    let answer = await server().round(method)
    for (const name of ['A', 'd', 'a']) {
      const requestState = stateOf(answer)
      states.push(requestState)
      const inputResponses = { who: { action: 'accept', content: { name } } }
      answer = await server().round(method, { requestState, inputResponses })
    }
    expect(JSON.stringify(answer)).toContain('Hello A,d,a')
    expect(new Set(states).size).toBe(3)
  })

  test('[MRTR-08] refuses a state that does not open before the handler runs', async () => {
    let calls = 0
    const { round } = serveAsking(
      () => {
        calls += 1
        return 'done'
      },
      { stateSealer: SEALER },
    )
    for (const requestState of ['', 'abc', 5, null, {}, ['a'], true]) {
      expect(await round(method, { requestState })).toEqual(STATE_REFUSED)
    }
    expect(calls).toBe(0)
  })

  test('is a host fault with a state and no sealer', async () => {
    const { round, faults } = serveAsking(() => inputRequired({ state: 1 }))
    expect(await round(method)).toEqual(INTERNAL)
    expect(faults()).toEqual(['inputRequired has a state, which needs stateSealer'])
  })

  test('ignores both members where the host uses neither', async () => {
    const { round } = serveAsking(() => 'Hello Ada')
    const retry = { requestState: 'forged', inputResponses: null }
    expect(await round(method, retry)).toEqual(GREETED[method])
    expect(await round(method)).toEqual(GREETED[method])
  })
})

describe('one request', () => {
  const requests = {
    who: WHO,
    blurb: sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'One line' } }],
      maxTokens: 60,
    }),
    dirs: listRoots(),
  }
  const blurb = { role: 'assistant', content: { type: 'text', text: 'Calm.' }, model: 'm' }
  const dirs = { roots: [{ uri: 'file:///home/ada' }] }

  test('[MRTR-04] [MRTR-07] asks for several things, and reads each by its key', async () => {
    const { round } = serveAsking((context) => {
      const read = {
        who: context.input('who', requests.who),
        blurb: context.input('blurb', requests.blurb),
        dirs: context.input('dirs', requests.dirs),
      }
      return Object.values(read).includes(undefined) ? inputRequired({ requests }) : read
    })
    expect(await round('tools/call')).toEqual(asks({ inputRequests: requests }))
    expect(await round('tools/call', { inputResponses: { ...ADA, dirs } })).toEqual(
      asks({ inputRequests: requests }),
    )
    const inputResponses = { ...ADA, blurb, dirs }
    expect(await round('tools/call', { inputResponses })).toMatchObject({
      result: { structuredContent: inputResponses },
    })
  })

  test('[MRTR-11] leaves nothing behind for a retry that never comes', async () => {
    const { round } = greeter({ stateSealer: SEALER, timeoutMs: 60_000 })
    await round('tools/call')
    const before = process.getActiveResourcesInfo().length
    for (let time = 0; time < 100; time += 1) await round('tools/call')
    // What the test runner has of its own comes and goes beside; one thing of each call would be seen.
    expect(process.getActiveResourcesInfo().length).toBeLessThan(before + 50)
  })

  test('is no failure to who is told of calls, and a refused answer is one', async () => {
    const told: string[] = []
    const { round } = greeter({
      onCall: ({ kind, outcome }: CallReport) => void told.push(`${kind} ${outcome}`),
    })
    await round('tools/call')
    await round('resources/read', { inputResponses: 5 })
    await round('prompts/get', { capabilities: {} })
    expect(told).toEqual(['tool ok', 'resource error', 'prompt error'])
  })

  test('[CANC-10] is answered by its time limit, whatever it would have asked', async () => {
    const { round } = serveAsking(
      async ({ signal }) => {
        await once(signal, 'abort')
        return inputRequired({ requests: { who: WHO } })
      },
      { timeoutMs: 5 },
    )
    expect(await round('tools/call')).toMatchObject({
      result: { isError: true, content: [{ text: 'No answer within 5 ms' }] },
    })
  })

  test('reads with functions taken out of the context', async () => {
    const { round } = serveAsking(({ input }) => ({ got: input('who', WHO) ?? null }))
    expect(await round('tools/call', { inputResponses: ADA })).toMatchObject({
      result: { structuredContent: { got: ADA.who } },
    })
  })

  test('[MRTR-04] has keys of any spelling', async () => {
    const keyed = Object.fromEntries(['__proto__', 'constructor', '', 'ü'].map((key) => [key, WHO]))
    const { round } = serveAsking((context) => {
      const names = Object.keys(keyed).map((key) => context.input(key, WHO)?.action)
      return names.includes(undefined) ? inputRequired({ requests: keyed }) : names
    })
    const first = await round('tools/call')
    expect(JSON.stringify(first)).toContain(JSON.stringify(keyed))
    const given = Object.fromEntries(Object.keys(keyed).map((key) => [key, ADA.who]))
    const inputResponses = JSON.parse(JSON.stringify(given))
    expect(await round('tools/call', { inputResponses })).toMatchObject({
      result: { structuredContent: ['accept', 'accept', 'accept', 'accept'] },
    })
  })
})

describe('what may not ask', () => {
  const asking = () => inputRequired({ requests: { who: WHO } })

  test('[MRTR-02] a completer', async () => {
    const { ask, log } = serve({
      prompts: [
        definePrompt({
          name: 'p',
          arguments: [{ name: 'a', complete: () => asking() as never }],
          render: () => 'p',
        }),
      ],
    })
    const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }
    expect(await ask('completion/complete', paramsOf(params))).toEqual(INTERNAL)
    expect(log.lines).toHaveLength(1)
  })

  test('[MRTR-02] and a completer is never answered', async () => {
    const seen: unknown[] = []
    const { ask } = serve(
      {
        prompts: [
          definePrompt({
            name: 'p',
            arguments: [
              {
                name: 'a',
                complete: (_value, context) => {
                  seen.push(context.input('who', WHO), context.state)
                  return ['v']
                },
              },
            ],
            render: () => 'p',
          }),
        ],
      },
      { stateSealer: SEALER },
    )
    const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }
    for (const retry of [{ inputResponses: ADA }, { inputResponses: 5, requestState: 'forged' }]) {
      expect(await ask('completion/complete', paramsOf(params, retry))).toMatchObject({
        result: { completion: { values: ['v'] } },
      })
    }
    expect(seen).toEqual([undefined, undefined, undefined, undefined])
  })

  test('[MRTR-02] lists and discovery, whatever they carry', async () => {
    const { ask } = greeter({ stateSealer: SEALER })
    const retry = { inputResponses: 5, requestState: 'forged' }
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'server/discover']) {
      expect(await ask(method, paramsOf({}, retry))).toMatchObject({
        result: { resultType: 'complete' },
      })
    }
  })

  test('a resource that any cache may keep', async () => {
    const { round, faults } = greeter({ cache: { resources: { cacheScope: 'public' } } })
    expect(await round('resources/read')).toEqual(INTERNAL)
    expect(faults()).toEqual([expect.stringContaining('readResource')])
    // Nothing of the caller is told to such a reader, so it asks again.
    expect(await round('resources/read', { inputResponses: ADA })).toEqual(INTERNAL)
  })

  test('[MRTR-05] the rule for who sees what; its caller is told of a malformed answer that it reads', async () => {
    const tool = defineTool({ name: 'ask', handler: () => 'done' })
    const made = createCatalog({
      tools: [tool],
      allows: (_entry, context) => (context as CallContext).input('who', WHO) === undefined,
    })
    const { ask } = serve({}, made)
    const params = paramsOf({ name: 'ask' }, { inputResponses: { who: 5 } })
    expect(await ask('tools/call', params)).toEqual(
      errorAnswer(-32602, 'Invalid params: inputResponses.who must be an object'),
    )
  })
})

describe('cache hints', () => {
  const reads = (read: (context: never) => unknown) =>
    serve(
      { resources: [defineResource({ uri: 'ask://it', name: 'it', read: read as never })] },
      { cache: { resources: { ttlMs: 60_000, cacheScope: 'private' } }, stateSealer: SEALER },
    )

  test('[CACHE-07] of a read that brought answers or a state are 0 and private', async () => {
    const { ask } = reads(({ state }: { state: unknown }) =>
      state === undefined ? inputRequired({ state: 1 }) : 'text',
    )
    const first = await ask('resources/read', paramsOf({ uri: 'ask://it' }))
    expect(first).toEqual(asks({ requestState: stateOf(first) }))
    const retry = { requestState: stateOf(first) }
    const contents = [{ uri: 'ask://it', text: 'text' }]
    const uncached = resultAnswer({ contents, ttlMs: 0, cacheScope: 'private' })
    expect(await ask('resources/read', paramsOf({ uri: 'ask://it' }, retry))).toEqual(uncached)
    const answered = reads(() => 'text')
    const responses = paramsOf({ uri: 'ask://it' }, { inputResponses: {} })
    expect(await answered.ask('resources/read', responses)).toEqual(uncached)
    expect(await answered.ask('resources/read', paramsOf({ uri: 'ask://it' }))).toEqual(
      resultAnswer({ contents, ttlMs: 60_000, cacheScope: 'private' }),
    )
  })
})

describe('a client of 2025-11-25', () => {
  const older = { revisions: ['2026-07-28', '2025-11-25'] } as const
  const told = 'This needs a client that can be asked for input'

  test('is told in words', async () => {
    const { server } = greeter(older)
    const ask = (method: string, params: object) =>
      server.handle({ jsonrpc: '2.0', id: 1, method, params })
    expect(await ask('tools/call', { name: 'ask' })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: told }], isError: true },
    })
    expect(await ask('resources/read', { uri: 'ask://it' })).toEqual(errorAnswer(-32603, told))
    expect(await ask('prompts/get', { name: 'ask' })).toEqual(errorAnswer(-32603, told))
  })

  test('is answered nothing of what it sends as a retry', async () => {
    const { server } = greeter({ ...older, stateSealer: SEALER })
    const params = { name: 'ask', inputResponses: ADA, requestState: 'forged' }
    const answer = await server.handle({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(answer).toMatchObject({ result: { isError: true, content: [{ text: told }] } })
  })
})

describe('over HTTP', () => {
  const tool = defineTool({
    name: 'ask',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
    handler: async (_args, context) => {
      await context.progress(1)
      const who = context.input('who', WHO)
      return who === undefined ? inputRequired({ requests: { who: WHO } }) : 'done'
    },
  })
  const args = { name: 'ask', arguments: { region: 'eu' } }

  test('[MRTR-18] the question is the last message of its stream', async () => {
    const app = await createApp(createCatalog({ tools: [tool] }))
    const params = paramsOf(args)
    const _meta = { ...(params['_meta'] as object), progressToken: 7 }
    const message = request('tools/call', { ...params, _meta })
    const { headers, body } = await post(app, message, { 'mcp-param-region': 'eu' })
    expect(headers['content-type']).toContain('text/event-stream')
    const sent = body
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => JSON.parse(line.slice(5)))
    expect(sent).toEqual([
      expect.objectContaining({ method: 'notifications/progress' }),
      expect.objectContaining({
        result: expect.objectContaining({ resultType: 'input_required' }),
      }),
    ])
  })

  test('[MRTR-19] a retry is held to its headers like any request', async () => {
    const app = await createApp(createCatalog({ tools: [tool] }))
    const message = request('tools/call', paramsOf(args, { inputResponses: ADA }))
    const right = { 'mcp-param-region': 'eu' }
    expect((await post(app, message, right)).json().result.resultType).toBe('complete')
    for (const wrong of [
      {},
      { 'mcp-param-region': 'us' },
      { ...right, 'mcp-name': 'other' },
      { ...right, 'mcp-method': 'tools/list' },
    ]) {
      const answer = await post(app, message, wrong)
      expect([answer.statusCode, answer.json().error.code]).toEqual([400, -32020])
    }
  })

  test('[MRTR-06] a first request without the metadata of its own is refused, retry or not', async () => {
    const app = await createApp(createCatalog({ tools: [tool] }))
    const message = request('tools/call', { ...args, inputResponses: ADA, _meta: {} })
    expect((await post(app, message, { 'mcp-param-region': 'eu' })).statusCode).toBe(400)
  })
})
