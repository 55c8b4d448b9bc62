// SPDX-License-Identifier: Apache-2.0
import { tracingChannel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { encode, type NodeIdentity, sidecar } from '@beam-mcp/connectome'
import {
  type Collector,
  type CollectorOptions,
  createCollector,
} from '@beam-mcp/connectome/observed'
import {
  type CatalogParts,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  toolError,
} from '@beam-mcp/core/server'
import { afterEach, describe, expect, test } from 'vitest'
import { refusalOf, wrong } from '../refusal.ts'
import { serve } from './server.ts'

const PARTS: CatalogParts = {
  tools: [
    defineTool({ name: 'add', handler: () => 'sum' }),
    defineTool({ name: 'decline', handler: () => toolError('no') }),
    defineTool({
      name: 'break',
      handler: () => {
        throw new Error('broken')
      },
    }),
    defineTool({
      name: 'strict',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      handler: () => 'ok',
    }),
  ],
  resources: [defineResource({ uri: 'note://list', name: 'list', read: () => 'all' })],
  resourceTemplates: [
    defineResourceTemplate({ uriTemplate: 'note://{id}', name: 'note', read: () => 'one' }),
  ],
  prompts: [definePrompt({ name: 'ask', render: () => 'well?' })],
}

const running: Collector[] = []
afterEach(() => {
  for (const collector of running.splice(0)) collector.stop()
})

function started(options: Partial<CollectorOptions> = {}): Collector {
  const collector = createCollector({ server: 'srv', ...options })
  running.push(collector)
  collector.start()
  return collector
}

/** The edges of a snapshot in one line each, with their weights. */
function edgesOf(collector: Collector): string[] {
  return collector
    .snapshot()
    .edges.map(({ from, kind, to, weight }) => `${from} ${kind} ${to} ${weight}`)
}

describe('a collector', () => {
  test('counts tool calls, whatever their outcome, one row for each tool', async () => {
    const collector = started()
    const server = serve('srv', PARTS)
    for (const name of ['add', 'add', 'decline', 'break']) await server.call(name)
    expect(edgesOf(collector)).toEqual([
      'srv/server invoke srv/tool/add 2',
      'srv/server invoke srv/tool/break 1',
      'srv/server invoke srv/tool/decline 1',
    ])
    expect(collector.size()).toBe(3)
    const graph = collector.snapshot()
    expect(graph.edges.map(({ provenance, sign }) => [provenance, sign])).toEqual(
      graph.edges.map(() => ['observed', 'unset']),
    )
    expect(graph.nodes.map(({ id, kind, level, labels }) => [id, kind, level, labels])).toEqual([
      ['srv/server', 'server', 'server', {}],
      ['srv/tool/add', 'tool', 'server', {}],
      ['srv/tool/break', 'tool', 'server', {}],
      ['srv/tool/decline', 'tool', 'server', {}],
    ])
  })

  test('counts nothing of a call that is refused before it runs', async () => {
    const collector = started({ include: ['read'] })
    const server = serve('srv', PARTS)
    await server.call('unknown')
    await server.call('strict', { n: 'one' })
    await server.read('other://list')
    await server.get('unknown')
    expect(collector.size()).toBe(0)
    expect(new TextDecoder().decode(encode(collector.snapshot()))).toBe(
      '{"schema_version":2,"nodes":[],"edges":[]}',
    )
  })

  test('counts reads and prompts where they are included, by what is listed', async () => {
    const collector = started({ include: ['read'] })
    const other = started()
    const server = serve('srv', PARTS)
    await server.read('note://list')
    await server.read('note://my-secret')
    await server.get('ask')
    await server.call('add')
    expect(edgesOf(collector)).toEqual([
      'srv/server read srv/prompt/ask 1',
      'srv/server read srv/resource/note:%2F%2Flist 1',
      'srv/server read srv/resource/note:%2F%2F{id} 1',
      'srv/server invoke srv/tool/add 1',
    ])
    expect(edgesOf(other)).toEqual(['srv/server invoke srv/tool/add 1'])
  })

  test('counts the calls of its own server alone', async () => {
    const [one, two] = [started(), started({ server: 'other' })]
    await Promise.all([serve('srv', PARTS).call('add'), serve('other', PARTS).call('decline')])
    expect(edgesOf(one)).toEqual(['srv/server invoke srv/tool/add 1'])
    expect(edgesOf(two)).toEqual(['other/server invoke other/tool/decline 1'])
  })

  test('refuses a snapshot while it is not running, and gives nothing else', async () => {
    const collector = createCollector({ server: 'srv' })
    const nothing = { code: 'BEAM_ERR_GRAPH_OBSERVED', reason: ['not_started'] }
    expect(refusalOf(() => collector.snapshot())).toEqual(nothing)
    collector.start()
    await serve('srv', PARTS).call('add')
    expect([collector.isRunning, collector.size()]).toEqual([true, 1])
    collector.stop()
    expect(refusalOf(() => collector.snapshot())).toEqual(nothing)
    expect([collector.latency(), collector.rows(), collector.size()]).toEqual([[], [], 0])
    expect(collector.observe({ kind: 'server', server: 'srv' }, TOOL, 'invoke')).toBe(false)
  })

  test('starts again from nothing, and hears each call once', async () => {
    const collector = started()
    const server = serve('srv', PARTS)
    await server.call('add')
    collector.start()
    expect(collector.size()).toBe(1)
    collector.stop()
    collector.stop()
    collector.start()
    expect(collector.size()).toBe(0)
    await server.call('add')
    expect(edgesOf(collector)).toEqual(['srv/server invoke srv/tool/add 1'])
  })

  test('leaves no subscriber and no store behind', () => {
    const names = ['beam_mcp.dispatch', 'beam_mcp.read', 'beam_mcp.prompt']
    const heard = (): boolean[] =>
      names.flatMap((name) => {
        const { start, end } = tracingChannel(name)
        return [start.hasSubscribers, end.hasSubscribers]
      })
    const collector = started({ include: ['read'] })
    expect(heard()).toEqual([true, true, true, true, true, true])
    collector.stop()
    expect(heard()).toEqual([false, false, false, false, false, false])
  })

  test('takes no notice of what others publish on the channel', async () => {
    const collector = started()
    const { start, end } = tracingChannel<unknown, object>('beam_mcp.dispatch')
    const hostile = new Proxy({}, { get: () => expect.fail('a trap') })
    for (const event of [hostile, { server: 'srv' }, { server: 'srv', tool: 1 }]) {
      expect(start.runStores(event, () => collector.observe(TOOL, 'invoke'))).toBe(false)
      end.publish(event)
    }
    end.publish({ server: 'srv', tool: 'add', durationMs: Number.NaN })
    expect(edgesOf(collector)).toEqual(['srv/server invoke srv/tool/add 1'])
    expect(collector.latency()).toMatchObject([{ count: 1, meanUs: 0, maxUs: 0 }])
  })
})

const TOOL: NodeIdentity = { kind: 'tool', server: 'srv', name: 'add' }
const STORE: NodeIdentity = { kind: 'process', server: 'srv', name: 'store' }
const MODULE: NodeIdentity = { kind: 'module', server: 'srv', module: 'app/src/store.js' }

describe('observe', () => {
  test('counts from the tool, resource or prompt it is called in, after awaits and timers too', async () => {
    const collector = started({ include: ['read'], nested: true })
    const note = async (): Promise<string> => {
      collector.observe(STORE, 'message', 2)
      await new Promise((resolve) => setTimeout(resolve, 1))
      collector.observe(MODULE, 'invoke')
      return 'noted'
    }
    const server = serve('srv', {
      tools: [
        defineTool({ name: 'one', handler: note }),
        defineTool({ name: 'two', handler: note }),
      ],
      resources: [defineResource({ uri: 'note://list', name: 'list', read: note })],
      prompts: [definePrompt({ name: 'ask', render: note })],
    })
    await Promise.all([
      server.call('one'),
      server.call('two'),
      server.call('one'),
      server.read('note://list'),
      server.get('ask'),
    ])
    const nested = edgesOf(collector).filter((edge) => !edge.startsWith('srv/server'))
    expect(nested).toEqual(
      [
        ['srv/prompt/ask', 1],
        ['srv/resource/note:%2F%2Flist', 1],
        ['srv/tool/one', 2],
        ['srv/tool/two', 1],
      ].flatMap(([from, count]) => [
        `${from} invoke srv/module/app%2Fsrc%2Fstore.js ${count}`,
        `${from} message srv/process/store ${count}`,
      ]),
    )
    expect(collector.observe(STORE, 'message')).toBe(false)
  })

  test('names the outer caller within a call to another server', async () => {
    const collector = started({ nested: true })
    const inner = serve('inner', {
      tools: [
        defineTool({
          name: 'deep',
          handler: () => String(collector.observe(STORE, 'message')),
        }),
      ],
    })
    const outer = serve('srv', {
      tools: [
        defineTool({
          name: 'outer',
          handler: async () => {
            await inner.call('deep')
            return 'done'
          },
        }),
      ],
    })
    await outer.call('outer')
    await inner.call('deep')
    expect(edgesOf(collector)).toEqual([
      'srv/server invoke srv/tool/outer 1',
      'srv/tool/outer message srv/process/store 1',
    ])
  })

  test('knows its caller up to the first await without more, and warns once where it does not', async () => {
    const collector = started()
    const warned = once(process, 'warning')
    const counted: boolean[] = []
    const handler = async (): Promise<string> => {
      counted.push(collector.observe(STORE, 'message'))
      await Promise.resolve()
      counted.push(collector.observe(MODULE, 'invoke'), collector.observe(MODULE, 'invoke'))
      return 'ok'
    }
    const server = serve('srv', {
      tools: [defineTool({ name: 'one', handler }), defineTool({ name: 'two', handler })],
    })
    await Promise.all([server.call('one'), server.call('two')])
    expect(counted.filter((one) => one)).toHaveLength(2)
    expect(edgesOf(collector)).toEqual([
      'srv/server invoke srv/tool/one 1',
      'srv/server invoke srv/tool/two 1',
      'srv/tool/one message srv/process/store 1',
      'srv/tool/two message srv/process/store 1',
    ])
    const [warning] = await warned
    expect(warning).toMatchObject({ code: 'BEAM_WARN_OBSERVED_NO_CALLER' })
  })

  test('is one row with the calls of the same edge, and copies identities', () => {
    const collector = started()
    const from = { kind: 'server', server: 'srv' } as const
    const to = { kind: 'tool' as const, server: 'srv', name: 'add' }
    tracingChannel<unknown, object>('beam_mcp.dispatch').end.publish({
      server: 'srv',
      tool: 'add',
      durationMs: 1,
    })
    expect(collector.observe(from, to, 'invoke', 3)).toBe(true)
    to.name = 'other'
    expect(collector.rows()).toEqual([
      { from, to: TOOL, kind: 'invoke', count: 2, totalMs: 4, maxMs: 3 },
    ])
    expect(collector.latency()).toEqual([
      {
        from: 'srv/server',
        to: 'srv/tool/add',
        kind: 'invoke',
        count: 2,
        meanUs: 2_000,
        maxUs: 3_000,
      },
    ])
  })

  test('counts a duration that is no number above 0 as 0', () => {
    const collector = started()
    for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY, wrong<number>('5'), 0]) {
      collector.observe(TOOL, STORE, 'message', ms)
    }
    expect(collector.rows()).toMatchObject([{ count: 5, totalMs: 0, maxMs: 0 }])
  })

  test('gives each level its nodes', () => {
    const collector = started()
    const targets: NodeIdentity[] = [
      MODULE,
      { kind: 'module', server: 'srv', module: 'app/src/store.js', function: 'put', arity: 2 },
      { kind: 'boundary', server: 'srv', source: 'application', name: 'pg' },
      { kind: 'resource', server: 'srv', name: 'note://list' },
    ]
    for (const target of targets) collector.observe(TOOL, target, 'invoke')
    expect(collector.snapshot().nodes.map(({ id, kind, level }) => [id, kind, level])).toEqual([
      ['srv/boundary/application/pg', 'module', 'boundary'],
      ['srv/module/app%2Fsrc%2Fstore.js', 'module', 'module'],
      ['srv/module/app%2Fsrc%2Fstore.js/put/2', 'module', 'mfa'],
      ['srv/resource/note:%2F%2Flist', 'resource', 'server'],
      ['srv/tool/add', 'tool', 'server'],
    ])
  })

  test.each<[string, unknown[], string]>([
    [
      'an unknown kind',
      [TOOL, STORE, 'calls'],
      `[${JSON.stringify(TOOL)},${JSON.stringify(STORE)},"calls"]`,
    ],
    [
      'no identity',
      [TOOL, { kind: 'tool' }, 'invoke'],
      `[${JSON.stringify(TOOL)},{"kind":"tool"},"invoke"]`,
    ],
    ['nothing', [], '[null,null,null]'],
    ['what has no text', [1n, TOOL, 'invoke'], 'unreadable'],
  ])('makes snapshots refuse after %s', (_what, given, key) => {
    const collector = started()
    collector.observe(TOOL, STORE, 'message')
    expect(Reflect.apply(collector.observe, undefined, given)).toBe(false)
    expect(refusalOf(() => collector.snapshot())).toEqual({
      code: 'BEAM_ERR_GRAPH_OBSERVED',
      reason: ['malformed_row', key],
    })
    collector.stop()
    collector.start()
    expect(collector.snapshot().size).toBe(0)
  })

  test('never throws, whatever it is handed', () => {
    const collector = started()
    const trap = new Proxy({}, { get: () => expect.fail('a trap'), ownKeys: () => expect.fail('') })
    expect(collector.observe(wrong<NodeIdentity>(trap), wrong<NodeIdentity>(trap), 'invoke')).toBe(
      false,
    )
    expect(collector.observe(wrong<NodeIdentity>(trap), 'invoke')).toBe(false)
  })
})

