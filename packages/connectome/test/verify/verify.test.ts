// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto'
import { createGraph, encode, type GraphInput, hashHex, verify } from '@beam-mcp/connectome'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graphArbitrary } from '../arbitraries.ts'
import { refusalOf, wrong } from '../refusal.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const refused = (text: string): unknown => refusalOf(() => verify(bytesOf(text))).reason

const NODES =
  '{"id":"a","kind":"tool","labels":{"k":[1,{"x":null}]},"level":"server"},' +
  '{"id":"b","kind":"tool","labels":{},"level":"server"}'
const EDGE = '{"from":"a","kind":"invoke","provenance":"declared","sign":"unset","to":"b"}'
const document = (nodes = NODES, edges = EDGE, head = '"schema_version":2'): string =>
  `{${head},"nodes":[${nodes}],"edges":[${edges}]}`

describe('verify', () => {
  test('reads the graph that was written', () => {
    const { schemaVersion, algorithm, graph } = verify(bytesOf(document()))
    expect([schemaVersion, algorithm, graph?.nodes[0]?.labels]).toEqual([
      2,
      'sha256',
      { k: [1, { x: null }] },
    ])
  })

  test('reads version 1 by its own signs and gives no graph for it', () => {
    const text = document(NODES, EDGE.replace('unset', 'unknown'), '"schema_version":1')
    const hash = createHash('sha256').update(text).digest('hex')
    expect(verify(bytesOf(text), { hashHex: hash })).toEqual({
      schemaVersion: 1,
      algorithm: 'sha256',
      graph: undefined,
    })
  })

  test.each([
    ['unset', 1],
    ['ungoverned', 1],
    ['unknown', 2],
    ['maybe', 3],
  ])('refuses the sign %s at version %d', (sign, version) => {
    const named = version === 3 ? ',"algorithm":"sha256"' : ''
    const text = document(NODES, EDGE.replace('unset', sign), `"schema_version":${version}${named}`)
    expect(refused(text)).toEqual(['invalid_graph', ['invalid', 'sign', sign]])
  })

  test.each<[string, string, readonly unknown[]]>([
    ['another version', '"schema_version":4', ['invalid', 'schema_version', 4]],
    [
      'a digest at version 2',
      '"schema_version":2,"algorithm":"sha256"',
      ['invalid', 'algorithm', 'sha256'],
    ],
    ['no digest at version 3', '"schema_version":3', ['invalid', 'algorithm', undefined]],
    ['another digest', '"schema_version":3,"algorithm":"md5"', ['invalid', 'algorithm', 'md5']],
  ])('refuses %s', (_name, head, reason) => {
    expect(refused(document(NODES, EDGE, head))).toEqual(reason)
  })

  test.each([
    ['a version with a leading zero', document(NODES, EDGE, '"schema_version":02')],
    ['a space', document().replace(',"nodes"', ', "nodes"')],
    ['a final newline', `${document()}\n`],
    ['a byte order mark', `\ufeff${document()}`],
    ['a member too many', document(NODES, EDGE.replace('}', ',"weight":1}'))],
    [
      'members in another order',
      document(NODES.replace('"labels":{},"level":"server"', '"level":"server","labels":{}')),
    ],
    [
      'nodes in another order',
      document(
        NODES.split(/,(?=\{"id":"b")/)
          .reverse()
          .join(','),
      ),
    ],
    ['a node twice', document(`${NODES},${NODES.slice(NODES.indexOf('{"id":"b"'))}`)],
    ['an edge twice', document(NODES, `${EDGE},${EDGE}`)],
    [
      'edges in another order',
      document(
        NODES,
        `${EDGE},${EDGE.replace('"a"', '"b"')}`
          .split(/,(?=\{)/)
          .reverse()
          .join(','),
      ),
    ],
    ['an escape that is not needed', document(NODES.replace('"a"', '"\\u0061"'))],
    ['an escape in upper case', document(NODES.replace('"k"', '"\\u001F"'))],
    ['an escaped unpaired surrogate', document(NODES.replace('"k"', '"\\ud800"'))],
    ['a raw control', document(NODES.replace('"k"', '"\u0001"'))],
    ['a string not in normal form', document(NODES.replace('"k"', '"e\u0301"'))],
    ['a key twice', document(NODES.replace('"k":', '"k":1,"k":'))],
    ['keys in another order', document(NODES.replace('"k":', '"z":1,"k":'))],
    ['a key __proto__ twice', document(NODES.replace('"k":', '"__proto__":1,"__proto__":'))],
    ['a leading zero', document(NODES.replace('[1,', '[01,'))],
    ['a negative zero', document(NODES.replace('[1,', '[-0,'))],
    ['a fraction', document(NODES.replace('[1,', '[1.0,'))],
    ['an exponent', document(NODES.replace('[1,', '[1e3,'))],
    ['a trailing comma', document(NODES.replace('[1,{"x":null}]', '[1,]'))],
    ['labels that are no object', document(NODES.replace('{"k":[1,{"x":null}]}', '[]'))],
    ['an end too soon', document().slice(0, -3)],
    ['a string without an end', document().slice(0, document().indexOf('"a"') + 2)],
    ['no text', ''],
  ])('refuses %s', (_name, text) => {
    expect(refused(text)).toEqual(['not_canonical', expect.any(Number)])
  })

  test.each([
    ['an end no node has', document(NODES, EDGE.replace('"b"', '"c"')), ['dangling_edge', 'c']],
    ['a kind outside', document(NODES.replace('tool', 'gate')), ['invalid', 'kind', 'gate']],
    ['a level outside', document(NODES.replace('server', 'host')), ['invalid', 'level', 'host']],
    [
      'an edge kind outside',
      document(NODES, EDGE.replace('invoke', 'call')),
      ['invalid', 'kind', 'call'],
    ],
    [
      'a provenance outside',
      document(NODES, EDGE.replace('declared', 'x')),
      ['invalid', 'provenance', 'x'],
    ],
  ])('refuses %s', (_name, text, reason) => {
    expect(refused(text)).toEqual(['invalid_graph', reason])
  })

  test('refuses bytes that are not UTF-8, and what is no bytes', () => {
    const bytes = bytesOf(document())
    bytes[bytes.length - 4] = 0xff
    expect(refusalOf(() => verify(bytes)).reason).toEqual(['not_utf8'])
    expect(refusalOf(() => verify(wrong(document())))).toEqual({
      code: 'BEAM_ERR_CANON_UNVERIFIED',
      reason: ['invalid', 'bytes', document()],
    })
  })

  test('refuses another hash and names the one it found', () => {
    const bytes = bytesOf(document())
    const hash = createHash('sha256').update(bytes).digest('hex')
    const given = hash.toUpperCase()
    const reason = ['hash_mismatch', given, hash]
    expect(refusalOf(() => verify(bytes, { hashHex: given })).reason).toEqual(reason)
  })

  test.each<[unknown, readonly unknown[]]>([
    [7, ['invalid', 'options', 7]],
    [{ hash: 'x' }, ['unknown_option', 'hash']],
    [{ hashHex: 7 }, ['invalid', 'hash_hex', 7]],
  ])('refuses the options %j', (options, reason) => {
    expect(refusalOf(() => verify(bytesOf(document()), wrong(options))).reason).toEqual(reason)
  })

  test('keeps big integers and a key __proto__', () => {
    const labels = Object.fromEntries([['__proto__', -(10n ** 20n)]])
    const input: GraphInput = {
      nodes: [{ id: 'a', kind: 'tool', level: 'server', labels }],
      edges: [],
    }
    expect(verify(encode(input)).graph).toEqual(createGraph(input))
  })

  test('admits no other bytes than the canonical ones: a changed byte is refused or another graph', () => {
    const change = fc.record({
      input: graphArbitrary(),
      at: fc.nat(),
      by: fc.integer({ min: 1, max: 255 }),
    })
    fc.assert(
      fc.property(change, ({ input, at, by }) => {
        const bytes = encode(input, { schemaVersion: 2 })
        const place = at % bytes.length
        bytes[place] = ((bytes[place] ?? 0) + by) & 0xff
        let read: ReturnType<typeof verify>
        try {
          read = verify(bytes)
        } catch {
          return
        }
        if (read.graph !== undefined) expect(encode(read.graph)).toEqual(bytes)
        expect(createHash('sha256').update(bytes).digest('hex')).not.toBe(
          hashHex(input, { schemaVersion: 2 }),
        )
      }),
      { numRuns: 1_000 },
    )
  })
})
