// SPDX-License-Identifier: Apache-2.0
import {
  checkGraph,
  createGraph,
  type EdgeInput,
  encode,
  float,
  type GraphInput,
  type NodeInput,
} from '@beam-mcp/connectome'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graphArbitrary, shuffled } from '../arbitraries.ts'
import { refusalOf, wrong } from '../refusal.ts'

const node = (id: string): NodeInput => ({ id, kind: 'tool', level: 'server' })
const edge = (from: string, to: string): EdgeInput => ({
  from,
  to,
  kind: 'invoke',
  provenance: 'declared',
})

const a = node('s/tool/a')
const loop = edge('s/tool/a', 's/tool/a')

describe('createGraph', () => {
  test('puts nodes and edges in code point order, where UTF-16 order differs', () => {
    const ids = ['\u{1f600}', '\ufb33', '10', '9', 'a', 'B']
    const edges = ids.map((id) => edge(id, 'a'))
    const graph = createGraph({ nodes: ids.map(node), edges })
    const expected = ['10', '9', 'B', 'a', '\ufb33', '\u{1f600}']
    expect(graph.nodes.map(({ id }) => id)).toEqual(expected)
    expect(graph.edges.map(({ from }) => from)).toEqual(expected)
  })

  test('orders edges of the same ends by kind and then provenance', () => {
    const kinds = ['supervise', 'read', 'message', 'invoke'] as const
    const edges = kinds.flatMap((kind) => [
      { ...loop, kind, provenance: 'observed' as const },
      { ...loop, kind },
    ])
    const graph = createGraph({ nodes: [a], edges })
    expect(graph.edges.map(({ kind, provenance }) => `${kind} ${provenance}`)).toEqual(
      [...kinds].reverse().flatMap((kind) => [`${kind} declared`, `${kind} observed`]),
    )
  })

  test('fills in labels and the sign, and nothing else', () => {
    const graph = createGraph({ nodes: [a], edges: [loop] })
    expect(graph).toEqual({
      schemaVersion: 2,
      nodes: [{ ...a, labels: {} }],
      edges: [{ ...loop, sign: 'unset' }],
    })
    expect([graph.order, graph.size]).toEqual([1, 1])
  })

  test('keeps the version it is given', () => {
    expect(createGraph({ nodes: [], edges: [], schemaVersion: 3 }).schemaVersion).toBe(3)
  })

  test('freezes the graph at every depth and shares nothing with the input', () => {
    const labels = { list: [{ deep: ['x'] }] }
    const input = { nodes: [{ ...a, labels }], edges: [loop] }
    const graph = createGraph(input)
    const before = encode(graph)
    labels.list[0]?.deep.push('y')
    input.edges.push(loop)
    expect(encode(graph)).toEqual(before)
    const list = graph.nodes[0]?.labels['list']
    for (const part of [graph, graph.nodes, graph.nodes[0], list, graph.edges, graph.edges[0]]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
    expect(Object.isFrozen(Object(list)[0].deep)).toBe(true)
  })

  test('takes a spread of another graph, so that a consumer sets signs on copies', () => {
    const graph = createGraph({ nodes: [a], edges: [loop] })
    const signed = createGraph({
      ...graph,
      edges: graph.edges.map((own) => ({ ...own, sign: 'deny' })),
    })
    expect(signed.edges).toEqual([{ ...loop, sign: 'deny' }])
    expect(graph.edges).toEqual([{ ...loop, sign: 'unset' }])
  })

  test('takes a literal of a graph, whose counts must be right', () => {
    const literal = { schemaVersion: 2, nodes: [a], edges: [loop], order: 1, size: 1 } as const
    expect(createGraph(literal)).toEqual(createGraph({ nodes: [a], edges: [loop] }))
    expect(encode(createGraph(literal))).toHaveLength(encode({ nodes: [a], edges: [loop] }).length)
    expect(checkGraph({ ...literal, order: 2 })).toEqual(['invalid', 'order', 2])
    expect(checkGraph({ ...literal, size: 0 })).toEqual(['invalid', 'size', 0])
  })

  test('keeps a label key __proto__ as a key', () => {
    const labels = Object.fromEntries([['__proto__', 'x']])
    const graph = createGraph({ nodes: [{ ...a, labels }], edges: [] })
    expect(Object.entries(graph.nodes[0]?.labels ?? {})).toEqual([['__proto__', 'x']])
  })

  test('gives the same graph for the same parts in any order', () => {
    const property = graphArbitrary().chain((input) =>
      fc.record({
        input: fc.constant(input),
        nodes: shuffled(input.nodes),
        edges: shuffled(input.edges),
      }),
    )
    fc.assert(
      fc.property(property, ({ input, nodes, edges }) => {
        const one = createGraph(input)
        const other = createGraph({ ...input, nodes, edges })
        expect(other).toEqual(one)
        expect(encode(other)).toEqual(encode(one))
      }),
    )
  })
})

const bad = (over: object): GraphInput => wrong({ nodes: [a], edges: [loop], ...over })
const badEdge = (over: object): GraphInput => bad({ edges: [{ ...loop, ...over }] })
const badNode = (over: object): GraphInput => bad({ nodes: [{ ...a, ...over }], edges: [] })
const instance = new Map()

describe('checkGraph', () => {
  test('answers null for a graph and for a literal of one', () => {
    const input = { nodes: [a], edges: [loop] }
    expect(checkGraph(input)).toBeNull()
    expect(checkGraph(createGraph(input))).toBeNull()
  })

  test.each<[string, unknown, readonly unknown[]]>([
    ['no object', 7, ['invalid', 'opts', 7]],
    ['an instance', instance, ['invalid', 'opts', instance]],
    ['an unknown key', bad({ extra: 1, nodes: 7 }), ['unknown_key', 'extra']],
    ['no nodes', { edges: 7 }, ['missing', 'nodes']],
    ['no edges', { nodes: 7 }, ['missing', 'edges']],
    ['version 1', bad({ schemaVersion: 1, nodes: 7 }), ['invalid', 'schema_version', 1]],
    ['nodes that are no list', bad({ nodes: 7, edges: 7 }), ['invalid', 'nodes', 7]],
    ['a node that is no object', bad({ nodes: [7] }), ['invalid', 'nodes', [7]]],
    ['edges that are no list', bad({ nodes: [{}], edges: 7 }), ['invalid', 'edges', 7]],
    ['a hole among edges', bad({ edges: new Array(1) }), ['invalid', 'edges', new Array(1)]],
    ['a node with another member', badNode({ name: 'x' }), ['unknown_key', 'name']],
    ['an id that is no string', badNode({ id: 7, kind: 7 }), ['invalid', 'id', 7]],
    ['a kind outside', badNode({ kind: 'gate', level: 7 }), ['invalid', 'kind', 'gate']],
    ['a level outside', badNode({ level: 'host', labels: 7 }), ['invalid', 'level', 'host']],
    ['labels in a list', badNode({ labels: [1] }), ['invalid', 'labels', [1]]],
    ['labels in an instance', badNode({ labels: instance }), ['invalid', 'labels', instance]],
    ['an edge with another member', badEdge({ id: 7, from: 7 }), ['unknown_key', 'id']],
    ['a source that is no string', badEdge({ from: 7, to: 7 }), ['invalid', 'from', 7]],
    ['a target that is no string', badEdge({ to: 7, kind: 7 }), ['invalid', 'to', 7]],
    ['an edge kind outside', badEdge({ kind: 'call', provenance: 7 }), ['invalid', 'kind', 'call']],
    ['a provenance outside', badEdge({ provenance: 7, weight: -1 }), ['invalid', 'provenance', 7]],
    ['a weight below 0', badEdge({ weight: -1, sign: 7 }), ['invalid', 'weight', -1]],
    ['a bigint below 0', badEdge({ weight: -1n }), ['invalid', 'weight', -1n]],
    [
      'a weight that is no number',
      badEdge({ weight: Number.NaN }),
      ['invalid', 'weight', Number.NaN],
    ],
    ['an infinite weight', badEdge({ weight: Infinity }), ['invalid', 'weight', Infinity]],
    ['the old sign', badEdge({ sign: 'unknown' }), ['invalid', 'sign', 'unknown']],
    ['no sign but null', badEdge({ sign: null }), ['invalid', 'sign', null]],
    [
      'the lowest of two repeated ids, after a bad edge',
      bad({ nodes: [a, a, node('0'), node('0')] }),
      ['duplicate_node', '0'],
    ],
    [
      'a repeated edge, whatever its sign and weight, before a dangling one',
      bad({ edges: [edge('s/tool/a', 'z'), loop, { ...loop, sign: 'deny', weight: 2 }] }),
      ['duplicate_edge', ['s/tool/a', 's/tool/a', 'invoke', 'declared']],
    ],
    [
      'a repeated edge that dangles',
      bad({ edges: [edge('z', 'y'), edge('z', 'y')] }),
      ['duplicate_edge', ['z', 'y', 'invoke', 'declared']],
    ],
    [
      'the first dangling end in edge order, its source first',
      bad({ edges: [edge('z', 'y'), edge('m', 'k'), edge('s/tool/a', 'b')] }),
      ['dangling_edge', 'm'],
    ],
    [
      'an end in another normalisation form than its node',
      bad({ nodes: [node('\u00e9')], edges: [edge('e\u0301', '\u00e9')] }),
      ['dangling_edge', 'e\u0301'],
    ],
  ])('refuses %s', (_name, value, reason) => {
    expect(checkGraph(value)).toEqual(reason)
    expect(refusalOf(() => createGraph(wrong(value)))).toEqual({
      code: 'BEAM_ERR_GRAPH_INVALID',
      reason,
    })
  })

  test('names a bad edge before a repeated node', () => {
    const edges = [{ ...loop, kind: 'call' }]
    expect(checkGraph({ nodes: [a, a], edges })).toEqual(['invalid', 'kind', 'call'])
  })

  test.each([
    ['a negative zero', -0],
    ['a bigint', 2n ** 70n],
    ['a float', float(1.5)],
    ['a negative zero float', float(-0)],
  ])('admits %s as a weight', (_name, weight) => {
    expect(checkGraph(badEdge({ weight }))).toBeNull()
  })
})
