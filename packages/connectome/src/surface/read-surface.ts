// SPDX-License-Identifier: Apache-2.0
import { encode, hashHex } from '../canonical/encode.ts'
import type { WriteOptions } from '../canonical/write-options.ts'
import { diff } from '../diff/diff.ts'
import { diffHashHex, encodeDiff } from '../diff/encode-diff.ts'
import type { DiffRecord } from '../diff/record.ts'
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import type { Graph, GraphInput } from '../graph/graph.ts'
import type { Labels } from '../graph/labels.ts'
import { isPlainObject } from '../graph/plain-object.ts'
import { graphAt, SURFACE_GRAPHS, type SurfaceGraph } from './entries.ts'

/** A value, or what answers it each time it is asked. */
export type Supplied<Value> = Value | (() => Value)

/** What the three graphs are made of. Only what the asked one needs is read. */
export interface SurfaceParts extends WriteOptions {
  readonly declared?: Supplied<Graph | GraphInput>
  readonly observed?: Supplied<Graph | GraphInput>
  /** What the host says of the time observed. */
  readonly window?: Supplied<Labels>
}

/** One item of a resource's contents. */
export interface SurfaceContents {
  readonly uri: string
  readonly mimeType: 'application/json'
  /** The canonical bytes, which are UTF-8. */
  readonly text: string
}

/**
 * What the tool answers: the name of the graph, its canonical bytes as text, and their digest in
 * lower-case hexadecimal under the algorithm's own name, `sha256` unless version 3 says otherwise.
 */
export interface SurfaceAnswer {
  readonly graph: SurfaceGraph
  readonly bytes: string
  readonly sha256?: string
  readonly sha384?: string
  readonly sha512?: string
}

const refuse = (...reason: Reason): ConnectomeError =>
  new ConnectomeError(CONNECTOME_CODES.SURFACE, reason)

/**
 * The contents of one of the three resources. Reading changes nothing.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_SURFACE` with `['unknown_uri', uri]` or `['missing', part]`;
 * refusals of the parts, of the diff and of the encoder as they are
 */
export function readSurface(uri: string, parts: SurfaceParts): SurfaceContents {
  const graph = graphAt(uri)
  if (graph === undefined) throw refuse('unknown_uri', uri)
  return { uri, mimeType: 'application/json', text: writeOf(graph, parts).text() }
}

/**
 * What the host's one `connectome` tool answers.
 *
 * @param args  `{ graph: 'declared' | 'diff' | 'observed' }`
 * @throws ConnectomeError `BEAM_ERR_GRAPH_SURFACE` with `['missing', 'graph']`, `['unknown_graph', x]` or
 * `['missing', part]`; refusals of the parts, of the diff and of the encoder as they are
 */
export function callSurface(args: unknown, parts: SurfaceParts): SurfaceAnswer {
  const given = isPlainObject(args) ? args['graph'] : undefined
  if (given === undefined) throw refuse('missing', 'graph')
  const graph = SURFACE_GRAPHS.find((one) => one === given)
  if (graph === undefined) throw refuse('unknown_graph', given)
  const { text, hash } = writeOf(graph, parts)
  return { graph, bytes: text(), [parts.algorithm ?? 'sha256']: hash() }
}

/** The digest of one of the three graphs in lower-case hexadecimal. */
export function hashSurface(graph: SurfaceGraph, parts: SurfaceParts): string {
  return writeOf(graph, parts).hash()
}

/** @throws ConnectomeError as `diff`; `['missing', 'window' | 'declared' | 'observed']`, in this order */
export function diffSurface(parts: SurfaceParts): DiffRecord {
  const window = partOf(parts, 'window')
  const declared = partOf(parts, 'declared')
  return diff(declared, partOf(parts, 'observed'), { window })
}

/** The two ways to write a graph or a record. */
interface Written {
  readonly text: () => string
  readonly hash: () => string
}

function writeOf(graph: SurfaceGraph, parts: SurfaceParts): Written {
  const { schemaVersion, algorithm } = parts
  const options: WriteOptions = {
    ...(schemaVersion !== undefined && { schemaVersion }),
    ...(algorithm !== undefined && { algorithm }),
  }
  if (graph === 'diff') {
    const record = diffSurface(parts)
    return {
      text: () => textOf(encodeDiff(record, options)),
      hash: () => diffHashHex(record, options),
    }
  }
  const given = partOf(parts, graph)
  return { text: () => textOf(encode(given, options)), hash: () => hashHex(given, options) }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

type Part = 'declared' | 'observed' | 'window'
type ValueOf<Name extends Part> = Exclude<SurfaceParts[Name], undefined | (() => unknown)>

/** The value of a part. @throws ConnectomeError `['missing', name]` */
export function partOf<Name extends Part>(parts: SurfaceParts, name: Name): ValueOf<Name> {
  const given: unknown = parts[name]
  const value: unknown = typeof given === 'function' ? given() : given
  if (value === undefined) throw refuse('missing', name)
  return value as ValueOf<Name> // what it is read for checks it
}
