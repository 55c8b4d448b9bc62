// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import { copyLabels } from './labels.ts'
import type { GraphNode } from './node.ts'
import { isPlainObject, unknownKey } from './plain-object.ts'
import { isNodeKind, isNodeLevel } from './vocabulary.ts'

const KEYS = ['id', 'kind', 'level', 'labels']

/** A frozen copy of a node given as an object, or its first fault: id, kind, level, labels. */
export function readNode(fields: Readonly<Record<string, unknown>>): GraphNode | Reason {
  const unknown = unknownKey(fields, KEYS)
  if (unknown !== undefined) return ['unknown_key', unknown]
  const { id, kind, level, labels = {} } = fields
  if (typeof id !== 'string') return ['invalid', 'id', id]
  if (!isNodeKind(kind)) return ['invalid', 'kind', kind]
  if (!isNodeLevel(level)) return ['invalid', 'level', level]
  if (!isPlainObject(labels)) return ['invalid', 'labels', labels]
  return Object.freeze({ id, kind, level, labels: copyLabels(labels) })
}
