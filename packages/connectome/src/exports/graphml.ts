// SPDX-License-Identifier: Apache-2.0
import { requireForm } from '../canonical/encode.ts'
import type { Form } from '../canonical/form.ts'
import { refuse } from '../canonical/write-options.ts'
import { compareCodeUnits } from '../graph/code-points.ts'
import type { Graph, GraphInput } from '../graph/graph.ts'
import { at } from '../graph/sort-edges.ts'
import { flatText } from './flat-text.ts'

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
`
const NODE_KEYS = keyLine('kind', 'node', 'kind') + keyLine('level', 'node', 'level')
const EDGE_KEYS =
  keyLine('ekind', 'edge', 'kind') +
  keyLine('provenance', 'edge', 'provenance') +
  keyLine('sign', 'edge', 'sign')

/**
 * A graph as GraphML, in canonical order, without weights. For other programs: the layout of this
 * text may change, and it is not hashed.
 *
 * @throws ConnectomeError as `encode`; `['uncanonical', ['not_xml', id, codePoint]]` for the first
 * node that holds a character XML 1.0 has no form for
 */
export function toGraphml(graph: Graph | GraphInput): string {
  const form = requireForm(graph)
  requireXml(form)
  const keys = labelKeys(form)
  const declared = [...keys].map(([name, id]) => keyLine(id, 'node', escapeXml(name)))
  const body = [...nodeLines(form, keys), ...edgeLines(form)]
  return [
    HEAD,
    NODE_KEYS,
    ...declared,
    EDGE_KEYS,
    '  <graph id="connectome" edgedefault="directed">\n',
    ...body,
    '  </graph>\n</graphml>\n',
  ].join('')
}

function keyLine(id: string, owner: 'node' | 'edge', name: string): string {
  return `  <key id="${id}" for="${owner}" attr.name="${name}" attr.type="string"/>\n`
}

/** The name of every label of the graph, sorted, with the id it is declared under. */
function labelKeys(form: Form): Map<string, string> {
  const names = new Set(form.labels.flatMap((labels) => labels.map((label) => label.name)))
  return new Map([...names].sort(compareCodeUnits).map((name, i) => [name, `l${i}`]))
}

function nodeLines(form: Form, keys: ReadonlyMap<string, string>): string[] {
  return Array.from(form.nodeOrder, (position) => {
    const node = form.graph.nodes[position]
    const labels = (form.labels[position] ?? []).map((label) =>
      dataLine(keys.get(label.name) ?? '', escapeXml(flatText(label))),
    )
    const fixed = dataLine('kind', `${node?.kind}`) + dataLine('level', `${node?.level}`)
    const id = escapeXml(form.ids[position] ?? '')
    return `    <node id="${id}">\n${fixed}${labels.join('')}    </node>\n`
  })
}

function edgeLines(form: Form): string[] {
  const ids = form.ids.map(escapeXml)
  const { from, to } = form.compact
  return Array.from(form.edgeOrder, (position) => {
    const edge = form.graph.edges[position]
    const ends = `source="${ids[at(from, position)]}" target="${ids[at(to, position)]}"`
    const data =
      dataLine('ekind', `${edge?.kind}`) +
      dataLine('provenance', `${edge?.provenance}`) +
      dataLine('sign', `${edge?.sign}`)
    return `    <edge ${ends}>\n${data}    </edge>\n`
  })
}

function dataLine(key: string, text: string): string {
  return `      <data key="${key}">${text}</data>\n`
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => REFERENCES[character] ?? character)
}

/** Characters outside XML 1.0, section 2.2, production 2. */
const NOT_XML = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

function requireXml(form: Form): void {
  for (const position of form.nodeOrder) {
    const id = form.ids[position] ?? ''
    const labels = form.labels[position] ?? []
    for (const text of [id, ...labels.flatMap((label) => [label.name, flatText(label)])]) {
      const found = NOT_XML.exec(text)?.[0].codePointAt(0)
      if (found !== undefined) throw refuse('uncanonical', ['not_xml', id, found])
    }
  }
}
