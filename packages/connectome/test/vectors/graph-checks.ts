// SPDX-License-Identifier: Apache-2.0
import {
  ALGORITHMS,
  createGraph,
  encode,
  type Graph,
  type GraphInput,
  hashHex,
  sidecar,
  toDot,
  toGraphml,
  verify,
} from '@beam-mcp/connectome'
import { base64Of, type Check, check, reasonOf, textOf } from './checks.ts'
import { type Tagged, untag } from './tagged.ts'

export interface GraphCase {
  readonly name: string
  readonly input: Tagged
  readonly v2: {
    readonly length: number
    readonly bytes_b64: string
    readonly text: string
    readonly sha256: string
    readonly sidecar: string
  }
  readonly v3: {
    readonly length: number
    readonly sha256: string
    readonly sha384: string
    readonly sha512: string
    readonly text_prefix: string
    readonly sidecar: string
  }
  readonly dot: string
  readonly graphml: { readonly text: string } | { readonly error: Tagged }
}

/** The graph of a vector: nodes, edges, labels and weights as tagged values. */
export function inputOf(input: Tagged): GraphInput {
  return untag(input) as GraphInput // the files hold graphs; the constructor checks them
}

export function graphChecks(vector: GraphCase): Check[] {
  const graph = createGraph(inputOf(vector.input))
  return [
    ...versionTwo(graph, vector.v2),
    ...versionThree(graph, vector.v3),
    ...texts(graph, vector),
  ]
}

function versionTwo(graph: Graph, v2: GraphCase['v2']): Check[] {
  const bytes = encode(graph)
  const read = verify(bytes, { hashHex: v2.sha256 })
  return [
    check('length', bytes.length, v2.length),
    check('text', textOf(bytes), v2.text),
    check('bytes', base64Of(bytes), v2.bytes_b64),
    check('hash', hashHex(graph), v2.sha256),
    check('sidecar', sidecar(graph), v2.sidecar),
    check('verified version', [read.schemaVersion, read.algorithm], [2, 'sha256']),
    check('second write', read.graph && textOf(encode(read.graph)), v2.text),
  ]
}

function versionThree(graph: Graph, v3: GraphCase['v3']): Check[] {
  const bytes = encode(graph, { schemaVersion: 3 })
  const hashes = ALGORITHMS.map((algorithm) => hashHex(graph, { schemaVersion: 3, algorithm }))
  const read = ALGORITHMS.map((algorithm) => {
    const named = encode(graph, { schemaVersion: 3, algorithm })
    return verify(named, { hashHex: v3[algorithm] }).algorithm
  })
  return [
    check('v3 length', bytes.length, v3.length),
    check('v3 prefix', textOf(bytes).startsWith(v3.text_prefix), true),
    check('v3 hashes', hashes, [v3.sha256, v3.sha384, v3.sha512]),
    check('v3 verified', read, ALGORITHMS),
    check('v3 sidecar', sidecar(graph, { schemaVersion: 3 }), v3.sidecar),
  ]
}

function texts(graph: Graph, { dot, graphml }: GraphCase): Check[] {
  const isText = 'text' in graphml
  const expected = isText ? { answered: graphml.text } : untag(graphml.error)
  return [
    check('dot', toDot(graph), dot),
    check(
      'graphml',
      reasonOf(() => toGraphml(graph)),
      expected,
    ),
  ]
}
