// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import { copyLabels } from './labels.ts'
import type { GraphNode } from './node.ts'
import { isPlainObject, unknownKey } from './plain-object.ts'
import { isNodeKind, isNodeLevel } from './vocabulary.ts'

const KEYS = ['id', 'kind', 'level', 'labels']

type Read =
  | { readonly ok: true; readonly node: GraphNode }
  | { readonly ok: false; readonly reason: Reason }

/** A frozen copy of a node given as an object, or its first fault: id, kind, level, labels. */
export function readNode(fields: Readonly<Record<string, unknown>>): Read {
  const unknown = unknownKey(fields, KEYS)
  if (unknown !== undefined) return refused('unknown_key', unknown)
  const { id, kind, level, labels = {} } = fields
  if (typeof id !== 'string') return refused('invalid', 'id', id)
  if (!isNodeKind(kind)) return refused('invalid', 'kind', kind)
  if (!isNodeLevel(level)) return refused('invalid', 'level', level)
  if (!isPlainObject(labels)) return refused('invalid', 'labels', labels)
  return { ok: true, node: Object.freeze({ id, kind, level, labels: copyLabels(labels) }) }
}

const refused = (...reason: Reason): Read => ({ ok: false, reason })
