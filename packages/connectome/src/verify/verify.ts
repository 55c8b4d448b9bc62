// SPDX-License-Identifier: Apache-2.0
import { createDigest } from '../digest/create-digest.ts'
import { type Algorithm, isAlgorithm } from '../digest/digest.ts'
import { admit, type Graph } from '../graph/graph.ts'
import { isPlainObject, unknownKey } from '../graph/plain-object.ts'
import { SIGNS } from '../graph/vocabulary.ts'
import { type Cursor, expect, notCanonical, readString, skip, unverified } from './cursor.ts'
import { readLists } from './read-document.ts'

export interface VerifyOptions {
  /** The digest the bytes must have, in lower-case hexadecimal. */
  readonly hashHex?: string
}

/** What verified bytes say. */
export interface Verified {
  readonly schemaVersion: 1 | 2 | 3
  readonly algorithm: Algorithm
  /** `undefined` for version 1, whose signs are not those of a graph here. */
  readonly graph: Graph | undefined
}

const FIRST_SIGNS = ['allow', 'deny', 'hold', 'unknown']

/**
 * Reads canonical bytes of version 1, 2 or 3 and checks all of them: the digest, if one is given;
 * that they are the one canonical way to write their graph; the vocabulary of their version.
 * Nothing is corrected, translated or written.
 *
 * @throws ConnectomeError `BEAM_ERR_CANON_UNVERIFIED` with `['invalid', 'options' | 'bytes' | …]`,
 * `['unknown_option', key]`, `['not_utf8']`, `['not_canonical', position]`,
 * `['invalid', 'schema_version' | 'algorithm', value]`, `['hash_mismatch', given, computed]`,
 * `['invalid_graph', reason]`
 * @see docs/connectome-canonical.md, "Verifying"
 */
export function verify(bytes: Uint8Array, options: VerifyOptions = {}): Verified {
  const expected = readOptions(options)
  if (!(bytes instanceof Uint8Array)) throw unverified('invalid', 'bytes', bytes)
  const cursor: Cursor = { text: decode(bytes), at: 0 }
  const schemaVersion = readVersion(cursor)
  const algorithm = readAlgorithm(cursor, schemaVersion)
  if (expected !== undefined) requireHash(bytes, algorithm, expected)
  const lists = readLists(cursor, schemaVersion === 1 ? FIRST_SIGNS : SIGNS)
  if (schemaVersion === 1) return Object.freeze({ schemaVersion, algorithm, graph: undefined })
  const read = admit({ ...lists, schemaVersion })
  if (!read.ok) throw unverified('invalid_graph', read.reason)
  return Object.freeze({ schemaVersion, algorithm, graph: read.graph })
}

function readOptions(options: unknown): string | undefined {
  if (!isPlainObject(options)) throw unverified('invalid', 'options', options)
  const unknown = unknownKey(options, ['hashHex'])
  if (unknown !== undefined) throw unverified('unknown_option', unknown)
  const { hashHex } = options
  if (hashHex !== undefined && typeof hashHex !== 'string') {
    throw unverified('invalid', 'hash_hex', hashHex)
  }
  return hashHex
}

/** Bad UTF-8 is a fault, and a byte order mark is content. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unverified('not_utf8')
  }
}

function readVersion(cursor: Cursor): 1 | 2 | 3 {
  expect(cursor, '{"schema_version":')
  const digits = /0|[1-9]\d*/y
  digits.lastIndex = cursor.at
  const text = digits.exec(cursor.text)?.[0]
  if (text === undefined) throw notCanonical(cursor)
  cursor.at += text.length
  expect(cursor, ',')
  if (text === '1') return 1
  if (text === '2') return 2
  if (text === '3') return 3
  throw unverified('invalid', 'schema_version', Number(text))
}

/** Version 3 names its digest; the others have none to name and use SHA-256. */
function readAlgorithm(cursor: Cursor, schemaVersion: 1 | 2 | 3): Algorithm {
  const isNamed = skip(cursor, '"algorithm":')
  if (schemaVersion !== 3 && !isNamed) return 'sha256'
  const name = isNamed ? readString(cursor) : undefined
  if (schemaVersion !== 3 || !isAlgorithm(name)) throw unverified('invalid', 'algorithm', name)
  expect(cursor, ',')
  return name
}

function requireHash(bytes: Uint8Array, algorithm: Algorithm, expected: string): void {
  const digest = createDigest(algorithm)
  digest.update(bytes)
  const computed = digest.hex()
  if (computed !== expected) throw unverified('hash_mismatch', expected, computed)
}
