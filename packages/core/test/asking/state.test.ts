// SPDX-License-Identifier: Apache-2.0
import {
  type BeamMcpOptions,
  beamMcp,
  type CallContext,
  type CatalogParts,
  createCatalog,
  createServer,
  createStateSealer,
  definePrompt,
  defineTool,
  elicitForm,
  inputRequired,
  type StateSealer,
} from '@beam-mcp/core'
import Fastify from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { post } from '../support/app.ts'
import {
  keyOf,
  paramsOf,
  type Round,
  SEALER,
  STATE_REFUSED,
  serveAsking,
  stateOf,
} from '../support/asking.ts'
import { request } from '../support/messages.ts'
import { failure, INTERNAL, serve, textAnswer } from '../support/server.ts'

const WHO = elicitForm('Who?', { type: 'object', properties: {} })

/** Answers the state of a retry, and asks to have it back on a first call. */
const echoing = (state: unknown, options: { readonly stateSealer?: StateSealer } = {}) =>
  serveAsking(
    (context) => (context.state === undefined ? inputRequired({ state }) : { got: context.state }),
    {
      stateSealer: SEALER,
      ...options,
    },
  )

describe('context.state', () => {
  test.each([[null], [0], [false], [''], [[]], [{ deep: [{ a: null }] }]])(
    'is %j again on the retry',
    async (state) => {
      const { round } = echoing(state)
      const requestState = stateOf(await round('tools/call'))
      expect(await round('tools/call', { requestState })).toMatchObject({
        result: { structuredContent: { got: state } },
      })
    },
  )

  test('[MRTR-10] may come again within its life, by the same caller and for the same request', async () => {
    const { round } = echoing({ once: true })
    const requestState = stateOf(await round('tools/call', { principal: 'ada' }))
    for (let time = 0; time < 3; time += 1) {
      expect(await round('tools/call', { principal: 'ada', requestState })).toMatchObject({
        result: { structuredContent: { got: { once: true } } },
      })
    }
  })

  test('[MRTR-09] is no one else’s', async () => {
    const { round } = echoing(1)
    const requestState = stateOf(await round('tools/call', { principal: 'ada' }))
    for (const principal of ['bob', undefined]) {
      expect(await round('tools/call', { principal, requestState })).toEqual(STATE_REFUSED)
    }
    expect(await round('prompts/get', { principal: 'ada', requestState })).toEqual(STATE_REFUSED)
  })

  test('[MRTR-08] is refused in one text, whatever is wrong with it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
    try {
      const { round } = echoing(1)
      const sealed = async (given: Round, server = echoing(1)) =>
        stateOf(await server.round('tools/call', given))
      const foreign = await sealed({ principal: 'bob' })
      const own = await sealed({ principal: 'ada' })
      const otherKey = createStateSealer({ keys: [keyOf(2)], allowAnonymous: true })
      const unknown = await sealed({ principal: 'ada' }, echoing(1, { stateSealer: otherKey }))
      const answers = [foreign, `${own}-TAMPERED`, own.slice(1), unknown, 'x'.repeat(100_000)].map(
        (requestState) => round('tools/call', { principal: 'ada', requestState }),
      )
      vi.setSystemTime(Date.now() + 600_000)
      answers.push(round('tools/call', { principal: 'ada', requestState: own }))
      for (const answer of await Promise.all(answers)) expect(answer).toEqual(STATE_REFUSED)
    } finally {
      vi.useRealTimers()
    }
  })

  test('is refused whatever the handler would have done with it', async () => {
    const { round, log } = serveAsking(() => 'done', { stateSealer: SEALER })
    expect(await round('tools/call', { requestState: 'forged' })).toEqual(STATE_REFUSED)
    expect(log.lines).toEqual([])
  })

  test.each([
    ['a bigint', 1n],
    ['NaN', { a: Number.NaN }],
    ['a function', () => 1],
    ['a Map', new Map()],
    ['more than 64 KiB', 'x'.repeat(65_536)],
  ])('is a host fault of %s, which no answer tells', async (_what, state) => {
    const { round, faults } = echoing(state)
    expect(await round('tools/call')).toEqual(INTERNAL)
    expect(faults()).toHaveLength(1)
    expect(faults()[0]).not.toContain('xxx')
  })

  test('[MRTR-09] is not sealed for nobody unless the host says so', async () => {
    const strict = createStateSealer({ keys: [keyOf(1)] })
    const { round, faults } = echoing(1, { stateSealer: strict })
    expect(await round('tools/call')).toEqual(INTERNAL)
    expect(faults()).toEqual([expect.stringContaining('allowAnonymous')])
  })

  test('[MRTR-08] that nobody sends is refused, and is no fault of the host', async () => {
    const strict = createStateSealer({ keys: [keyOf(1)] })
    const { round, log } = serveAsking(({ state }) => ({ state: state ?? null }), {
      stateSealer: strict,
    })
    const requestState = stateOf(await echoing(1).round('tools/call'))
    for (const sent of ['forged', requestState]) {
      expect(await round('tools/call', { requestState: sent })).toEqual(STATE_REFUSED)
    }
    expect(log.lines).toEqual([])
  })
})

