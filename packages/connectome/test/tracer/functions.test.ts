// SPDX-License-Identifier: Apache-2.0
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encode, type Graph, sidecar } from '@beam-mcp/connectome'
import { buildDeclared, type FunctionTable, readFunctions } from '@beam-mcp/connectome/declared'
import { type Collector, createCollector } from '@beam-mcp/connectome/observed'
import { startTracer, type Tracer, type TracerOptions } from '@beam-mcp/connectome/tracer'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { writeFiles } from '../declared/fixture.ts'
import { refusalOf, wrong } from '../refusal.ts'

type Run = (...given: unknown[]) => unknown

const ORDERS = new URL('./fixtures/functions/orders.mjs', import.meta.url).href
const SHAPES = fileURLToPath(new URL('./fixtures/functions/shapes.cjs', import.meta.url))
/** Native: the test runner would transform what it imports itself. */
const require = createRequire(import.meta.url)
const { load } = require('./fixtures/store.cjs') as {
  readonly load: (file: string) => Promise<Readonly<Record<string, Run>>>
}
const orders = await load(ORDERS)
const functions = await readFunctions([ORDERS, SHAPES])
const HOOK = Symbol.for('@beam-mcp/connectome.tracer')

let collector: Collector
const tracers: Tracer[] = []
beforeEach(() => {
  collector = createCollector({ server: 's' })
  collector.start()
})
afterEach(() => {
  for (const tracer of tracers.splice(0)) tracer.stop()
  collector.stop()
})

function trace(options: Partial<TracerOptions> = {}): Tracer {
  const tracer = startTracer({ collector, modules: [ORDERS, SHAPES], functions, ...options })
  tracers.push(tracer)
  return tracer
}

/** The edges of a graph as `from -> to`, with the names of modules alone. */
function edgesOf({ edges }: Graph): string[] {
  const shorten = (id: string): string => id.replace(/^s\/module\/.*%2F/, '')
  return edges.map(({ from, to }) => `${shorten(from)} -> ${shorten(to)}`)
}

/** What a run makes of edges, each with its count where that is not 1. */
async function seen(run: () => unknown): Promise<string[]> {
  const tracer = trace()
  await run()
  const graph = collector.snapshot()
  tracer.stop()
  return edgesOf(graph).map((edge, number) => {
    const { weight } = graph.edges[number] ?? {}
    return weight === 1 ? edge : `${edge} ${weight}`
  })
}

const call =
  (name: string, ...given: unknown[]): Run =>
  async () => {
    const run = orders[name]
    if (run === undefined) throw new Error(`no ${name}`)
    return await run(...given)
  }

interface Shop {
  open(): { take(order: unknown): unknown }
}