describe('createCollector', () => {
  test.each<[unknown, unknown[]]>([
    [undefined, ['invalid', 'options', undefined]],
    [{ server: 'srv', name: 'x' }, ['unknown_option', 'name']],
    [{ include: [] }, ['missing', 'server']],
    [{ server: 1 }, ['invalid', 'server', 1]],
    [{ server: 'srv', include: ['write'] }, ['invalid', 'include', ['write']]],
    [{ server: 'srv', include: 'read' }, ['invalid', 'include', 'read']],
    [{ server: 'srv', nested: 1 }, ['invalid', 'nested', 1]],
  ])('refuses %j', (options, reason) => {
    expect(refusalOf(() => createCollector(wrong(options)))).toEqual({
      code: 'BEAM_ERR_GRAPH_OBSERVED',
      reason,
    })
  })
})

describe('what a collector keeps', () => {
  test('holds no byte of a payload', async () => {
    const marker = 'MARKER-of-a-payload'
    const collector = started({ include: ['read'] })
    const fail = (): never => {
      throw new Error(marker, { cause: marker })
    }
    const server = serve('srv', {
      tools: [
        defineTool({
          name: 'say',
          inputSchema: { type: 'object' },
          handler: (args) => ({ ...args, marker }),
        }),
        defineTool({ name: 'decline', handler: () => toolError(marker) }),
        defineTool({ name: 'fail', handler: fail }),
      ],
      resourceTemplates: [
        defineResourceTemplate({ uriTemplate: 'note://{id}', name: 'note', read: () => marker }),
        defineResourceTemplate({ uriTemplate: 'bad://{id}', name: 'bad', read: fail }),
      ],
      prompts: [definePrompt({ name: 'ask', arguments: [{ name: 'who' }], render: () => marker })],
    })
    const answers = await Promise.all([
      server.call('say', { text: marker }),
      server.call('decline', { [marker]: marker }),
      server.call('fail'),
      server.read(`note://${marker}`),
      server.read(`bad://${marker}`),
      server.get('ask', { who: marker }),
    ])
    expect(JSON.stringify(answers)).toContain(marker)
    expect(collector.size()).toBe(6)
    const graph = collector.snapshot()
    const kept = [
      JSON.stringify([collector.rows(), collector.latency(), graph]),
      new TextDecoder().decode(encode(graph)),
      sidecar(graph),
    ]
    expect(kept.join()).not.toContain(marker)
  })
})
