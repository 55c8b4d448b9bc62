// SPDX-License-Identifier: Apache-2.0
import {
  type ByteDocument,
  collectBytes,
  createByteWriter,
  flush,
  writeText,
} from '../canonical/byte-writer.ts'
import { utf8Length } from '../canonical/token-table.ts'
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
import { type CompactRecord, compactRecord, type DiffRecord } from './record.ts'
import { type ClassesDocument, classesDocument } from './write-record.ts'

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
  const writing = writingOf(readWriteOptions(options), 2)
  return collectBytes(recordDocument(record, writing))
}

/**
 * The digest of a diff record's canonical bytes in lower-case hexadecimal, without holding the bytes.
 *
 * @throws ConnectomeError as `encodeDiff`
 */
export function diffHashHex(record: DiffRecord, options?: WriteOptions): string {
  const writing = writingOf(readWriteOptions(options), 2)
  const digest = createDigest(writing.algorithm)
  recordDocument(record, writing).write((bytes) => digest.update(bytes))
  return digest.hex()
}

function recordDocument(record: DiffRecord, { schemaVersion, algorithm }: Writing): ByteDocument {
  const named = schemaVersion === 3 ? `"algorithm":"${algorithm}",` : ''
  const { classes, coverage, window } = readParts(record)
  const head = `{${named}"classes":`
  const tail = `,"coverage":${coverage},"schema_version":${schemaVersion},"window":${window}}`
  const body = typeof classes === 'string' ? textDocument(classes) : classesDocument(classes)
  return {
    length: utf8Length(head) + body.length + utf8Length(tail),
    write: (sink) => {
      const writer = createByteWriter(sink)
      writeText(writer, head)
      body.write(writer)
      writeText(writer, tail)
      flush(writer)
    },
  }
}

function textDocument(text: string): ClassesDocument {
  return { length: utf8Length(text), write: (writer) => writeText(writer, text) }
}

interface Parts {
  readonly classes: CompactRecord | string
  readonly coverage: string
  readonly window: string
}

/** The texts of a record's members; one that was not made here goes through every check of a value. */
function readParts(record: unknown): Parts {
  if (isPlainObject(record) && Reflect.ownKeys(record).length === 3) {
    const classes = compactRecord(record) ?? objectText(record['classes'])
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