const PROGRAMS: readonly [what: string, run: Run, byCalls: string[], implicit?: string[]][] = [
  [
    'a default, a nested function, and a built-in that calls back',
    call('sum', [1, 2]),
    [
      'orders.mjs/sum/1 -> orders.mjs/sum/1 2',
      'orders.mjs/sum/1 -> orders.mjs/total/1 2',
      'orders.mjs/total/1 -> orders.mjs/fee/1 2',
    ],
  ],
  ['recursion', call('countdown', 2), ['orders.mjs/countdown/1 -> orders.mjs/countdown/1 2']],
  [
    'an async function, behind an await too',
    call('deliver', 'one'),
    ['orders.mjs/deliver/1 -> orders.mjs/pack/1 2'],
  ],
  [
    'a generator',
    () => Array.from(orders['each']?.(['one', 'two']) as Iterable<unknown>),
    ['orders.mjs/each/1 -> orders.mjs/pack/1 2'],
  ],
  [
    'members of an object, a hierarchy of classes, and another kind of module',
    call('default', 'one'),
    [
      'orders.mjs/default/1 -> orders.mjs/handlers.pay/1',
      'orders.mjs/default/1 -> orders.mjs/handlers.refund/1',
      'orders.mjs/default/1 -> shapes.cjs/Shape.area/0',
      'orders.mjs/default/1 -> shapes.cjs/Shape.constructor/1',
      'orders.mjs/default/1 -> shapes.cjs/Square.constructor/0',
      'orders.mjs/default/1 -> shapes.cjs/unit/0',
      'orders.mjs/handlers.pay/1 -> orders.mjs/pack/1',
      'orders.mjs/handlers.refund/1 -> orders.mjs/pack/1',
      'shapes.cjs/Shape.area/0 -> shapes.cjs/Square.measure/0 2',
      'shapes.cjs/Shape.constructor/1 -> shapes.cjs/label/1 2',
      'shapes.cjs/Square.constructor/0 -> shapes.cjs/label/1 2',
      'shapes.cjs/Square.measure/0 -> shapes.cjs/Shape.measure/0 2',
      'shapes.cjs/Square.side/1 -> shapes.cjs/check/1 2',
      'shapes.cjs/unit/0 -> shapes.cjs/Shape.constructor/1',
      'shapes.cjs/unit/0 -> shapes.cjs/Square.constructor/0',
    ],
    ['shapes.cjs/Shape.constructor/1 -> shapes.cjs/Square.side/1 2'],
  ],
  [
    'fields of classes without a constructor, by whoever makes an instance',
    call('lay'),
    [
      'orders.mjs/lay/0 -> shapes.cjs/Plain.constructor/0',
      'orders.mjs/lay/0 -> shapes.cjs/Tagged.constructor/1',
      'orders.mjs/lay/0 -> shapes.cjs/Tile.constructor/0',
      'shapes.cjs/Plain.constructor/0 -> shapes.cjs/label/1 2',
      'shapes.cjs/Tagged.constructor/1 -> shapes.cjs/Plain.constructor/0',
      'shapes.cjs/Tagged.constructor/1 -> shapes.cjs/check/1',
      'shapes.cjs/Tile.constructor/0 -> shapes.cjs/label/1',
    ],
  ],
  [
    'a class within a function, whose static field is no call',
    call('local'),
    ['orders.mjs/local/0 -> orders.mjs/fee/1 3', 'orders.mjs/local/0 -> orders.mjs/local/0 2'],
  ],
  [
    'static and private methods',
    () => wrong<Shop>(orders['Shop']).open().take('one'),
    [
      'orders.mjs/Shop.#keep/1 -> orders.mjs/pack/1',
      'orders.mjs/Shop.open/0 -> orders.mjs/Shop.constructor/0',
      'orders.mjs/Shop.take/1 -> orders.mjs/Shop.#keep/1',
    ],
  ],
  ['what an exception leads to', call('failing'), ['orders.mjs/failing/1 -> orders.mjs/pack/1 2']],
  ['nobody, where a promise calls', call('waiting', 'one'), []],
  [
    'accessors and iterators, which no call expression calls',
    call('implicit'),
    [
      'orders.mjs/implicit/0 -> shapes.cjs/unit/0',
      'shapes.cjs/Shape.constructor/1 -> shapes.cjs/label/1',
      'shapes.cjs/Square.[Symbol.iterator]/0 -> shapes.cjs/check/1',
      'shapes.cjs/Square.constructor/0 -> shapes.cjs/label/1',
      'shapes.cjs/Square.side/1 -> shapes.cjs/check/1 2',
      'shapes.cjs/Square.size/0 -> shapes.cjs/check/1',
      'shapes.cjs/unit/0 -> shapes.cjs/Shape.constructor/1',
      'shapes.cjs/unit/0 -> shapes.cjs/Square.constructor/0',
    ],
    [
      'orders.mjs/implicit/0 -> shapes.cjs/Square.[Symbol.iterator]/0',
      'orders.mjs/implicit/0 -> shapes.cjs/Square.side/1',
      'orders.mjs/implicit/0 -> shapes.cjs/Square.size/0',
      'shapes.cjs/Shape.constructor/1 -> shapes.cjs/Square.side/1',
    ],
  ],
]

