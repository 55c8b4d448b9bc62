// SPDX-License-Identifier: Apache-2.0
import { createDigest } from '../digest/create-digest.ts'
import { type Algorithm, isAlgorithm } from '../digest/digest.ts'
import { isPlainObject, unknownKey } from '../graph/plain-object.ts'
import { valueText } from './value-text.ts'
import { refuse } from './write-options.ts'

export interface ValueOptions {
  /** What a refusal calls the value. @default 'record' */
  readonly field?: string
}

export interface HashValueOptions extends ValueOptions {
  /** The digest. @default 'sha256' */
  readonly algorithm?: Algorithm
}

/**
 * The canonical bytes of a plain object on its own, keys sorted by UTF-16 code units.
 *
 * @throws ConnectomeError `BEAM_ERR_CANON_REFUSED` with
 * `['uncanonical', ['label_value', 'record', field, value]]` for another value, or anything inside
 * @see docs/connectome-canonical.md, "Values"
 */
export function encodeValue(
  value: Readonly<Record<string, unknown>>,
  options: ValueOptions = {},
): Uint8Array {
  return toBytes(value, readOptions(options, ['field']).field)
}

/**
 * The digest of a value's canonical bytes in lower-case hexadecimal. A value with an `algorithm`
 * member must name the digest that is used.
 *
 * @throws ConnectomeError as `encodeValue`; `['invalid', 'algorithm', name]`
 */
export function hashValueHex(
  value: Readonly<Record<string, unknown>>,
  options: HashValueOptions = {},
): string {
  const { field, algorithm } = readOptions(options, ['field', 'algorithm'])
  if (isPlainObject(value) && Object.hasOwn(value, 'algorithm')) {
    if (value['algorithm'] !== algorithm) throw refuse('invalid', 'algorithm', value['algorithm'])
  }
  const digest = createDigest(algorithm)
  digest.update(toBytes(value, field))
  return digest.hex()
}

function toBytes(value: unknown, field: string): Uint8Array {
  const text = isPlainObject(value) ? valueText(value) : undefined
  if (text === undefined) throw refuse('uncanonical', ['label_value', 'record', field, value])
  return new TextEncoder().encode(text)
}

function readOptions(
  options: unknown,
  names: readonly string[],
): { field: string; algorithm: Algorithm } {
  if (!isPlainObject(options)) throw refuse('invalid', 'options', options)
  const unknown = unknownKey(options, names)
  if (unknown !== undefined) throw refuse('unknown_option', unknown)
  const { field = 'record', algorithm = 'sha256' } = options
  if (typeof field !== 'string') throw refuse('invalid', 'field', field)
  if (!isAlgorithm(algorithm)) throw refuse('invalid', 'algorithm', algorithm)
  return { field, algorithm }
}
