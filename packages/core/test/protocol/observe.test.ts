// SPDX-License-Identifier: Apache-2.0
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Channel, tracingChannel } from 'node:diagnostics_channel'
import {
  type CallEvent,
  type CallReport,
  CHANNEL_NAMES,
  createCatalog,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type JsonRpcResponse,
  notFound,
  promptError,
  type ServerOptions,
  toolError,
} from '@beam-mcp/core/server'
import { afterEach, describe, expect, test } from 'vitest'
import { request } from '../support/messages.ts'
import { createCheckedServer, recordLog } from '../support/server.ts'

const SECRET = 'MARKER-never-published'

const PARTS = {
  tools: [
    defineTool({
      name: 'say',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      handler: (args) => args,
    }),
    defineTool({ name: 'decline', handler: () => toolError(SECRET) }),
    defineTool({
      name: 'break',
      handler: () => {
        throw new Error(SECRET)
      },
    }),
  ],
  resources: [defineResource({ uri: 'note://list', name: 'list', read: () => SECRET })],
  resourceTemplates: [
    defineResourceTemplate({
      uriTemplate: 'note://{id}',
      name: 'note',
      read: (uri) => (uri === `note://${SECRET}` ? SECRET : notFound(SECRET)),
    }),
  ],
  prompts: [
    definePrompt({ name: 'ask', arguments: [{ name: 'who' }], render: ({ who }) => who ?? 'all' }),
    definePrompt({ name: 'refuse', render: () => promptError(SECRET) }),
  ],
}

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

type Phase = 'start' | 'end'

/** Copies what is published, as it is at that moment, until the test ends. */
function listen(kind: keyof typeof CHANNEL_NAMES): { phase: Phase; event: CallEvent }[] {
  const heard: { phase: Phase; event: CallEvent }[] = []
  const channels = tracingChannel<unknown, CallEvent>(CHANNEL_NAMES[kind])
  const subscribe = (phase: Phase, channel: Channel<unknown, CallEvent>): void => {
    const hear = (event: unknown): void =>
      void heard.push({ phase, event: { ...(event as CallEvent) } })
    channel.subscribe(hear)
    ends.push(() => channel.unsubscribe(hear))
  }
  subscribe('start', channels.start)
  subscribe('end', channels.end)
  return heard
}

function serve(
  message: Record<string, unknown>,
  options: Partial<ServerOptions> = {},
): Promise<JsonRpcResponse | undefined> {
  const { logger } = recordLog()
  const serverInfo = { name: 'observed', version: '1' }
  const server = createCheckedServer({ ...createCatalog(PARTS), serverInfo, logger, ...options })
  return server.handle(message, { principal: 'ann' })
}

const call = (name: string, args?: object): Record<string, unknown> =>
  request('tools/call', { name, ...(args && { arguments: args }) }, 'id-7')

