// SPDX-License-Identifier: Apache-2.0
import { quote } from '../canonical/normal.ts'
import { collectBytes, type TextSink, utf8Sink } from '../canonical/text-sink.ts'
import { valueText } from '../canonical/value-text.ts'
import {
  readWriteOptions,
  refuse,
  type WriteOptions,
  type Writing,
  writingOf,
} from '../canonical/write-options.ts'
import { createDigest } from '../digest/create-digest.ts'
import { isPlainObject } from '../graph/plain-object.ts'
import { type ChangedSign, type DiffLabel, type DiffRecord, isOwnRecord } from './record.ts'

/**
 * The canonical bytes of a diff record: its members with `schema_version` (and, at version 3,
 * `algorithm`), keys sorted by UTF-16 code units. A record's version is its own, 2 by default.
 *
 * @throws ConnectomeError `BEAM_ERR_CANON_REFUSED`: the options' fault, or
 * `['uncanonical', ['label_value', 'record', 'record', record]]` for a record that was not made here
 * and has no canonical bytes
 * @see docs/connectome-diff.md, "Bytes"
 */
export function encodeDiff(record: DiffRecord, options?: WriteOptions): Uint8Array {
  const { sink, bytes } = collectBytes()
  writeRecord(record, writingOf(readWriteOptions(options), 2), utf8Sink(sink))
  return bytes()
}

/**
 * The digest of a diff record's canonical bytes in lower-case hexadecimal.
 *
 * @throws ConnectomeError as `encodeDiff`
 */
export function diffHashHex(record: DiffRecord, options?: WriteOptions): string {
  const writing = writingOf(readWriteOptions(options), 2)
  const digest = createDigest(writing.algorithm)
  const sink = utf8Sink((bytes) => digest.update(bytes))
  writeRecord(record, writing, sink)
  return digest.hex()
}

function writeRecord(record: DiffRecord, writing: Writing, sink: TextSink): void {
  const { schemaVersion, algorithm } = writing
  const named = schemaVersion === 3 ? `"algorithm":"${algorithm}",` : ''
  const parts = isPlainObject(record) && isOwnRecord(record) ? undefined : literalParts(record)
  sink.write(`{${named}"classes":`)
  if (parts === undefined) writeClasses(record, sink)
  else sink.write(parts.classes)
  const coverage = parts?.coverage ?? valueText(record.coverage)
  const window = parts?.window ?? valueText(record.window)
  sink.write(`,"coverage":${coverage},"schema_version":${schemaVersion},"window":${window}}`)
  sink.end()
}

/** A record that was not made here goes through every check of a value. */
function literalParts(record: unknown): { classes: string; coverage: string; window: string } {
  if (isPlainObject(record) && Reflect.ownKeys(record).length === 3) {
    const classes = objectText(record['classes'])
    const coverage = objectText(record['coverage'])
    const window = objectText(record['window'])
    if (classes !== undefined && coverage !== undefined && window !== undefined) {
      return { classes, coverage, window }
    }
  }
  throw refuse('uncanonical', ['label_value', 'record', 'record', record])
}

const objectText = (value: unknown): string | undefined =>
  isPlainObject(value) ? valueText(value) : undefined

/** A record made here is frozen and in order, its strings in normal form: nothing is left to check. */
function writeClasses({ classes }: DiffRecord, sink: TextSink): void {
  const quoted = createQuoter()
  const plain = (label: DiffLabel): string =>
    `{"from":${quoted(label.from)},"kind":"${label.kind}","to":${quoted(label.to)}}`
  const changed = (label: ChangedSign): string =>
    `{"declared_sign":"${label.declared_sign}","from":${quoted(label.from)},"kind":"${label.kind}",` +
    `"observed_sign":"${label.observed_sign}","to":${quoted(label.to)}}`
  sink.write('{"changed_sign":')
  writeList(classes.changed_sign, changed, sink)
  sink.write(',"declared_and_observed":')
  writeList(classes.declared_and_observed, plain, sink)
  sink.write(',"declared_never_observed":')
  writeList(classes.declared_never_observed, plain, sink)
  sink.write(',"observed_but_undeclared":')
  writeList(classes.observed_but_undeclared, plain, sink)
  sink.write('}')
}

function writeList<Item>(
  list: readonly Item[],
  text: (item: Item) => string,
  sink: TextSink,
): void {
  let open = '['
  for (const item of list) {
    sink.write(open + text(item))
    open = ','
  }
  sink.write(list.length === 0 ? '[]' : ']')
}

/** Quotes ids, each of them once. */
function createQuoter(): (id: string) => string {
  const known = new Map<string, string>()
  return (id) => {
    let text = known.get(id)
    if (text === undefined) {
      text = quote(id)
      known.set(id, text)
    }
    return text
  }
}
