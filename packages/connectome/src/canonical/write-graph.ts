// SPDX-License-Identifier: Apache-2.0
import type { Compact } from '../graph/compact.ts'
import { at } from '../graph/sort-edges.ts'
import { EDGE_KINDS, PROVENANCES, SIGNS } from '../graph/vocabulary.ts'
import type { Form } from './form.ts'
import { joinLabels } from './labels-text.ts'
import { quote } from './normal.ts'
import type { TextSink } from './text-sink.ts'
import type { Writing } from './write-options.ts'

/**
 * Writes the canonical text of a graph.
 *
 * @see docs/connectome-canonical.md, "The document"
 */
export function writeGraph(form: Form, writing: Writing, sink: TextSink): void {
  const { schemaVersion, algorithm } = writing
  const named = schemaVersion === 3 ? `,"algorithm":"${algorithm}"` : ''
  sink.write(`{"schema_version":${schemaVersion}${named},"nodes":[`)
  const ids = form.ids.map(quote)
  writeNodes(form, ids, sink)
  sink.write('],"edges":[')
  writeEdges(form, ids, sink)
  sink.write(']}')
  sink.end()
}

function writeNodes(form: Form, ids: readonly string[], sink: TextSink): void {
  let comma = ''
  for (const position of form.nodeOrder) {
    const node = form.graph.nodes[position]
    if (node === undefined) continue
    const labels = joinLabels(form.labels[position] ?? [])
    const { kind, level } = node
    const id = ids[position] ?? ''
    sink.write(`${comma}{"id":${id},"kind":"${kind}","labels":${labels},"level":"${level}"}`)
    comma = ','
  }
}

function writeEdges(form: Form, ids: readonly string[], sink: TextSink): void {
  const { from, to } = form.compact
  const middles = middleTexts()
  const ends = ids.map((id) => `${id}}`)
  let open = '{"from":'
  for (const position of form.edgeOrder) {
    const middle = middles[middleCode(form.compact, position)] ?? ''
    sink.write(open + (ids[at(from, position)] ?? '') + middle + (ends[at(to, position)] ?? ''))
    open = ',{"from":'
  }
}

/** An edge's text between its endpoints is one of forty. */
function middleTexts(): string[] {
  return EDGE_KINDS.flatMap((kind) =>
    PROVENANCES.flatMap((provenance) =>
      SIGNS.map((sign) => `,"kind":"${kind}","provenance":"${provenance}","sign":"${sign}","to":`),
    ),
  )
}

function middleCode({ kind, provenance, sign }: Compact, edge: number): number {
  const pair = at(kind, edge) * PROVENANCES.length + at(provenance, edge)
  return pair * SIGNS.length + at(sign, edge)
}