describe('the dispatch channel', () => {
  test('tells start and end of a call by identity, duration and outcome alone', async () => {
    const heard = listen('tool')
    await serve(call('say', { text: SECRET }))
    const event = { server: 'observed', tool: 'say', requestId: 'id-7' }
    expect(heard).toEqual([
      { phase: 'start', event },
      { phase: 'end', event: { ...event, durationMs: expect.any(Number), outcome: 'ok' } },
    ])
    expect(heard[1]?.event.durationMs).toBeGreaterThanOrEqual(0)
  })

  test.each(['decline', 'break'])(
    'tells %s as an error and nothing of the reason',
    async (name) => {
      const heard = listen('tool')
      await serve(call(name))
      expect(heard.map(({ event }) => event.outcome)).toEqual([undefined, 'error'])
      expect(JSON.stringify(heard)).not.toContain(SECRET)
    },
  )

  test.each([
    ['an unknown tool', call('absent')],
    ['arguments outside the schema', call('say', { text: 1 })],
    ['a list', request('tools/list')],
  ])('is silent about %s', async (_what, message) => {
    const heard = listen('tool')
    await serve(message)
    expect(heard).toEqual([])
  })

  test.each([undefined, 10_000])('lets a subscriber freeze the event, within %s ms', async (ms) => {
    const { start, end } = tracingChannel<unknown, CallEvent>(CHANNEL_NAMES.tool)
    const heard: unknown[] = []
    const freeze = (event: unknown): void => void Object.freeze(event)
    const hear = (event: unknown): void => void heard.push(event)
    start.subscribe(freeze)
    end.subscribe(hear)
    ends.push(() => {
      start.unsubscribe(freeze)
      end.unsubscribe(hear)
    })
    const { logger, lines } = recordLog()
    const tool = defineTool({ name: 'later', handler: async () => 'done' })
    const limit = ms !== undefined && { timeoutMs: ms }
    const answer = await serve(call('later'), {
      ...createCatalog({ tools: [tool] }),
      ...limit,
      logger,
    })
    expect(answer?.result).toMatchObject({ content: [{ type: 'text', text: 'done' }] })
    expect(heard).toEqual([{ server: 'observed', tool: 'later', requestId: 'id-7' }])
    expect(lines).toEqual([])
  })

  test.each(['at once', 'later'])(
    'of a tool that answers %s ends inside the store',
    async (when) => {
      const store = new AsyncLocalStorage<CallEvent>()
      const { start, end } = tracingChannel<unknown, CallEvent>(CHANNEL_NAMES.tool)
      const within: unknown[] = []
      const note = (): void => void within.push(store.getStore()?.tool)
      start.bindStore(store)
      end.subscribe(note)
      ends.push(() => {
        start.unbindStore(store)
        end.unsubscribe(note)
      })
      const handler = when === 'at once' ? () => 'done' : async () => 'done'
      const tool = defineTool({ name: 'where', handler })
      await serve(call('where'), { ...createCatalog({ tools: [tool] }), onCall: note })
      expect(within).toEqual(['where', 'where'])
    },
  )

  test('binds a store for all that the handler awaits', async () => {
    const store = new AsyncLocalStorage<CallEvent>()
    const { start } = tracingChannel<unknown, CallEvent>(CHANNEL_NAMES.tool)
    start.bindStore(store)
    ends.push(() => start.unbindStore(store))
    const tool = defineTool({
      name: 'where',
      handler: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return store.getStore()?.tool ?? 'nowhere'
      },
    })
    const answer = await serve(call('where'), createCatalog({ tools: [tool] }))
    expect(answer?.result).toMatchObject({ content: [{ type: 'text', text: 'where' }] })
    expect(store.getStore()).toBeUndefined()
  })
})

describe('the read channel', () => {
  test('names the listed uri', async () => {
    const heard = listen('resource')
    await serve(request('resources/read', { uri: 'note://list' }))
    expect(heard.map(({ event }) => event.resource)).toEqual(['note://list', 'note://list'])
    expect(heard.at(-1)?.event.outcome).toBe('ok')
  })

  test('names the template and never the requested uri', async () => {
    const heard = listen('resource')
    await serve(request('resources/read', { uri: `note://${SECRET}` }))
    await serve(request('resources/read', { uri: 'note://gone' }))
    expect(heard.map(({ event }) => [event.resource, event.outcome])).toEqual([
      ['note://{id}', undefined],
      ['note://{id}', 'ok'],
      ['note://{id}', undefined],
      ['note://{id}', 'error'],
    ])
    expect(JSON.stringify(heard)).not.toContain(SECRET)
  })
})

describe('the prompt channel', () => {
  test('names the prompt', async () => {
    const heard = listen('prompt')
    await serve(request('prompts/get', { name: 'ask', arguments: { who: SECRET } }))
    await serve(request('prompts/get', { name: 'refuse' }))
    expect(heard.map(({ event }) => [event.prompt, event.outcome])).toEqual([
      ['ask', undefined],
      ['ask', 'ok'],
      ['refuse', undefined],
      ['refuse', 'error'],
    ])
    expect(JSON.stringify(heard)).not.toContain(SECRET)
  })
})

