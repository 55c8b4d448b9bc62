// SPDX-License-Identifier: Apache-2.0
import { requireForm } from '../canonical/encode.ts'
import type { Graph, GraphInput } from '../graph/graph.ts'
import { at } from '../graph/sort-edges.ts'
import { flatText } from './flat-text.ts'

/**
 * A graph in Graphviz's language, in canonical order, without weights. For looking at: the layout of
 * this text may change, and it is not hashed.
 *
 * @throws ConnectomeError as `encode`
 */
export function toDot(graph: Graph | GraphInput): string {
  const form = requireForm(graph)
  const ids = form.ids.map(quoteDot)
  const lines: string[] = []
  for (const position of form.nodeOrder) {
    const node = form.graph.nodes[position]
    const labels = (form.labels[position] ?? []).map(
      (label) => `, ${quoteDot(`label_${label.name}`)}=${quoteDot(flatText(label))}`,
    )
    const fixed = `kind="${node?.kind}", level="${node?.level}"`
    lines.push(`  ${ids[position]} [${fixed}${labels.join('')}];\n`)
  }
  for (const position of form.edgeOrder) {
    const edge = form.graph.edges[position]
    const ends = `${ids[at(form.compact.from, position)]} -> ${ids[at(form.compact.to, position)]}`
    const fixed = `kind="${edge?.kind}", provenance="${edge?.provenance}", sign="${edge?.sign}"`
    lines.push(`  ${ends} [${fixed}];\n`)
  }
  return `digraph connectome {\n${lines.join('')}}\n`
}

function quoteDot(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
