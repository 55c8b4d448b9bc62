// SPDX-License-Identifier: Apache-2.0
import { createGraph, encode, fromGraphology, sidecar, toGraphology } from '@beam-mcp/connectome'
import fc from 'fast-check'
import { DirectedGraph, MultiGraph } from 'graphology'
import { describe, expect, test } from 'vitest'
import { graphArbitrary } from '../arbitraries.ts'
import { refusalOf } from '../refusal.ts'

const tool = { kind: 'tool', level: 'server' } as const
const call = { kind: 'invoke', provenance: 'declared' } as const

describe('toGraphology and fromGraphology', () => {
  test('give back the graph they were given, weights and version included', () => {
    fc.assert(
      fc.property(graphArbitrary(), (input) => {
        const graph = createGraph(input)
        const back = fromGraphology(toGraphology(graph))
        expect(back).toEqual(graph)
        expect(encode(back)).toEqual(encode(graph))
        expect(sidecar(back)).toBe(sidecar(graph))
      }),
    )
  })

  test('keep the attributes, under the ids and the positions of the edges', () => {
    const labels = { mode: 'read_only' }
    const graph = createGraph({
      nodes: [
        { id: 'a', ...tool, labels },
        { id: 'b', ...tool },
      ],
      edges: [{ from: 'a', to: 'b', ...call, sign: 'deny', weight: 2 }],
    })
    const copy = toGraphology(graph)
    expect([copy.order, copy.size, copy.outNeighbors('a')]).toEqual([2, 1, ['b']])
    expect(copy.getNodeAttributes('a')).toEqual({ ...tool, labels })
    expect(copy.getEdgeAttributes('0')).toEqual({ ...call, sign: 'deny', weight: 2 })
  })

  test('take a simple directed graph and leave foreign attributes behind', () => {
    const other = new DirectedGraph()
    other.addNode('a', { ...tool, x: 0.5, y: 2 })
    other.addDirectedEdge('a', 'a', { ...call, color: 'red' })
    expect(fromGraphology(other)).toEqual(
      createGraph({ nodes: [{ id: 'a', ...tool }], edges: [{ from: 'a', to: 'a', ...call }] }),
    )
  })

  test('take a literal of a graph through every check', () => {
    const nodes = [{ id: 'a', ...tool }]
    const copy = toGraphology({ nodes, edges: [{ from: 'a', to: 'a', ...call }] })
    expect(copy.getEdgeAttributes('0')).toEqual({ ...call, sign: 'unset' })
    const stray = { from: 'a', to: 'b', ...call }
    const { reason } = refusalOf(() => toGraphology({ nodes, edges: [stray] }))
    expect(reason).toEqual(['dangling_edge', 'b'])
  })

  test('refuse an undirected edge and what the vocabulary does not name', () => {
    const other = new MultiGraph()
    other.addNode('a', tool)
    other.addUndirectedEdgeWithKey('e', 'a', 'a', call)
    expect(refusalOf(() => fromGraphology(other)).reason).toEqual(['undirected_edge', 'e'])
    other.dropEdge('e')
    other.setNodeAttribute('a', 'kind', 'gate')
    expect(refusalOf(() => fromGraphology(other)).reason).toEqual(['invalid', 'kind', 'gate'])
  })
})
