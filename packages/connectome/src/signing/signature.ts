// SPDX-License-Identifier: Apache-2.0
import { encodeForm, requireForm } from '../canonical/encode.ts'
import {
  readWriteOptions,
  refuse,
  type WriteOptions,
  writingOf,
} from '../canonical/write-options.ts'
import type { Algorithm } from '../digest/digest.ts'
import { CONNECTOME_CODES, ConnectomeError } from '../error.ts'
import type { Graph, GraphInput } from '../graph/graph.ts'
import { isPlainObject } from '../graph/plain-object.ts'

/**
 * How the bytes are written, what is noted of the signature, and whatever the signer itself asks
 * for. The signer gets this object as it was given.
 */
export interface SignatureOptions extends WriteOptions {
  /** The signature scheme, noted and not checked; known are `ed25519`, `ecdsa_p384_sha384`, `mldsa87`. */
  readonly scheme?: string
  /** What names the key, noted and not checked. */
  readonly keyId?: string
  readonly [own: string]: unknown
}

/** A signer's answer: the signature's bytes, plainly or as `ok`, or why there is none. */
export type SignerAnswer =
  | Uint8Array
  | { readonly ok: true; readonly signature: Uint8Array }
  | { readonly ok: false; readonly reason: unknown }

/** Code of the host that signs bytes. This package holds no key and signs nothing. */
export interface Signer<Answer = SignerAnswer | Promise<SignerAnswer>> {
  /** Noted in the result, so that a reader knows whom to ask. */
  readonly name?: string
  sign(bytes: Uint8Array, options: SignatureOptions): Answer
}

/** A signature and what it is of. */
export interface Signature {
  /** The digest the signed bytes name or, at version 2, are hashed with. */
  readonly algorithm: Algorithm
  readonly signature: Uint8Array
  readonly signer: string | null
  readonly scheme: string | null
  readonly keyId: string | null
}

/**
 * Hands exactly the canonical bytes of a graph to a signer of the host. A signer that answers a
 * promise gives a promise; one that throws, throws.
 *
 * @throws ConnectomeError as `encode`; `BEAM_ERR_CANON_UNSIGNED` with
 * `['signer', ['not_a_signer', given]]`, `['signer', reason]` of the signer's own, or
 * `['signer', ['not_a_signature', answer]]`
 * @see docs/connectome-canonical.md, "Signing"
 */
export function signature(
  graph: Graph | GraphInput,
  signer: Signer<SignerAnswer>,
  options?: SignatureOptions,
): Signature
export function signature(
  graph: Graph | GraphInput,
  signer: Signer<Promise<SignerAnswer>>,
  options?: SignatureOptions,
): Promise<Signature>
export function signature(
  graph: Graph | GraphInput,
  signer: Signer,
  options: SignatureOptions = {},
): Signature | Promise<Signature> {
  if (!isPlainObject(options)) throw refuse('invalid', 'options', options)
  const { schemaVersion, algorithm } = options
  const given = readWriteOptions({ schemaVersion, algorithm })
  const form = requireForm(graph)
  const writing = writingOf(given, form.graph.schemaVersion)
  if (!isSigner(signer)) throw unsigned(['not_a_signer', signer])
  const answer = signer.sign(encodeForm(form, writing), options)
  const read = (settled: unknown): Signature =>
    noteSignature(readAnswer(settled), writing.algorithm, signer, options)
  return isPromise(answer) ? Promise.resolve(answer).then(read) : read(answer)
}

/** The signer that has no key: always refused with `['signer', 'no_signer']`. */
export const noSigner: Signer<SignerAnswer> = Object.freeze({
  name: 'none',
  sign: () => ({ ok: false, reason: 'no_signer' }) as const,
})

const unsigned = (reason: unknown): ConnectomeError =>
  new ConnectomeError(CONNECTOME_CODES.SIGNATURE, ['signer', reason])

function isSigner(value: unknown): value is Signer {
  return typeof value === 'object' && value !== null && 'sign' in value && isFunction(value.sign)
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

function isPromise(value: SignerAnswer | Promise<SignerAnswer>): value is Promise<SignerAnswer> {
  return value !== null && typeof value === 'object' && 'then' in value && isFunction(value.then)
}

function readAnswer(answer: unknown): Uint8Array {
  if (answer instanceof Uint8Array) return answer
  if (isPlainObject(answer) && answer['ok'] === false) throw unsigned(answer['reason'])
  const bytes = isPlainObject(answer) && answer['ok'] === true ? answer['signature'] : answer
  if (bytes instanceof Uint8Array) return bytes
  throw unsigned(['not_a_signature', bytes])
}

function noteSignature(
  bytes: Uint8Array,
  algorithm: Algorithm,
  signer: Signer,
  options: SignatureOptions,
): Signature {
  const { scheme, keyId } = options
  return Object.freeze({
    algorithm,
    signature: bytes,
    signer: signer.name ?? null,
    scheme: scheme ?? null,
    keyId: keyId ?? null,
  })
}
