// SPDX-License-Identifier: Apache-2.0
import { type ByteWriter, writeText, writeToken } from '../canonical/byte-writer.ts'
import { quote } from '../canonical/normal.ts'
import {
  createTokenTable,
  type TokenTable,
  tokenLength,
  utf8Length,
} from '../canonical/token-table.ts'
import { at } from '../graph/sort-edges.ts'
import { EDGE_KINDS, SIGNS } from '../graph/vocabulary.ts'
import type { CompactRecord } from './record.ts'
import type { SideLabels } from './side.ts'

/** The texts that entries are made of. */
interface Tokens {
  readonly from: TokenTable
  readonly kind: TokenTable
  readonly to: TokenTable
}

/** The classes of a record, ready to be written. */
export interface ClassesDocument {
  /** In bytes. */
  readonly length: number
  write(writer: ByteWriter): void
}

/**
 * The classes of a record that was made here: frozen and in order, its strings in normal form, so
 * that nothing is left to check.
 */
export function classesDocument(record: CompactRecord): ClassesDocument {
  const { ids, declared, observed, both, dead, drift } = record
  const quoted = ids.map(quote)
  const tokens: Tokens = {
    from: createTokenTable(quoted.map((id) => `,{"from":${id}`)),
    kind: createTokenTable(EDGE_KINDS.map((kind) => `,"kind":"${kind}","to":`)),
    to: createTokenTable(quoted.map((id) => `${id}}`)),
  }
  const changes = changeTexts(record, quoted)
  const lists: readonly List[] = [
    { name: '],"declared_and_observed":[', places: both, side: declared },
    { name: '],"declared_never_observed":[', places: dead, side: declared },
    { name: '],"observed_but_undeclared":[', places: drift, side: observed },
  ]
  const texts = [HEAD, ...changes, ...lists.map(({ name }) => name), TAIL]
  const fixed = texts.reduce((sum, text) => sum + utf8Length(text), 0)
  return {
    length: lists.reduce((sum, list) => sum + bytesOf(list, tokens), fixed),
    write: (writer) => {
      writeText(writer, HEAD)
      for (const text of changes) writeText(writer, text)
      for (const list of lists) {
        writeText(writer, list.name)
        writeLabels(list, tokens, writer)
      }
      writeText(writer, TAIL)
    },
  }
}

const HEAD = '{"changed_sign":['
const TAIL = ']}'

/** A class of labels: what comes before it, and the places of its labels on one side. */
interface List {
  readonly name: string
  readonly places: Int32Array
  readonly side: SideLabels
}

function bytesOf({ places, side: { from, kind, to } }: List, tokens: Tokens): number {
  let length = places.length === 0 ? 0 : -1 // the first label has no comma
  for (const place of places) {
    length += tokenLength(tokens.from, at(from, place))
    length += tokenLength(tokens.kind, at(kind, place))
    length += tokenLength(tokens.to, at(to, place))
  }
  return length
}

function writeLabels(
  { places, side: { from, kind, to } }: List,
  tokens: Tokens,
  writer: ByteWriter,
): void {
  let comma = 1
  for (const place of places) {
    writeToken(writer, tokens.from, at(from, place), comma)
    writeToken(writer, tokens.kind, at(kind, place))
    writeToken(writer, tokens.to, at(to, place))
    comma = 0
  }
}

function changeTexts(record: CompactRecord, quoted: readonly string[]): string[] {
  const { changed, declared, observed } = record
  return Array.from(changed.declared, (left, i) => {
    const comma = i === 0 ? '' : ','
    const from = quoted[at(declared.from, left)]
    const to = quoted[at(declared.to, left)]
    const kind = EDGE_KINDS[at(declared.kind, left)]
    const sign = SIGNS[at(declared.sign, left)]
    const start = `${comma}{"declared_sign":"${sign}","from":${from},"kind":"${kind}"`
    return `${start},"observed_sign":"${SIGNS[at(observed.sign, at(changed.observed, i))]}","to":${to}}`
  })
}