describe('a handler that writes into what it was handed', () => {
  const asking = (context: CallContext) =>
    context.state === undefined ? inputRequired({ state: 1 }) : 'back'
  const parts: CatalogParts = {
    tools: [
      defineTool({
        name: 'sort',
        inputSchema: { type: 'object', properties: { tags: {}, deep: {} } },
        handler: (args, context) => {
          const { tags, deep } = args as { tags: unknown[]; deep: { a: { b?: number } } }
          tags.sort().push('more')
          delete deep.a.b
          Object.assign(args, { tags: [] })
          return asking(context)
        },
      }),
    ],
    prompts: [
      definePrompt({
        name: 'sort',
        arguments: [{ name: 'a' }],
        render: (args, context) => {
          Object.assign(args, { a: 'other' })
          return asking(context)
        },
      }),
    ],
  }

  test.each([
    ['tools/call', '{"tags":["b","a"],"deep":{"a":{"b":1},"__proto__":{"c":1}}}'],
    ['prompts/get', '{"a":"one"}'],
  ])('[MRTR-06] is called again by the same %s', async (method, json) => {
    const { ask } = serve(parts, { stateSealer: SEALER })
    const params = () => ({ name: 'sort', arguments: JSON.parse(json) as unknown })
    const requestState = stateOf(await ask(method, paramsOf(params())))
    expect(await ask(method, paramsOf(params(), { requestState }))).toMatchObject({
      result: { resultType: 'complete' },
    })
    const other = {
      ...params(),
      arguments: JSON.parse(json.replace('1', '2').replace('one', 'two')),
    }
    expect(await ask(method, paramsOf(other, { requestState }))).toEqual(STATE_REFUSED)
  })
})

describe('a sealer that fails', () => {
  const broken = (open: StateSealer['open']): StateSealer => ({ ...SEALER, open })
  const calls: unknown[] = []
  const handlerOf = (stateSealer: StateSealer) =>
    serveAsking(
      () => {
        calls.push(1)
        return 'done'
      },
      { stateSealer },
    )

  test('in opening is a host fault before the handler runs', async () => {
    const thrower = broken(() => {
      throw new Error('no principalId for this one')
    })
    const later = broken((async () => ({ state: 1 })) as never)
    const never = broken((() => Promise.reject(new Error('no key'))) as never)
    for (const stateSealer of [thrower, later, never, broken((() => 5) as never)]) {
      const { round, faults } = handlerOf(stateSealer)
      expect(await round('tools/call', { requestState: 'abc' })).toEqual(INTERNAL)
      expect(faults()).toHaveLength(1)
      expect(await round('tools/call')).toEqual(textAnswer('done'))
    }
    expect(calls).toHaveLength(4)
  })

  test('in sealing is a host fault', async () => {
    const seals = [
      () => {
        throw new Error('no key')
      },
      async () => 'later',
      () => Promise.reject(new Error('no key')),
      () => 5,
      () => 'x'.repeat(65_537),
      () => undefined,
    ]
    for (const seal of seals) {
      const { round, faults } = echoing(1, { stateSealer: { ...SEALER, seal: seal as never } })
      expect(await round('tools/call')).toEqual(INTERNAL)
      expect(faults()).toHaveLength(1)
    }
  })

  test('is refused as an option that is none', async () => {
    for (const stateSealer of [null, 5, {}, { seal: () => '' }, [SEALER]]) {
      const options = { ...createCatalog({}), stateSealer: stateSealer as never }
      const made = await failure(() => createServer(options))
      expect(made.code).toBe('BEAM_ERR_OPT_INVALID')
      expect(made.message).toContain('createStateSealer')
    }
  })
})

describe('endpoints', () => {
  const tool = defineTool({
    name: 'ask',
    handler: (_args, context) =>
      context.state === undefined
        ? inputRequired({ requests: { who: WHO }, state: context.principal })
        : `back from ${String(context.state)}`,
  })

  async function tenants() {
    const app = Fastify()
    const options = {
      ...createCatalog({ tools: [tool] }),
      stateSealer: createStateSealer({ keys: [keyOf(1)] }),
      allowedOrigins: [],
      authorize: (request) => ({
        ok: true,
        principal: String(request.headers['x-user'] ?? 'ada'),
      }),
    } satisfies BeamMcpOptions
    await app.register(beamMcp, { ...options, prefix: '/t/:tenant' } as never)
    await app.register(async (scope) => {
      await scope.register(beamMcp, options)
    })
    const send = async (url: string, requestState?: string, user = 'ada') => {
      const retry = requestState === undefined ? {} : { requestState }
      const message = request('tools/call', paramsOf({ name: 'ask', arguments: {} }, retry))
      return (await post(app, message, { 'x-user': user }, url)).json()
    }
    return send
  }

  test('[MRTR-09] under a parameter are one for each of its values', async () => {
    const send = await tenants()
    const names = Array.from({ length: 8 }, (_, at) => `t${at}`)
    const states = await Promise.all(
      names.map(async (name) => stateOf(await send(`/t/${name}/mcp`))),
    )
    await Promise.all(
      names.flatMap((name) =>
        states.map(async (state, of) => {
          const answer = await send(`/t/${name}/mcp`, state)
          if (name === names[of]) expect(answer.result.content[0].text).toBe('back from ada')
          else expect(answer).toEqual(STATE_REFUSED)
        }),
      ),
    )
  })

  test('[MRTR-09] do not share a state, nor do callers at one', async () => {
    const send = await tenants()
    const state = stateOf(await send('/mcp'))
    expect(await send('/t/a/mcp', state)).toEqual(STATE_REFUSED)
    expect(await send('/mcp', state, 'bob')).toEqual(STATE_REFUSED)
    expect((await send('/mcp', state)).result.resultType).toBe('complete')
    // The query and a slash at the end name the same endpoint.
    expect((await send('/mcp?trace=1', state)).result.resultType).toBe('complete')
  })
})
