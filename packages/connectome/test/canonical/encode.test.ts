// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto'
import {
  ALGORITHMS,
  checkCanonical,
  createGraph,
  encode,
  type GraphInput,
  hashHex,
  sidecar,
  verify,
} from '@beam-mcp/connectome'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graphArbitrary } from '../arbitraries.ts'
import { refusalOf, wrong } from '../refusal.ts'

const CANON = 'BEAM_ERR_CANON_REFUSED'
const text = (graph: GraphInput): string => new TextDecoder().decode(encode(graph))

function labelled(labels: unknown, id = 's/a'): GraphInput {
  return wrong({ nodes: [{ id, kind: 'tool', level: 'server', labels }], edges: [] })
}

const labelsOf = (graph: GraphInput): string =>
  /"labels":(.*),"level"/s.exec(text(graph))?.[1] ?? ''

describe('encode', () => {
  test('is the inverse of verify at every version and digest', () => {
    const writing = fc.constantFrom(
      { schemaVersion: 2 as const },
      ...ALGORITHMS.map((algorithm) => ({ schemaVersion: 3 as const, algorithm })),
    )
    fc.assert(
      fc.property(graphArbitrary(), writing, (input, options) => {
        const bytes = encode(input, options)
        const read = verify(bytes, { hashHex: hashHex(input, options) })
        expect(read.schemaVersion).toBe(options.schemaVersion)
        expect(encode(read.graph ?? wrong(undefined), options)).toEqual(bytes)
      }),
    )
  })

  test('gives the bytes that hashHex digests', () => {
    fc.assert(
      fc.property(graphArbitrary(), (input) => {
        const expected = createHash('sha256').update(encode(input)).digest('hex')
        expect(hashHex(input)).toBe(expected)
      }),
    )
  })

  test('writes bytes longer than one piece whole', () => {
    const nodes = Array.from({ length: 3_000 }, (_, i) => {
      return {
        id: `s/é/${i}`,
        kind: 'tool',
        level: 'server',
        labels: { x: 'y'.repeat(i) },
      } as const
    })
    const edges = nodes.map(({ id }) => {
      return { from: id, to: id, kind: 'invoke', provenance: 'declared' } as const
    })
    const graph = createGraph({ nodes, edges })
    const bytes = encode(graph)
    const { nodes: read, edges: links } = JSON.parse(new TextDecoder().decode(bytes))
    expect([read.length, links.length]).toEqual([3_000, 3_000])
    expect(verify(bytes, { hashHex: hashHex(graph) }).graph).toEqual(graph)
  })

  test('does not write weights', () => {
    const edge = { from: 's/a', to: 's/a', kind: 'invoke', provenance: 'declared' } as const
    const weighed = { ...labelled({}), edges: [{ ...edge, weight: 7 }] }
    expect(text(weighed)).toBe(text({ ...labelled({}), edges: [edge] }))
    expect(sidecar(weighed)).toContain('"weight":7')
  })

  test('sorts nodes by code point and the keys of labels by code unit', () => {
    const astral = '\u{1f600}'
    const { nodes } = labelled({ [astral]: 1, '\uff01': 2, '10': 3, '9': 4 }, astral)
    const graph = { nodes: [...nodes, ...labelled({}, '\uff01').nodes], edges: [] }
    expect(text(graph).indexOf('"id":"\uff01"')).toBeLessThan(
      text(graph).indexOf(`"id":"${astral}"`),
    )
    expect(text(graph)).toContain(`{"10":3,"9":4,"${astral}":1,"\uff01":2}`)
  })

  test('orders nodes and edges by their normal forms, not by the strings given', () => {
    // As given, the Angstrom sign U+212B sorts after "á"; in normal form it is U+00C5, before it.
    const edge = { to: 'z', kind: 'invoke', provenance: 'declared' } as const
    const graph = {
      nodes: ['\u00e1', '\u212b', 'z'].flatMap((id) => labelled({}, id).nodes),
      edges: ['\u00e1', '\u212b'].map((from) => ({ ...edge, from })),
    }
    expect(text(graph).match(/"(id|from)":"[^z"]"/g)).toEqual([
      '"id":"\u00c5"',
      '"id":"\u00e1"',
      '"from":"\u00c5"',
      '"from":"\u00e1"',
    ])
  })

  test.each<[string, unknown, string]>([
    ['a negative zero as 0', { x: -0 }, '{"x":0}'],
    ['a whole number as an integer', { x: 1.0 }, '{"x":1}'],
    ['a bigint in plain decimal', { x: -(10n ** 30n) }, `{"x":-1${'0'.repeat(30)}}`],
    ['empty ones', { a: {}, b: [] }, '{"a":{},"b":[]}'],
    ['true, false and null', { x: [true, false, null] }, '{"x":[true,false,null]}'],
    ['a key __proto__', Object.fromEntries([['__proto__', 1]]), '{"__proto__":1}'],
    ['an object without a prototype', Object.assign(Object.create(null), { x: 1 }), '{"x":1}'],
    [
      'one object twice',
      ((one) => ({ a: one, b: [one] }))({ k: 1 }),
      '{"a":{"k":1},"b":[{"k":1}]}',
    ],
    [
      'what is outside ASCII as it is',
      { x: '\u007f/\u2028\ufeff\uffff' },
      '{"x":"\u007f/\u2028\ufeff\uffff"}',
    ],
    [
      'controls in their short or lower-case form',
      { x: '\b\t\n\f\r\u0000\u001f"\\' },
      '{"x":"\\b\\t\\n\\f\\r\\u0000\\u001f\\"\\\\"}',
    ],
  ])('writes %s', (_name, labels, expected) => {
    expect(labelsOf(labelled(labels))).toBe(expected)
  })

  test('writes values as deep as memory allows', () => {
    let deep: unknown = 'x'
    for (let i = 0; i < 50_000; i++) deep = i % 2 === 0 ? [deep] : { k: deep }
    expect(labelsOf(labelled({ deep }))).toMatch(/^\{"deep":\{"k":\[/)
    expect(verify(encode(labelled({ deep }))).schemaVersion).toBe(2)
  })

  test.each<[string, unknown, readonly unknown[]]>([
    ['options that are no object', 7, ['invalid', 'options', 7]],
    ['an option it does not know', { version: 3 }, ['unknown_option', 'version']],
    ['version 1', { schemaVersion: 1 }, ['invalid', 'schema_version', 1]],
    [
      'a digest spelt otherwise',
      { schemaVersion: 3, algorithm: 'SHA256' },
      ['invalid', 'algorithm', 'SHA256'],
    ],
    [
      'a digest at version 2',
      { schemaVersion: 2, algorithm: 'sha256' },
      ['invalid', 'algorithm', 'sha256'],
    ],
    [
      'a digest for a graph of version 2',
      { algorithm: 'sha512' },
      ['invalid', 'algorithm', 'sha512'],
    ],
  ])('refuses %s', (_name, options, reason) => {
    const graph = createGraph(labelled({}))
    expect(refusalOf(() => encode(graph, wrong(options)))).toEqual({ code: CANON, reason })
    expect(refusalOf(() => hashHex(graph, wrong(options)))).toEqual({ code: CANON, reason })
  })

  test('judges the options before the graph', () => {
    expect(refusalOf(() => encode(wrong(7), wrong({ schemaVersion: 4 }))).reason).toEqual([
      'invalid',
      'schema_version',
      4,
    ])
  })

  test('writes the version of the graph unless told otherwise', () => {
    const graph = createGraph({ ...labelled({}), schemaVersion: 3 })
    expect(hashHex(graph, { algorithm: 'sha384' })).toHaveLength(96)
    expect(text(graph)).toMatch(/^\{"schema_version":3,"algorithm":"sha256",/)
    expect(new TextDecoder().decode(encode(graph, { schemaVersion: 2 }))).toBe(text(labelled({})))
  })
})

const cycle: { self?: unknown } = {}
cycle.self = [cycle]
const symbol = Symbol('key')
class Instance {
  readonly x = 1
}

describe('checkCanonical', () => {
  test('answers null for a graph with bytes', () => {
    expect(checkCanonical(labelled({ x: 1 }))).toBeNull()
  })

  test.each<[string, unknown]>([
    ['a fraction', 1.5],
    ['a number past the safe integers', 2 ** 53],
    ['not a number', Number.NaN],
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', symbol],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', new Uint8Array(1)],
    ['an instance', new Instance()],
    ['a hole', new Array(1)],
    ['an array with a member', Object.assign([1], { x: 2 })],
    ['a symbol key inside', { [symbol]: 1 }],
    ['a bad string inside', ['\ud800']],
    ['a bad key inside', { '\udc00': 1 }],
    ['keys inside that meet after normalising', { 'e\u0301': 1, '\u00e9': 2 }],
    ['a cycle', cycle],
  ])('names a label that holds %s, with its whole value', (_name, value) => {
    const reason = ['label_value', 's/a', 'x', value]
    expect(checkCanonical(labelled({ x: value }))).toEqual(['uncanonical', reason])
  })

  test.each<[string, unknown, readonly unknown[]]>([
    ['a bad string value', { x: 'a\ud800' }, ['invalid_utf8', 's/é', 'x']],
    ['a bad key, before its value', { '\ud800': 1.5 }, ['invalid_utf8', 's/é', '\ud800']],
    ['a symbol key, before any other', { x: 1.5, [symbol]: 1 }, ['label_key', 's/é', symbol]],
    [
      'keys that meet, after a bad value',
      { 'e\u0301': 1, '\u00e9': 1, z: 1.5 },
      ['label_value', 's/é', 'z', 1.5],
    ],
    ['keys that meet', { 'e\u0301': 1, '\u00e9': 1 }, ['duplicate_label_key', 's/é', '\u00e9']],
    [
      'the first bad key in code point order',
      { '\u{1f600}': 1.5, '\uff01': 2.5 },
      ['label_value', 's/é', '\uff01', 2.5],
    ],
  ])('names %s, under the id in normal form', (_name, labels, reason) => {
    expect(checkCanonical(labelled(labels, 's/e\u0301'))).toEqual(['uncanonical', reason])
  })

  test('names the first bad node of the graph before ids that meet, the id before labels', () => {
    const nodes = [
      ...labelled({}, 'e\u0301').nodes,
      ...labelled({}, '\u00e9').nodes,
      ...labelled({ x: 1.5 }, 'z\ud800').nodes,
    ]
    const reason = ['invalid_utf8', 'z\ud800', 'id']
    expect(checkCanonical({ nodes, edges: [] })).toEqual(['uncanonical', reason])
    expect(checkCanonical({ nodes: nodes.slice(0, 2), edges: [] })).toEqual([
      'uncanonical',
      ['duplicate_id_after_nfc', '\u00e9'],
    ])
  })

  test('is what encode, hashHex and sidecar refuse with', () => {
    const graph = createGraph(labelled({ x: 1.5 }))
    const refusal = { code: CANON, reason: checkCanonical(graph) }
    for (const write of [encode, hashHex, sidecar]) {
      expect(refusalOf(() => write(graph))).toEqual(refusal)
    }
  })
})
