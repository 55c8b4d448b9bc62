// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto'
import {
  createGraph,
  type DiffLabel,
  diff,
  diffHashHex,
  type EdgeInput,
  encodeDiff,
  type GraphInput,
  type Sign,
} from '@beam-mcp/connectome'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graphArbitrary } from '../arbitraries.ts'
import { refusalOf, wrong } from '../refusal.ts'

const declaredArbitrary = graphArbitrary({ provenance: 'declared' })
const observedArbitrary = graphArbitrary({ provenance: 'observed' })
const window = { started_at: '2026-09-14T00:00:00Z' }
const labelText = ({ from, kind, to }: DiffLabel): string => JSON.stringify([from, kind, to])
const labelTexts = (list: readonly DiffLabel[]): string[] => list.map(labelText)

const ids = ['a', 'b', 'c', 'd']
const nodes = ids.map((id) => ({ id, kind: 'tool', level: 'server' }) as const)
const edge = (from: string, to: string, sign: Sign = 'unset') =>
  ({ from, to, kind: 'invoke', sign }) as const
const side = (
  provenance: EdgeInput['provenance'],
  ...edges: ReturnType<typeof edge>[]
): GraphInput => ({
  nodes,
  edges: edges.map((own) => ({ ...own, provenance })),
})

describe('diff', () => {
  test('puts every label of either side into exactly one class', () => {
    fc.assert(
      fc.property(declaredArbitrary, observedArbitrary, (declared, observed) => {
        const { classes, coverage } = diff(declared, observed, { window })
        const left = new Set(labelTexts(declared.edges))
        const right = new Set(labelTexts(observed.edges))
        const union = [...new Set([...left, ...right])]
        const both = [...classes.declared_and_observed, ...classes.changed_sign]
        const { declared_never_observed: dead, observed_but_undeclared: drift } = classes
        expect(labelTexts([...both, ...dead, ...drift]).sort()).toEqual(union.sort())
        expect(labelTexts(both).every((label) => left.has(label) && right.has(label))).toBe(true)
        expect(labelTexts(dead).some((label) => right.has(label))).toBe(false)
        expect(labelTexts(drift).some((label) => left.has(label))).toBe(false)
        expect(coverage.declared_edges).toBe(both.length + dead.length)
        expect(coverage.observed_edges).toBe(both.length + drift.length)
      }),
    )
  })

  test('counts ends by the nodes of the other side, whatever the edges are', () => {
    fc.assert(
      fc.property(declaredArbitrary, observedArbitrary, (declared, observed) => {
        const { coverage } = diff(declared, observed, { window })
        const known = (graph: GraphInput) => new Set(graph.nodes.map(({ id }) => id))
        const covered = (graph: GraphInput, by: ReadonlySet<string>): number =>
          graph.edges.filter(({ from, to }) => by.has(from) && by.has(to)).length
        const [left, right] = [known(declared), known(observed)]
        expect(coverage.declared_endpoint_covered).toBe(covered(declared, right))
        expect(coverage.observed_endpoint_declared).toBe(covered(observed, left))
        expect(coverage.nodes_in_both).toBe([...left].filter((id) => right.has(id)).length)
      }),
    )
  })

  test('calls a sign changed only when both sides have one and they differ', () => {
    const declared = side(
      'declared',
      edge('a', 'b', 'allow'),
      edge('b', 'c'),
      edge('c', 'd', 'hold'),
      edge('d', 'a', 'deny'),
    )
    const observed = side(
      'observed',
      edge('a', 'b', 'ungoverned'),
      edge('b', 'c', 'deny'),
      edge('c', 'd'),
      edge('d', 'a', 'deny'),
    )
    const { classes, coverage } = diff(declared, observed, { window: {} })
    expect(classes.changed_sign).toEqual([
      { declared_sign: 'allow', from: 'a', kind: 'invoke', observed_sign: 'ungoverned', to: 'b' },
    ])
    expect(classes.declared_and_observed.map(({ from }) => from)).toEqual(['b', 'c', 'd'])
    expect([coverage.declared_sign_only, coverage.observed_sign_only]).toEqual([1, 1])
    expect(coverage.declared_and_observed).toBe(4)
  })

  test('compares ids after normalising', () => {
    const id = (form: string) => ({ id: form, kind: 'tool', level: 'server' }) as const
    const self = (form: string) => ({ from: form, to: form, kind: 'read' }) as const
    const { classes, coverage } = diff(
      { nodes: [id('e\u0301')], edges: [{ ...self('e\u0301'), provenance: 'declared' }] },
      { nodes: [id('\u00e9')], edges: [{ ...self('\u00e9'), provenance: 'observed' }] },
      { window },
    )
    expect(classes.declared_and_observed).toEqual([self('\u00e9')])
    expect(coverage.nodes_in_both).toBe(1)
  })

  test('sorts its lists by UTF-16 code units, unlike the edges of a graph', () => {
    const astral = '\u{1f600}'
    const graph: GraphInput = {
      nodes: ['\uff01', astral].map((id) => ({ id, kind: 'tool', level: 'server' })),
      edges: ['\uff01', astral].map((id) => {
        return { from: id, to: id, kind: 'read', provenance: 'declared' } as const
      }),
    }
    const { classes } = diff(graph, { nodes: [], edges: [] }, { window })
    expect(classes.declared_never_observed.map(({ from }) => from)).toEqual([astral, '\uff01'])
    expect(createGraph(graph).edges.map(({ from }) => from)).toEqual(['\uff01', astral])
  })

  test('freezes the record at every depth and keeps a copy of the window', () => {
    const given = { spans: ['x'] }
    const record = diff(side('declared', edge('a', 'b')), side('observed'), { window: given })
    given.spans.push('y')
    const { classes, coverage } = record
    const parts = [record, classes, coverage, record.window, ...Object.values(classes)]
    expect(parts.every(Object.isFrozen)).toBe(true)
    expect(Object.isFrozen(classes.declared_never_observed[0])).toBe(true)
    expect(record.window).toEqual({ spans: ['x'] })
  })

  const good = side('declared')
  const bad = wrong<GraphInput>({ nodes: 7, edges: [] })
  const unwritable = { nodes: [{ ...nodes[0], labels: { x: 1.5 } }], edges: [] }
  const fault = ['uncanonical', ['label_value', 'a', 'x', 1.5]]
  test.each<[string, unknown, unknown, unknown, readonly unknown[]]>([
    ['options that are no object', bad, bad, 7, ['invalid', 'opts', 7]],
    ['options it does not know', bad, bad, { window, a: 1, b: 2 }, ['invalid', 'opts', ['a', 'b']]],
    ['a declared value that is no graph', bad, bad, {}, ['declared', ['invalid', 'nodes', 7]]],
    ['a declared graph without bytes', unwritable, bad, {}, ['declared', fault]],
    [
      'a declared graph with an observed edge',
      side('observed', edge('a', 'b')),
      bad,
      {},
      ['declared', ['invalid', 'provenance', 'observed']],
    ],
    ['an observed value that is no graph', good, bad, {}, ['observed', ['invalid', 'nodes', 7]]],
    ['an observed graph without bytes', good, unwritable, {}, ['observed', fault]],
    ['no window', good, good, {}, ['missing', 'window']],
    ['no options', good, good, undefined, ['missing', 'window']],
    [
      'a window that is a list',
      good,
      good,
      { window: [] },
      ['uncanonical', ['label_value', 'record', 'window', []]],
    ],
    [
      'a window without bytes',
      good,
      good,
      { window: { x: 0.5 } },
      ['uncanonical', ['label_value', 'record', 'window', { x: 0.5 }]],
    ],
  ])('refuses %s', (_name, declared, observed, options, reason) => {
    const call = (): unknown => diff(wrong(declared), wrong(observed), wrong(options))
    expect(refusalOf(call)).toEqual({ code: 'BEAM_ERR_GRAPH_DIFF', reason })
  })
})

