// SPDX-License-Identifier: Apache-2.0
import {
  type DiffRecord,
  diff,
  diffHashHex,
  encodeDiff,
  type Graph,
  sidecar,
  verify,
} from '@beam-mcp/connectome'
import { type Check, check, textOf } from './checks.ts'

interface Text {
  readonly text: string
  readonly sha256: string
}

interface Versions {
  readonly v2: Text
  readonly v3: Readonly<Record<string, { readonly text: string; readonly hash: string }>>
}

export interface Published {
  readonly graphs: readonly Versions[]
  readonly diffs: readonly Versions[]
  readonly v1: Text
  readonly exports: {
    readonly declared: Text
    readonly observed: Text
    readonly sidecar: { readonly text: string }
    readonly diff: Text
  }
}

/** What the reference publishes is read, and its hashes hold, at every version. */
export function publishedChecks({ graphs, diffs, v1, exports }: Published): Check[] {
  const first = verify(bytesOf(v1.text), { hashHex: v1.sha256 })
  return [
    check('version 1', first, { schemaVersion: 1, algorithm: 'sha256', graph: undefined }),
    ...graphs.flatMap(graphTexts),
    ...diffs.flatMap(recordTexts),
    ...exportChecks(exports),
  ]
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function graphTexts({ v2, v3 }: Versions): Check[] {
  const second = verify(bytesOf(v2.text), { hashHex: v2.sha256 })
  return [
    check(`hash ${v2.sha256}`, [second.schemaVersion, second.algorithm], [2, 'sha256']),
    ...Object.entries(v3).map(([algorithm, { text, hash }]) => {
      const third = verify(bytesOf(text), { hashHex: hash })
      return check(`hash ${hash}`, [third.schemaVersion, third.algorithm], [3, algorithm])
    }),
  ]
}

/** A published record, read as plain JSON, is written again byte for byte. */
function recordTexts({ v2, v3 }: Versions): Check[] {
  const record = recordOf(v2.text)
  const { sha256 } = v3
  return [
    check('record', textOf(encodeDiff(record)), v2.text),
    check('record hash', diffHashHex(record), v2.sha256),
    check('record at 3', textOf(encodeDiff(record, { schemaVersion: 3 })), sha256?.text),
    check('record hash at 3', diffHashHex(record, { schemaVersion: 3 }), sha256?.hash),
  ]
}

function recordOf(text: string): DiffRecord {
  const { classes, coverage, window } = JSON.parse(text) as DiffRecord // published as one
  return { classes, coverage, window }
}

/** The diff of two published graphs is the published diff. */
function exportChecks({
  declared,
  observed,
  sidecar: weights,
  diff: record,
}: Published['exports']): Check[] {
  const left = graphOf(declared)
  const right = graphOf(observed)
  const { window } = recordOf(record.text)
  const found = diff(left, right, { window })
  return [
    check('diff of exports', textOf(encodeDiff(found)), record.text),
    check('hash of the diff', diffHashHex(found), record.sha256),
    check('sidecar of exports', sidecar(weigh(right, weights.text)), weights.text),
  ]
}

function graphOf({ text, sha256 }: Text): Graph {
  const { graph } = verify(bytesOf(text), { hashHex: sha256 })
  if (graph === undefined) throw new Error('the published graph is of version 1')
  return graph
}

interface Weighted {
  readonly from: string
  readonly to: string
  readonly weight: number
}

/** A graph with the weights of a sidecar put on its edges. */
function weigh({ nodes, edges }: Graph, text: string): Pick<Graph, 'nodes' | 'edges'> {
  const { weights } = JSON.parse(text) as { readonly weights: readonly Weighted[] } // published
  const weighed = edges.map((edge) => {
    const { weight } = weights.find(({ from, to }) => from === edge.from && to === edge.to) ?? {}
    return weight === undefined ? edge : { ...edge, weight }
  })
  return { nodes, edges: weighed }
}