describe('onCall', () => {
  test('is told of each finished call, with the principal and the transport', async () => {
    const reports: CallReport[] = []
    const onCall = (report: CallReport): void => void reports.push(report)
    await serve(call('say', { text: SECRET }), { onCall })
    await serve(call('break'), { onCall })
    await serve(request('resources/read', { uri: `note://${SECRET}` }, 3), { onCall })
    await serve(request('prompts/get', { name: 'ask' }, 4), { onCall })
    const common = { principal: 'ann', transport: 'in-process', durationMs: expect.any(Number) }
    expect(reports).toEqual([
      { ...common, kind: 'tool', name: 'say', outcome: 'ok', requestId: 'id-7' },
      { ...common, kind: 'tool', name: 'break', outcome: 'error', requestId: 'id-7' },
      { ...common, kind: 'resource', name: 'note://{id}', outcome: 'ok', requestId: 3 },
      { ...common, kind: 'prompt', name: 'ask', outcome: 'ok', requestId: 4 },
    ])
    expect(JSON.stringify(reports)).not.toContain(SECRET)
  })

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 40))
  test.each<[string, 'ok' | 'error', () => unknown]>([
    ['answers at once', 'ok', () => ({ done: true })],
    ['answers later', 'ok', () => turn().then(() => ({ done: true }))],
    [
      'throws at once',
      'error',
      () => {
        throw undefined
      },
    ],
    [
      'rejects later',
      'error',
      async () => {
        await turn()
        throw undefined
      },
    ],
    ['breaks its contract at once', 'error', () => ({ done: 1n })],
    ['breaks its contract later', 'error', () => turn().then(() => ({ done: 1n }))],
    ['is late, and answers then', 'error', slow],
    ['is late, and fails then', 'error', () => slow().then(() => Promise.reject(new Error()))],
  ])('is told once of a tool that %s, as a channel is', async (what, outcome, handler) => {
    const heard = listen('tool')
    const tool = defineTool({ name: 'end', handler: handler as () => undefined })
    const isLate = what.startsWith('is late')
    for (const timeoutMs of isLate ? [10] : [undefined, 10_000]) {
      const outcomes: unknown[] = []
      const onCall = (report: CallReport): void => void outcomes.push(report.outcome)
      const limit = timeoutMs !== undefined && { timeoutMs }
      await serve(call('end'), {
        ...createCatalog({ tools: [tool] }),
        onCall,
        ...limit,
      })
      expect(outcomes).toEqual([outcome])
      if (isLate) await slow()
      expect(outcomes).toEqual([outcome])
      expect(heard.splice(0).map(({ event }) => event.outcome)).toEqual([undefined, outcome])
    }
  })

  test('that rejects is logged and changes no answer', async () => {
    const { logger, lines } = recordLog()
    const onCall = async (): Promise<void> => {
      throw new Error('onCall is broken later')
    }
    const answer = await serve(call('say', {}), { onCall, logger })
    expect(answer?.result).toMatchObject({ isError: false })
    await new Promise((resolve) => setImmediate(resolve))
    expect(lines.map(({ bindings }) => bindings)).toEqual([
      { err: new Error('onCall is broken later') },
    ])
  })

  test('that throws is logged and changes no answer', async () => {
    const { logger, lines } = recordLog()
    const onCall = (): void => {
      throw new Error('onCall is broken')
    }
    const answer = await serve(call('say', {}), { onCall, logger })
    expect(answer?.result).toMatchObject({ isError: false })
    expect(lines).toEqual([
      {
        level: 'error',
        bindings: { err: new Error('onCall is broken') },
        message: 'onCall failed; the call is answered all the same',
      },
    ])
  })
})
