// SPDX-License-Identifier: Apache-2.0
import { type Algorithm, isAlgorithm } from '../digest/digest.ts'
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import { isPlainObject, unknownKey } from '../graph/plain-object.ts'
import type { SchemaVersion } from '../graph/vocabulary.ts'

/** How bytes are written and hashed. */
export interface WriteOptions {
  /** 2 or 3. @default the graph's own; 2 for a diff record */
  readonly schemaVersion?: SchemaVersion
  /** The digest that version 3 names. Refused with version 2. @default 'sha256' */
  readonly algorithm?: Algorithm
}

/** Options that were checked, not yet joined with a graph's own version. */
export interface ReadOptions {
  readonly schemaVersion: SchemaVersion | undefined
  readonly algorithm: Algorithm | undefined
}

/** What is written: version 2 is always hashed with SHA-256 and does not name it. */
export interface Writing {
  readonly schemaVersion: SchemaVersion
  readonly algorithm: Algorithm
}

const KEYS = ['schemaVersion', 'algorithm']

export const refuse = (...reason: Reason): ConnectomeError =>
  new ConnectomeError(CONNECTOME_CODES.CANON, reason)

/**
 * @throws ConnectomeError `BEAM_ERR_CANON_REFUSED` with `['invalid', 'options', given]`,
 * `['unknown_option', key]`, `['invalid', 'schema_version' | 'algorithm', value]`
 */
export function readWriteOptions(options: unknown): ReadOptions {
  if (options === undefined) return { schemaVersion: undefined, algorithm: undefined }
  if (!isPlainObject(options)) throw refuse('invalid', 'options', options)
  const unknown = unknownKey(options, KEYS)
  if (unknown !== undefined) throw refuse('unknown_option', unknown)
  const { schemaVersion, algorithm } = options
  if (schemaVersion !== undefined && schemaVersion !== 2 && schemaVersion !== 3) {
    throw refuse('invalid', 'schema_version', schemaVersion)
  }
  if (algorithm !== undefined && !isAlgorithm(algorithm)) {
    throw refuse('invalid', 'algorithm', algorithm)
  }
  if (schemaVersion === 2 && algorithm !== undefined)
    throw refuse('invalid', 'algorithm', algorithm)
  return { schemaVersion, algorithm }
}

/** @throws ConnectomeError `['invalid', 'algorithm', name]` for one that version 2 cannot name */
export function writingOf(options: ReadOptions, own: SchemaVersion): Writing {
  const { schemaVersion = own, algorithm } = options
  if (schemaVersion === 2 && algorithm !== undefined)
    throw refuse('invalid', 'algorithm', algorithm)
  return { schemaVersion, algorithm: algorithm ?? 'sha256' }
}