describe('a tracer of functions', () => {
  test.each(PROGRAMS)('counts the calls of %s', async (_what, run, byCalls, implicit = []) => {
    expect(await seen(run)).toEqual([...byCalls, ...implicit].sort())
  })

  test('has every edge of a call under the ids of a declared graph', async () => {
    const { graph } = await buildDeclared({
      ...{ server: 's', level: 'mfa' },
      scope: { entries: [ORDERS], packages: ['@fixture/traced'] },
    })
    trace()
    for (const [, run] of PROGRAMS) await run()
    const observed = collector.snapshot()
    const declared = new Set(graph.edges.map(({ from, to }) => `${from} -> ${to}`))
    const other = observed.edges.filter(({ from, to }) => !declared.has(`${from} -> ${to}`))
    const implicit = new Set(PROGRAMS.flatMap(([, , , edges = []]) => edges))
    expect(edgesOf({ ...observed, edges: other })).toEqual(
      [...implicit]
        .map((edge) => edge.replace(/ \d+$/, ''))
        .filter(unique)
        .sort(),
    )
    const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
    expect(observed.nodes.filter(({ id }) => nodes.get(id)?.level !== 'mfa')).toEqual([])
    expect(observed.edges.length).toBeGreaterThan(40)
  })

  test('makes no edge of a call from a module that the table does not have, and counts it', async () => {
    const tracer = trace({ modules: [SHAPES], functions: await readFunctions([SHAPES]) })
    orders['lay']?.()
    const edges = edgesOf(collector.snapshot())
    tracer.stop()
    expect(edges).toEqual([
      'shapes.cjs/Plain.constructor/0 -> shapes.cjs/label/1',
      'shapes.cjs/Tagged.constructor/1 -> shapes.cjs/Plain.constructor/0',
      'shapes.cjs/Tagged.constructor/1 -> shapes.cjs/check/1',
      'shapes.cjs/Tile.constructor/0 -> shapes.cjs/label/1',
    ])
    expect(await tracer.ended).toEqual({ reason: ['stopped'], events: 8, withoutCaller: 3 })
  })

  test('takes no caller from further down than the nearest module, which may be of no table', async () => {
    const tracer = trace()
    const calls = { valueOf: () => Number(orders['countdown']?.(0)) }
    orders['sum']?.([calls])
    const edges = edgesOf(collector.snapshot())
    tracer.stop()
    expect(edges.filter((edge) => edge.endsWith('countdown/1'))).toEqual([])
    // From here it calls sum, and countdown where fee and total count with what they are given.
    const { withoutCaller } = await tracer.ended
    expect(withoutCaller).toBe(3)
  })

  test('has callers of modules that are not traced, from a table that was written as JSON', () => {
    trace({ modules: [SHAPES], functions: JSON.parse(JSON.stringify(functions)) as FunctionTable })
    orders['lay']?.()
    orders['sum']?.([1])
    const callers = edgesOf(collector.snapshot()).filter((edge) => edge.startsWith('orders.mjs'))
    expect(callers).toEqual([
      'orders.mjs/lay/0 -> shapes.cjs/Plain.constructor/0',
      'orders.mjs/lay/0 -> shapes.cjs/Tagged.constructor/1',
      'orders.mjs/lay/0 -> shapes.cjs/Tile.constructor/0',
    ])
  })

  test('holds no byte of what is handed over, answered or thrown, and leaves nothing', async () => {
    const marker = 'MARKER-of-a-payload'
    const tracer = trace({ maxEvents: 1_000 })
    const error = new Error(marker)
    await orders['deliver']?.({ marker })
    wrong<Shop>(orders['Shop']).open().take(marker)
    expect(() =>
      orders['sum']?.([
        1,
        {
          valueOf: () => {
            throw error
          },
        },
      ]),
    ).toThrow(marker)
    const graph = collector.snapshot()
    tracer.stop()
    const found = [collector.rows(), collector.latency(), graph, await tracer.ended]
    const text = [JSON.stringify(found), new TextDecoder().decode(encode(graph)), sidecar(graph)]
    expect(text.join()).not.toContain(marker)
    expect(text.join()).toContain('Shop.#keep')
    expect(Reflect.ownKeys(globalThis)).not.toContain(HOOK)
    const before = collector.rows()
    orders['sum']?.([1])
    expect(collector.rows()).toEqual(before)
  })

  test('ends at its limit of events, behind which nothing lands', async () => {
    const tracer = trace({ maxEvents: 4 })
    orders['countdown']?.(10)
    expect(await tracer.ended).toEqual({
      ...{ reason: ['limit', 'max_events', 4], events: 4, withoutCaller: 1 },
    })
    expect(collector.rows().map(({ count }) => count)).toEqual([3])
  })
})

