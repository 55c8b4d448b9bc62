// SPDX-License-Identifier: Apache-2.0
import type { Compact } from '../graph/compact.ts'
import { at } from '../graph/sort-edges.ts'
import { EDGE_KINDS, PROVENANCES, SIGNS } from '../graph/vocabulary.ts'
import { type ByteDocument, createByteWriter, flush, writeText, writeToken } from './byte-writer.ts'
import type { Form } from './form.ts'
import { joinLabels } from './labels-text.ts'
import { quote } from './normal.ts'
import { createTokenTable, type TokenTable, tokenLength, utf8Length } from './token-table.ts'
import type { Writing } from './write-options.ts'

/**
 * The canonical text of a graph, ready to be written.
 *
 * @see docs/connectome-canonical.md, "The document"
 */
export function graphDocument(form: Form, writing: Writing): ByteDocument {
  const { schemaVersion, algorithm } = writing
  const named = schemaVersion === 3 ? `,"algorithm":"${algorithm}"` : ''
  const head = `{"schema_version":${schemaVersion}${named},"nodes":[`
  const ids = form.ids.map(quote)
  const nodes = nodeTexts(form, ids)
  const edges = edgeTokens(ids)
  return {
    length: head.length + lengthOf(nodes) + BETWEEN.length + edgeBytes(form, edges) + END.length,
    write: (sink) => {
      const writer = createByteWriter(sink)
      writeText(writer, head)
      for (const text of nodes) writeText(writer, text)
      writeText(writer, BETWEEN)
      let comma = 1
      for (const position of form.edgeOrder) {
        writeToken(writer, edges.from, at(form.compact.from, position), comma)
        writeToken(writer, edges.middle, middleOf(form.compact, position))
        writeToken(writer, edges.to, at(form.compact.to, position))
        comma = 0
      }
      writeText(writer, END)
      flush(writer)
    },
  }
}

const BETWEEN = '],"edges":['
const END = ']}'

function nodeTexts(form: Form, ids: readonly string[]): string[] {
  const texts: string[] = []
  for (const position of form.nodeOrder) {
    const node = form.graph.nodes[position]
    if (node === undefined) continue
    const labels = joinLabels(form.labels[position] ?? [])
    const comma = texts.length === 0 ? '' : ','
    const start = `${comma}{"id":${ids[position]},"kind":"${node.kind}"`
    texts.push(`${start},"labels":${labels},"level":"${node.level}"}`)
  }
  return texts
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + utf8Length(text), 0)
}

/** An edge is three texts: its comma and source, one of forty combinations of words, its target. */
interface EdgeTokens {
  readonly from: TokenTable
  readonly middle: TokenTable
  readonly to: TokenTable
}

function edgeTokens(ids: readonly string[]): EdgeTokens {
  const middles = EDGE_KINDS.flatMap((kind) =>
    PROVENANCES.flatMap((provenance) =>
      SIGNS.map((sign) => `,"kind":"${kind}","provenance":"${provenance}","sign":"${sign}","to":`),
    ),
  )
  return {
    from: createTokenTable(ids.map((id) => `,{"from":${id}`)),
    middle: createTokenTable(middles),
    to: createTokenTable(ids.map((id) => `${id}}`)),
  }
}

function middleOf({ kind, provenance, sign }: Compact, edge: number): number {
  const pair = at(kind, edge) * PROVENANCES.length + at(provenance, edge)
  return pair * SIGNS.length + at(sign, edge)
}

function edgeBytes({ compact }: Form, { from, middle, to }: EdgeTokens): number {
  let bytes = 0
  for (let edge = 0; edge < compact.from.length; edge++) {
    bytes += tokenLength(from, at(compact.from, edge))
    bytes += tokenLength(middle, middleOf(compact, edge))
    bytes += tokenLength(to, at(compact.to, edge))
  }
  return Math.max(0, bytes - 1) // the first edge has no comma
}
