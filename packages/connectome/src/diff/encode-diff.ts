// SPDX-License-Identifier: Apache-2.0
import {
  type ByteSink,
  collectBytes,
  createByteWriter,
  flush,
  writeText,
} from '../canonical/byte-writer.ts'
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
import { writeClasses } from './write-record.ts'

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
  const { sink, bytes } = collectBytes(FIRST_GUESS)
  writeRecord(record, writing, sink)
  return bytes()
}

const FIRST_GUESS = 1 << 16

/**
 * The digest of a diff record's canonical bytes in lower-case hexadecimal, without holding the bytes.
 *
 * @throws ConnectomeError as `encodeDiff`
 */
export function diffHashHex(record: DiffRecord, options?: WriteOptions): string {
  const writing = writingOf(readWriteOptions(options), 2)
  const digest = createDigest(writing.algorithm)
  writeRecord(record, writing, (bytes) => digest.update(bytes))
  return digest.hex()
}

function writeRecord(record: DiffRecord, writing: Writing, sink: ByteSink): void {
  const { schemaVersion, algorithm } = writing
  const named = schemaVersion === 3 ? `"algorithm":"${algorithm}",` : ''
  const { classes, coverage, window } = readParts(record)
  const writer = createByteWriter(sink)
  writeText(writer, `{${named}"classes":`)
  if (typeof classes === 'string') writeText(writer, classes)
  else writeClasses(classes, writer)
  writeText(writer, `,"coverage":${coverage},"schema_version":${schemaVersion},"window":${window}}`)
  flush(writer)
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
