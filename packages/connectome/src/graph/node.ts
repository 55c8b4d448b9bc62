// SPDX-License-Identifier: Apache-2.0
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import { copyLabels, type Labels } from './labels.ts'
import { type IdParts, type NodeIdentity, readIdentity, writeId } from './node-id.ts'
import { isPlainObject, unknownKey } from './plain-object.ts'
import { isNodeKind, isNodeLevel, type NodeKind, type NodeLevel } from './vocabulary.ts'

/** A node of a graph. Frozen when this library made it. */
export interface GraphNode {
  readonly id: string
  readonly kind: NodeKind
  readonly level: NodeLevel
  readonly labels: Labels
}

/** A node as given to `createGraph`: labels may be left out. */
export interface NodeInput {
  readonly id: string
  readonly kind: NodeKind
  readonly level: NodeLevel
  readonly labels?: Labels
}

export interface NodeOptions {
  readonly kind: NodeKind
  readonly level: NodeLevel
  readonly identity: NodeIdentity
  readonly labels?: Labels
}

const OPTIONS = ['kind', 'level', 'identity', 'labels']
const REQUIRED = ['kind', 'level', 'identity']

/**
 * A frozen node with the id of its identity.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_INVALID` with, in this order: `['invalid', 'opts', given]`,
 * `['unknown_key', key]`, `['missing', key]`, `['invalid', field, value]` for kind, level, labels,
 * identity (its tag is not the kind, or it does not fit the level)
 * @see docs/connectome.md, "Building nodes and edges"
 */
export function createNode(options: NodeOptions): GraphNode {
  const read = readNodeOptions(options)
  if (!read.ok) throw new ConnectomeError(CONNECTOME_CODES.GRAPH, read.reason)
  return read.node
}

type Read = { ok: true; node: GraphNode } | { ok: false; reason: Reason }

const refused = (...reason: Reason): Read => ({ ok: false, reason })

function readNodeOptions(options: unknown): Read {
  if (!isPlainObject(options)) return refused('invalid', 'opts', options)
  const unknown = unknownKey(options, OPTIONS)
  if (unknown !== undefined) return refused('unknown_key', unknown)
  const missing = REQUIRED.find((key) => options[key] === undefined)
  if (missing !== undefined) return refused('missing', missing)
  const { kind, level, identity, labels = {} } = options
  if (!isNodeKind(kind)) return refused('invalid', 'kind', kind)
  if (!isNodeLevel(level)) return refused('invalid', 'level', level)
  if (!isPlainObject(labels)) return refused('invalid', 'labels', labels)
  const read = readIdentity(identity)
  if (read === undefined || !fits(read, kind, level))
    return refused('invalid', 'identity', identity)
  const node = { id: writeId(read), kind, level, labels: copyLabels(labels) }
  return { ok: true, node: Object.freeze(node) }
}

/** Named things stand at any level; a module, a function and a boundary at their own only. */
function fits(identity: IdParts, kind: NodeKind, level: NodeLevel): boolean {
  const expected = identity.tag === 'boundary' ? 'module' : identity.tag
  return expected === kind && (identity.grain === 'named' || identity.grain === level)
}
