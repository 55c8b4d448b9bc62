// SPDX-License-Identifier: Apache-2.0
import {
  allPaths,
  createGraph,
  type DominanceOptions,
  dominates,
  EDGE_KINDS,
  type EdgeKind,
  type Graph,
  type GraphInput,
  mandatoryPass,
  prepare,
  reachable,
  reachableWithout,
  SIGNS,
  type Witness,
} from '@beam-mcp/connectome'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusalOf, wrong } from '../refusal.ts'
import { reasonOf } from '../vectors/checks.ts'
import { pathFaults } from '../vectors/reach-checks.ts'
import { shortestPath, simplePaths } from './oracle.ts'

function hopsOf(witness: Witness | false): number | false {
  return witness === false ? false : witness.edges.length
}

interface Plan {
  readonly order: number
  readonly edges: readonly (readonly [number, number, EdgeKind])[]
}

const id = (i: number): string => `n${i}`

/** A graph whose first node is the server. */
function graphOf({ order, edges }: Plan): Graph {
  return createGraph({
    nodes: Array.from({ length: order }, (_, i) => {
      return { id: id(i), kind: i === 0 ? 'server' : 'tool', level: 'server' }
    }),
    edges: edges.map(([from, to, kind]) => {
      return { from: id(from), to: id(to), kind, provenance: 'declared' }
    }),
  })
}

function planArbitrary(maxOrder: number, density: number): fc.Arbitrary<Plan> {
  return fc.integer({ min: 1, max: maxOrder }).chain((order) => {
    const node = fc.nat({ max: order - 1 })
    const edge = fc.tuple(node, node, fc.constantFrom(...EDGE_KINDS))
    return fc.record({
      order: fc.constant(order),
      edges: fc.uniqueArray(edge, { maxLength: order * density, selector: String }),
    })
  })
}

interface Case {
  readonly graph: Graph
  readonly from: string
  readonly to: string
  readonly gates: readonly string[]
  readonly kinds: readonly EdgeKind[]
  readonly maxHops: number
}

function caseArbitrary(maxOrder: number, density: number): fc.Arbitrary<Case> {
  return planArbitrary(maxOrder, density).chain((plan) => {
    const node = fc.nat({ max: plan.order - 1 }).map(id)
    return fc.record({
      graph: fc.constant(graphOf(plan)),
      from: node,
      to: node,
      gates: fc.uniqueArray(node, { maxLength: 3 }),
      kinds: fc.uniqueArray(fc.constantFrom(...EDGE_KINDS), { minLength: 1 }),
      maxHops: fc.integer({ min: 1, max: 5 }),
    })
  })
}

const small = caseArbitrary(6, 2)
const larger = caseArbitrary(60, 3)

describe('reachable and reachableWithout', () => {
  test('agree with a brute-force search, hops and kinds included', () => {
    fc.assert(
      fc.property(small, ({ graph, from, to, gates, kinds, maxHops }) => {
        const options = { kinds, maxHops }
        const open = shortestPath(graph, { from, to, gates: [], ...options })
        expect(reachable(graph, from, to, options)).toBe(open !== undefined)
        const around = shortestPath(graph, { from, to, gates, ...options })
        const witness = reachableWithout(graph, from, to, gates, options)
        expect(hopsOf(witness)).toBe(around ?? false)
      }),
      { numRuns: 500 },
    )
  })

  test('give witnesses made of the graph’s own edges', () => {
    fc.assert(
      fc.property(larger, ({ graph, from, to, gates, kinds }) => {
        const witness = reachableWithout(graph, from, to, gates, { kinds })
        if (witness === false) return
        expect(pathFaults(graph, { from, to, gates, options: { kinds } }, witness)).toEqual([])
        expect([witness, witness.nodes, witness.edges].every(Object.isFrozen)).toBe(true)
      }),
    )
  })

  test('read no sign: whatever the signs, the answers are the same', () => {
    fc.assert(
      fc.property(larger, fc.constantFrom(...SIGNS), ({ graph, from, to, gates }, sign) => {
        const signed = createGraph({
          ...graph,
          edges: graph.edges.map((edge) => ({ ...edge, sign })),
        })
        const nodes = (own: Graph): unknown => {
          const witness = reachableWithout(own, from, to, gates)
          return witness === false ? false : witness.nodes
        }
        expect(nodes(signed)).toEqual(nodes(graph))
      }),
    )
  })
})

const asked = (graph: Graph, target: string, options: DominanceOptions): unknown =>
  reasonOf(() => mandatoryPass(graph, target, options))

