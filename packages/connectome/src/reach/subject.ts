// SPDX-License-Identifier: Apache-2.0
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import type { Compact } from '../graph/compact.ts'
import { admit, type Graph } from '../graph/graph.ts'
import { isPlainObject } from '../graph/plain-object.ts'

export const refuseReach = (...reason: Reason): ConnectomeError =>
  new ConnectomeError(CONNECTOME_CODES.REACH, reason)

/** What a question is asked of. A value that is no graph still answers what options are checked by. */
export interface Subject {
  /** Ids of the nodes of kind `server`. */
  readonly servers: () => readonly unknown[]
  readonly hasNode: (id: unknown) => boolean
  /** The number of edges, of whatever kind. */
  readonly size: number
  /** @throws ConnectomeError `['invalid_graph', reason]` */
  readonly require: () => Searchable
}

/** A graph and its columns. */
export interface Searchable {
  readonly graph: Graph
  readonly compact: Compact
}

export function subjectOf(value: unknown): Subject {
  const read = admit(value)
  if (!read.ok) return brokenSubject(value, read.reason)
  const { graph, compact } = read
  return {
    servers: () => graph.nodes.filter(({ kind }) => kind === 'server').map(({ id }) => id),
    hasNode: (id) => typeof id === 'string' && compact.index.has(id),
    size: graph.size,
    require: () => read,
  }
}

/** Options are judged before the graph is, so a bad graph is read as far as it goes. */
function brokenSubject(value: unknown, reason: Reason): Subject {
  const fields = isPlainObject(value) ? value : {}
  const nodes = listOf(fields['nodes']).filter(isPlainObject)
  const ids = new Set(nodes.map(({ id }) => id))
  return {
    servers: () => nodes.filter(({ kind }) => kind === 'server').map(({ id }) => id),
    hasNode: (id) => ids.has(id),
    size: listOf(fields['edges']).length,
    require: () => {
      throw refuseReach('invalid_graph', reason)
    },
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