describe('the positions of functions', () => {
  const SOURCE = `// first
exports.go = () => step(1); const step = (n) => last(n)
function last(n) { return n }
`

  /** Traces one module of files while its `go` runs. */
  async function edgesIn(path: string, text: string): Promise<string[]> {
    const file = join(writeFiles({ [path]: text }), path)
    const { go } = wrong<{ go: Run }>(path.endsWith('.cjs') ? require(file) : await load(file))
    const tracer = trace({ modules: [file], functions: await readFunctions([file]) })
    go()
    const edges = edgesOf(collector.snapshot())
    tracer.stop()
    return edges
  }

  const edges = (path: string): string[] => [
    `${path}/go/0 -> ${path}/step/1`,
    `${path}/step/1 -> ${path}/last/1`,
  ]

  test('are those of V8, whatever source maps and the host make of stacks', async () => {
    const mappings = ';;;AAAA' // lines that are elsewhere
    const map = { version: 3, sources: ['other.ts'], names: [], mappings }
    const comment = `//# sourceMappingURL=data:application/json,${encodeURIComponent(JSON.stringify(map))}`
    process.setSourceMapsEnabled(true)
    onTestFinished(() => process.setSourceMapsEnabled(false))
    const before = Error.prepareStackTrace
    onTestFinished(() => void Object.assign(Error, { prepareStackTrace: before }))
    Error.prepareStackTrace = () => 'nothing'
    expect(await edgesIn('mapped.cjs', SOURCE + comment)).toEqual(edges('mapped.cjs'))
  })

  const inOneLine = (text: string): string => text.replaceAll('\n', '; ')
  test.each<[what: string, path: string, text: string]>([
    ['rare ends of lines', 'lines.cjs', SOURCE.replaceAll('\n', '\u2028').replace(';', ';\r')],
    ['a hashbang', 'hash.cjs', `#!/usr/bin/env node\n${SOURCE}`],
    ['a mark of the byte order', 'mark.cjs', inOneLine(SOURCE.replace('// first\n', '\uFEFF'))],
    [
      'one of an ES module',
      'mark.mjs',
      inOneLine(SOURCE.replace('// first\nexports.go', '\uFEFFexport const go')),
    ],
  ])('are found behind %s', async (_what, path, text) => {
    expect(await edgesIn(path, text)).toEqual(edges(path))
  })

  test.skipIf(!Reflect.get(process.features, 'typescript'))(
    'are those of TypeScript where Node takes its types away',
    async () => {
      const source = `interface Größe { readonly n: number }
export const go = (given?: Größe): number => step(1); const step = (n: number) => last(n)
function last(n: number): number { return new Kept().n + n }
abstract class Shape { abstract area(): number; n: number = 0 }
class Kept extends Shape { area() { return 1 } }
`
      expect(await edgesIn('types.ts', source)).toEqual([
        'types.ts/go/1 -> types.ts/step/1',
        'types.ts/last/1 -> types.ts/Shape.constructor/0',
        'types.ts/step/1 -> types.ts/last/1',
      ])
    },
  )

  test('are refused where a module was loaded with another source', async () => {
    const folder = writeFiles({ 'old.cjs': SOURCE })
    const file = join(folder, 'old.cjs')
    const kept = await load(file)
    const changed = await readFunctions([
      join(writeFiles({ 'old.cjs': SOURCE.replace('first', '1st and last') }), 'old.cjs'),
    ])
    const start = (): unknown => trace({ modules: [file], functions: changed })
    expect(refusalOf(start).reason).toEqual(['invalid', 'functions', 'app/old.cjs'])
    expect(Reflect.ownKeys(globalThis)).not.toContain(HOOK)
    expect(kept['go']).toBeTypeOf('function')
  })
})

describe('startTracer', () => {
  const [first, second] = functions.modules
  const place = first?.places[0]
  const broken: readonly [string, unknown][] = [
    ['no table', []],
    ['no list of modules', { modules: {} }],
    ['a module that is none', { modules: [null] }],
    ['a module twice', { modules: [first, first] }],
    ['a module without a length', { modules: [{ ...first, length: -1 }] }],
    ['a place without a name', { modules: [{ ...first, places: [{ ...place, function: 1 }] }] }],
    ['a place of no kind', { modules: [{ ...first, places: [{ ...place, kind: 'other' }] }] }],
    ['a place nowhere', { modules: [{ ...first, places: [{ ...place, line: '1' }] }] }],
    ['places out of order', { modules: [{ ...first, places: first?.places.toReversed() }] }],
  ]
  test.each(broken)('refuses a table with %s', (_what, given) => {
    const start = (): unknown => trace({ functions: wrong<FunctionTable>(given) })
    expect(refusalOf(start)).toEqual({
      ...{ code: 'BEAM_ERR_GRAPH_TRACER', reason: ['invalid', 'functions', given] },
    })
  })

  test('refuses a traced module that the table does not have', () => {
    const start = (): unknown => trace({ functions: { modules: second ? [second] : [] } })
    expect(refusalOf(start).reason).toEqual(['missing', 'functions', first?.module])
    expect(Reflect.ownKeys(globalThis)).not.toContain(HOOK)
  })
})

const unique = (one: string, place: number, all: readonly string[]): boolean =>
  all.indexOf(one) === place
