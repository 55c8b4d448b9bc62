// SPDX-License-Identifier: Apache-2.0
import type { Graph, GraphInput } from '../graph/graph.ts'
import { at } from '../graph/sort-edges.ts'
import type { SchemaVersion } from '../graph/vocabulary.ts'
import type { Weight } from '../graph/weight.ts'
import { requireForm } from './encode.ts'
import { floatText } from './float-text.ts'
import { quote } from './normal.ts'
import { readWriteOptions, refuse } from './write-options.ts'

/**
 * The weights of a graph as text, one object for each edge that has one, in the order of the
 * canonical edges. Never hashed: weights say how often, the bytes say what.
 *
 * @throws ConnectomeError as `encode`; an `algorithm` is `['unknown_option', 'algorithm']`
 * @see docs/connectome-canonical.md, "Sidecar"
 */
export function sidecar(
  graph: Graph | GraphInput,
  options?: { readonly schemaVersion?: SchemaVersion },
): string {
  const { schemaVersion, algorithm } = readWriteOptions(options)
  if (algorithm !== undefined) throw refuse('unknown_option', 'algorithm')
  const form = requireForm(graph)
  const { compact, edgeOrder } = form
  const weights: string[] = []
  for (const position of edgeOrder) {
    const edge = form.graph.edges[position]
    if (edge?.weight === undefined) continue
    const from = quote(form.ids[at(compact.from, position)] ?? '')
    const to = quote(form.ids[at(compact.to, position)] ?? '')
    const kinds = `"kind":"${edge.kind}","provenance":"${edge.provenance}"`
    weights.push(`{"from":${from},${kinds},"to":${to},"weight":${weightText(edge.weight)}}`)
  }
  const version = schemaVersion ?? form.graph.schemaVersion
  return `{"schema_version":${version},"weights":[${weights.join(',')}]}`
}

/** A safe integer and a `bigint` in plain decimal; any other number as a float. */
function weightText(weight: Weight): string {
  if (typeof weight === 'bigint') return String(weight)
  if (typeof weight !== 'number') return floatText(weight.value)
  return Number.isSafeInteger(weight) ? String(weight) : floatText(weight)
}
