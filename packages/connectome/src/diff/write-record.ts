// SPDX-License-Identifier: Apache-2.0
import { type ByteWriter, writeText, writeToken } from '../canonical/byte-writer.ts'
import { quote } from '../canonical/normal.ts'
import { createTokenTable, type TokenTable } from '../canonical/token-table.ts'
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

/**
 * Writes the classes of a record that was made here: frozen and in order, its strings in normal
 * form, so that nothing is left to check.
 */
export function writeClasses(record: CompactRecord, writer: ByteWriter): void {
  const { ids, declared, observed } = record
  const quoted = ids.map(quote)
  const tokens: Tokens = {
    from: createTokenTable(quoted.map((id) => `,{"from":${id}`)),
    kind: createTokenTable(EDGE_KINDS.map((kind) => `,"kind":"${kind}","to":`)),
    to: createTokenTable(quoted.map((id) => `${id}}`)),
  }
  writeText(writer, '{"changed_sign":[')
  writeChanges(record, quoted, writer)
  writeText(writer, '],"declared_and_observed":[')
  writeLabels(record.both, declared, tokens, writer)
  writeText(writer, '],"declared_never_observed":[')
  writeLabels(record.dead, declared, tokens, writer)
  writeText(writer, '],"observed_but_undeclared":[')
  writeLabels(record.drift, observed, tokens, writer)
  writeText(writer, ']}')
}

function writeLabels(
  places: readonly number[],
  { from, kind, to }: SideLabels,
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

function writeChanges(record: CompactRecord, quoted: readonly string[], writer: ByteWriter): void {
  const { changed, declared, observed } = record
  let open = '{"declared_sign":"'
  for (const [left, right] of changed) {
    const from = quoted[at(declared.from, left)]
    const to = quoted[at(declared.to, left)]
    const kind = EDGE_KINDS[at(declared.kind, left)]
    const signs = [SIGNS[at(declared.sign, left)], SIGNS[at(observed.sign, right)]]
    const start = `${open}${signs[0]}","from":${from},"kind":"${kind}"`
    writeText(writer, `${start},"observed_sign":"${signs[1]}","to":${to}}`)
    open = ',{"declared_sign":"'
  }
}
