// SPDX-License-Identifier: Apache-2.0
import {
  createGraph,
  dominates,
  type GraphInput,
  mandatoryPass,
  prepare,
  reachableWithout,
} from '@beam-mcp/connectome'
import { describe, expect, test } from 'vitest'
import { refusalOf, wrong } from '../refusal.ts'

const graph = createGraph({
  nodes: [
    { id: 'a', kind: 'server', level: 'server' },
    { id: 'b', kind: 'tool', level: 'server' },
  ],
  edges: [{ from: 'a', to: 'b', kind: 'invoke', provenance: 'declared' }],
})

describe('a list with a hole', () => {
  const hole = wrong<string[]>(Array(1))
  const reason = ['unknown_node', undefined]

  test('names no entry, and the first node does not stand in for it', () => {
    expect(refusalOf(() => dominates(graph, 'a', 'b', { entries: hole })).reason).toEqual(reason)
    expect(refusalOf(() => mandatoryPass(graph, 'b', { entries: hole })).reason).toEqual(reason)
    const call = (): unknown => prepare(graph).dominates('a', 'b', { entries: hole })
    expect(refusalOf(call).reason).toEqual(reason)
  })

  test('names no gate', () => {
    expect(refusalOf(() => reachableWithout(graph, 'a', 'b', hole)).reason).toEqual(reason)
  })
})

describe('a value that is no graph', () => {
  const idless = (id: unknown): GraphInput =>
    wrong({ nodes: [{ id, kind: 'server', level: 'server' }], edges: [] })

  test('is refused for what it is when its own server has no id to enter by', () => {
    const unprintable = { toString: () => wrong<string>({}) }
    for (const id of [5, Symbol('id'), unprintable]) {
      const { reason } = refusalOf(() => mandatoryPass(idless(id), 'a'))
      expect(reason).toEqual(['invalid_graph', ['invalid', 'id', id]])
    }
  })

  test('is looked through once, however many entries are given', () => {
    const nodes = Array.from({ length: 20_000 }, (_, i) => {
      let reads = 0
      const id = (): string => {
        reads++
        if (reads > 10) throw new Error('a node is read for each entry')
        return `n${i}`
      }
      const node = { kind: 'tool', level: 'host' }
      return Object.defineProperty(node, 'id', { get: id, enumerable: true })
    })
    const entries = Array.from(nodes, (_, i) => `n${i}`)
    const call = (): unknown => dominates(wrong({ nodes, edges: [] }), 'a', 'b', { entries })
    expect(refusalOf(call).reason).toEqual(['invalid_graph', ['invalid', 'level', 'host']])
  })
})