describe('encodeDiff', () => {
  test('writes a record made here as it writes a literal of it', () => {
    const version = fc.constantFrom(2, 3)
    fc.assert(
      fc.property(
        declaredArbitrary,
        observedArbitrary,
        version,
        (declared, observed, schemaVersion) => {
          const record = diff(declared, observed, { window })
          const bytes = encodeDiff(record, { schemaVersion })
          expect(encodeDiff(structuredClone(record), { schemaVersion })).toEqual(bytes)
          const hash = createHash('sha256').update(bytes).digest('hex')
          expect(diffHashHex(record, { schemaVersion })).toBe(hash)
        },
      ),
    )
  })

  test('is version 2 by default, whatever the version of the graphs', () => {
    const graph = { ...side('declared'), schemaVersion: 3 } as const
    const text = new TextDecoder().decode(encodeDiff(diff(graph, graph, { window: {} })))
    expect(text).toContain('"schema_version":2,"window":{}')
    expect(text.startsWith('{"classes":')).toBe(true)
  })

  test.each<[string, unknown]>([
    ['no object', 7],
    ['a member too few', { classes: {}, coverage: {} }],
    ['a member too many', { classes: {}, coverage: {}, window: {}, x: 1 }],
    ['a member without bytes', { classes: {}, coverage: { x: 0.5 }, window: {} }],
  ])('refuses a record with %s', (_name, record) => {
    expect(refusalOf(() => encodeDiff(wrong(record)))).toEqual({
      code: 'BEAM_ERR_CANON_REFUSED',
      reason: ['uncanonical', ['label_value', 'record', 'record', record]],
    })
  })

  test('refuses a digest at version 2', () => {
    const record = diff(side('declared'), side('observed'), { window })
    expect(refusalOf(() => encodeDiff(record, { algorithm: 'sha256' })).reason).toEqual([
      'invalid',
      'algorithm',
      'sha256',
    ])
  })
})
