// SPDX-License-Identifier: Apache-2.0
import { createDigest } from '../digest/create-digest.ts'
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import type { Graph, GraphInput } from '../graph/graph.ts'
import { collectBytes } from './byte-writer.ts'
import { canonicalForm, type Form } from './form.ts'
import { graphDocument } from './write-graph.ts'
import { readWriteOptions, type WriteOptions, type Writing, writingOf } from './write-options.ts'

/**
 * The canonical bytes of a graph: UTF-8 JSON without whitespace, the same for the same graph on
 * every host. Weights are not among them (see `sidecar`).
 *
 * @throws ConnectomeError `BEAM_ERR_CANON_REFUSED`: the options' fault, or `['uncanonical', reason]`
 * @see docs/connectome-canonical.md
 */
export function encode(graph: Graph | GraphInput, options?: WriteOptions): Uint8Array {
  const { form, writing } = readRequest(graph, options)
  return encodeForm(form, writing)
}

/**
 * The digest of a graph's canonical bytes in lower-case hexadecimal, without holding the bytes.
 *
 * @throws ConnectomeError as `encode`
 */
export function hashHex(graph: Graph | GraphInput, options?: WriteOptions): string {
  const { form, writing } = readRequest(graph, options)
  const digest = createDigest(writing.algorithm)
  graphDocument(form, writing).write((bytes) => digest.update(bytes))
  return digest.hex()
}

/**
 * Why a graph has no canonical bytes, as `['uncanonical', reason]`, or `null`. Writes nothing.
 *
 * @see docs/connectome-canonical.md, "Refusals"
 */
export function checkCanonical(graph: unknown): Reason | null {
  const read = canonicalForm(graph)
  return read.ok ? null : read.reason
}

export function encodeForm(form: Form, writing: Writing): Uint8Array {
  return collectBytes(graphDocument(form, writing))
}

/** Options first, then the graph, then whether the two fit. */
function readRequest(graph: unknown, options: unknown): { form: Form; writing: Writing } {
  const given = readWriteOptions(options)
  const form = requireForm(graph)
  return { form, writing: writingOf(given, form.graph.schemaVersion) }
}

/** @throws ConnectomeError `BEAM_ERR_CANON_REFUSED` with what `checkCanonical` answers */
export function requireForm(graph: unknown): Form {
  const read = canonicalForm(graph)
  if (!read.ok) throw new ConnectomeError(CONNECTOME_CODES.CANON, read.reason)
  return read.form
}