describe('dominates and mandatoryPass', () => {
  test('agree with the list of all simple paths on small graphs', () => {
    fc.assert(
      fc.property(small, ({ graph, from, to, gates, kinds }) => {
        const entries = [from, ...gates]
        const paths = entries.flatMap((entry) => simplePaths(graph, entry, to, kinds))
        const [first, ...others] = paths
        const crossed = first?.filter((node) => others.every((path) => path.includes(node)))
        const expected =
          crossed === undefined
            ? ['unreachable', to]
            : { answered: crossed.filter((node) => node !== to).sort() }
        expect(asked(graph, to, { entries, kinds })).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  test('agree with each other: removal of a gate and the tree of immediate dominators', () => {
    fc.assert(
      fc.property(larger, ({ graph, to, gates, kinds }) => {
        const entries = gates.length === 0 ? undefined : gates
        const options = entries ? { entries, kinds } : { kinds }
        const passed = asked(graph, to, options)
        const byRemoval = reasonOf(() =>
          graph.nodes.map((node) => node.id).filter((gate) => dominates(graph, gate, to, options)),
        )
        const expected = Array.isArray(passed)
          ? passed
          : { answered: [...(passed as { answered: string[] }).answered, to].sort() }
        expect(byRemoval).toEqual(expected)
      }),
    )
  })

  test('give ids in code point order', () => {
    const ids = ['s', '\u{1f600}', '\uff01', 'a', 't']
    const graph = createGraph({
      nodes: ids.map((own) => ({
        id: own,
        kind: own === 's' ? 'server' : 'tool',
        level: 'server',
      })),
      edges: ids.slice(1).map((to, i) => {
        return { from: ids[i] ?? '', to, kind: 'invoke', provenance: 'declared' }
      }),
    })
    expect(mandatoryPass(graph, 't')).toEqual(['a', 's', '\uff01', '\u{1f600}'])
  })

  test('never name the root above several entries, none of which dominates what another reaches', () => {
    const graph = graphOf({
      order: 4,
      edges: [
        [0, 3, 'invoke'],
        [1, 3, 'invoke'],
        [0, 2, 'read'],
      ],
    })
    const entries = [id(0), id(1)]
    expect(mandatoryPass(graph, id(3), { entries })).toEqual([])
    expect(dominates(graph, id(0), id(3), { entries })).toBe(false)
    expect(dominates(graph, id(0), id(2), { entries })).toBe(true)
    expect(dominates(graph, id(3), id(3), { entries })).toBe(true)
  })
})

describe('prepare', () => {
  test('answers every question as the one-shot functions do', () => {
    fc.assert(
      fc.property(
        fc.array(larger, { minLength: 1, maxLength: 2 }),
        fc.boolean(),
        (cases, share) => {
          const [first] = cases
          for (const { graph: own, from, to, gates, kinds, maxHops } of cases) {
            const graph = share ? (first?.graph ?? own) : own
            const index = prepare(graph)
            const entries = [from, ...gates]
            for (const path of [{}, { kinds }, { kinds, maxHops }]) {
              expect(reasonOf(() => index.reachable(from, to, path))).toEqual(
                reasonOf(() => reachable(graph, from, to, path)),
              )
              expect(reasonOf(() => index.reachableWithout(from, to, gates, path))).toEqual(
                reasonOf(() => reachableWithout(graph, from, to, gates, path)),
              )
            }
            for (const options of [{}, { kinds }, { entries }, { kinds, entries }]) {
              expect(reasonOf(() => index.dominates(from, to, options))).toEqual(
                reasonOf(() => dominates(graph, from, to, options)),
              )
              expect(reasonOf(() => index.mandatoryPass(to, options))).toEqual(
                asked(graph, to, options),
              )
            }
          }
        },
      ),
    )
  })

  test('keeps its answers right when it keeps more trees than it has room for', () => {
    const order = 20
    const graph = graphOf({
      order,
      edges: Array.from({ length: order - 1 }, (_, i) => [i, i + 1, 'read']),
    })
    const index = prepare(graph)
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < order; i++) {
        const entries = [id(i)]
        expect(index.mandatoryPass(id(order - 1), { entries })).toEqual(
          mandatoryPass(graph, id(order - 1), { entries }),
        )
      }
    }
  })

  test('refuses what is no graph at once', () => {
    expect(refusalOf(() => prepare(wrong(7))).reason).toEqual([
      'invalid_graph',
      ['invalid', 'opts', 7],
    ])
  })
})

const LENGTH = 200_000

describe('a chain of 200,000 nodes', () => {
  const chain = graphOf({
    order: LENGTH,
    edges: Array.from({ length: LENGTH - 1 }, (_, i) => [i, i + 1, 'invoke']),
  })
  const last = id(LENGTH - 1)

  test('is searched without running out of stack', () => {
    const witness = reachableWithout(chain, id(0), last, [])
    expect(hopsOf(witness)).toBe(LENGTH - 1)
    expect(reachable(chain, last, id(0))).toBe(false)
  })

  test('is dominated by every node before its last', () => {
    expect(mandatoryPass(chain, last)).toHaveLength(LENGTH - 1)
    expect(dominates(chain, id(LENGTH / 2), last)).toBe(true)
    expect(prepare(chain).dominates(id(1), last)).toBe(true)
  })
})

const graph = graphOf({
  order: 3,
  edges: [
    [0, 1, 'invoke'],
    [0, 1, 'read'],
  ],
})
const noServer = { nodes: graph.nodes.filter((node) => node.kind !== 'server'), edges: [] }
const broken = wrong<GraphInput>({ nodes: graph.nodes, edges: [{ ...graph.edges[0], to: 'z' }] })

describe('the refusals of a question about paths', () => {
  test.each<[string, unknown, unknown, string, unknown, readonly unknown[]]>([
    ['options that are no object', broken, 7, 'x', ['y'], ['invalid', 'options', 7]],
    [
      'an option that cannot bear on it',
      broken,
      { entries: [id(0)] },
      'x',
      ['y'],
      ['unknown_option', 'entries'],
    ],
    ['no kinds', broken, { kinds: [], maxHops: 0 }, 'x', ['y'], ['invalid', 'kinds', []]],
    [
      'a kind outside',
      broken,
      { kinds: ['call'], maxHops: 0 },
      'x',
      ['y'],
      ['invalid', 'kinds', ['call']],
    ],
    ['no hops', broken, { maxHops: 0, maxEdges: 0 }, 'x', ['y'], ['invalid', 'max_hops', 0]],
    ['half a hop', broken, { maxHops: 1.5 }, 'x', ['y'], ['invalid', 'max_hops', 1.5]],
    ['no edges', broken, { maxEdges: 0 }, 'x', ['y'], ['invalid', 'max_edges', 0]],
    [
      'more edges than the cap, whatever the kinds',
      graph,
      { maxEdges: 1, kinds: ['read'] },
      'x',
      ['y'],
      ['cap', 'max_edges', 1],
    ],
    ['a value that is no graph', broken, {}, 'x', ['y'], ['invalid_graph', ['dangling_edge', 'z']]],
    ['a source it does not have', graph, {}, 'x', ['y'], ['unknown_node', 'x']],
    ['gates that are no list', graph, {}, id(0), 'y', ['invalid', 'gates', 'y']],
    ['a gate it does not have', graph, {}, id(0), ['y'], ['unknown_node', 'y']],
  ])('name %s', (_name, value, options, from, gates, reason) => {
    const call = (): unknown =>
      reachableWithout(wrong(value), from, id(1), wrong(gates), wrong(options))
    expect(refusalOf(call)).toEqual({ code: 'BEAM_ERR_GRAPH_REACH', reason })
  })

  test('name the source before the target', () => {
    expect(refusalOf(() => reachable(graph, 'x', 'y')).reason).toEqual(['unknown_node', 'x'])
    expect(refusalOf(() => reachable(graph, id(0), 'y')).reason).toEqual(['unknown_node', 'y'])
  })

  test('leave infinity as no bound', () => {
    const options = { maxHops: Infinity, maxEdges: Infinity }
    expect(reachable(graph, id(0), id(1), options)).toBe(true)
  })
})

describe('the refusals of a question about dominance', () => {
  test.each<[string, unknown, unknown, string, readonly unknown[]]>([
    [
      'an option that cannot bear on it',
      broken,
      { maxHops: 1, entries: [] },
      'x',
      ['unknown_option', 'maxHops'],
    ],
    [
      'no server where no entries are given',
      noServer,
      { kinds: [] },
      'x',
      ['invalid', 'entries', []],
    ],
    ['no entries', broken, { entries: [], kinds: [] }, 'x', ['invalid', 'entries', []]],
    [
      'entries that are no list',
      broken,
      { entries: 's', kinds: [] },
      'x',
      ['invalid', 'entries', 's'],
    ],
    [
      'an entry it does not have',
      broken,
      { entries: [id(0), 'q'], kinds: [] },
      'x',
      ['unknown_node', 'q'],
    ],
    ['no kinds', broken, { kinds: [] }, 'x', ['invalid', 'kinds', []]],
    ['a value that is no graph', broken, {}, 'x', ['invalid_graph', ['dangling_edge', 'z']]],
    ['a target it does not have', graph, {}, 'x', ['unknown_node', 'x']],
    ['a target nothing leads to', graph, {}, id(2), ['unreachable', id(2)]],
  ])('name %s', (_name, value, options, target, reason) => {
    const refusal = { code: 'BEAM_ERR_GRAPH_REACH', reason }
    expect(refusalOf(() => mandatoryPass(wrong(value), target, wrong(options)))).toEqual(refusal)
    expect(refusalOf(() => dominates(wrong(value), id(0), target, wrong(options)))).toEqual(refusal)
  })

  test('name the gate before the target', () => {
    expect(refusalOf(() => dominates(graph, 'g', 't')).reason).toEqual(['unknown_node', 'g'])
  })
})

describe('allPaths', () => {
  test('is refused by name, prepared or not', () => {
    const reason = ['refused', 'all_paths']
    expect(refusalOf(() => allPaths(graph, id(0), id(1))).reason).toEqual(reason)
    expect(refusalOf(() => prepare(graph).allPaths(id(0), id(1))).reason).toEqual(reason)
  })
})
