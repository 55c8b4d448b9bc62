// SPDX-License-Identifier: Apache-2.0
import {
  type EdgeInput,
  encode,
  type GraphInput,
  hashHex,
  type NodeInput,
} from '@beam-mcp/connectome'

const DECOMPOSED = 'e\u0301'
/** Ids that locales, code units and integer-like keys would put in other orders; one is decomposed. */
export const IDS = [
  '10',
  '9',
  'a',
  'B',
  DECOMPOSED,
  '\u{1f600}x',
  '\ufb33x',
  '\uff01',
  'I',
  'ı',
  'z',
  'å',
]

const nodes: readonly NodeInput[] = IDS.map((id) => {
  const labels = { 10: 1, 9: 2, '\u{1f600}': 3, '\uff01': 4, [DECOMPOSED]: { i: 'İ', I: ['ä'] } }
  return { id, kind: 'tool', level: 'server', labels }
})

/** A ring through all nodes. */
const edges: readonly EdgeInput[] = IDS.map((from, i) => {
  return { from, to: IDS[(i + 1) % IDS.length] ?? from, kind: 'invoke', provenance: 'declared' }
})

export const graph: GraphInput = { nodes, edges }

/** The graph in five orders, and once from frozen objects. */
export function variants(): GraphInput[] {
  const orders = [0, 3, 5, 7, 11].map((step) => ({
    nodes: [...nodes.slice(step), ...nodes.slice(0, step)].reverse(),
    edges: [...edges.slice(step), ...edges.slice(0, step)],
  }))
  const frozen = {
    nodes: Object.freeze(nodes.map((node) => Object.freeze({ ...node }))),
    edges: Object.freeze(edges.map((edge) => Object.freeze({ ...edge }))),
  }
  return [...orders, Object.freeze(frozen)]
}

/** What one host says: its hashes and bytes, each once if all variants agree. */
export function report(): string {
  const hashes = new Set(variants().map((variant) => hashHex(variant)))
  const texts = new Set(variants().map((variant) => new TextDecoder().decode(encode(variant))))
  return JSON.stringify([...hashes, ...texts])
}
