// SPDX-License-Identifier: Apache-2.0
import { createEdge, type EdgeOptions, type GraphEdge } from './edge.ts'

/** An edge but for its kind. */
export type EdgeEnds = Omit<EdgeOptions, 'kind'>

/** A call: `from` runs `to`. */
export function invokeEdge(ends: EdgeEnds): GraphEdge {
  return createEdge({ ...ends, kind: 'invoke' })
}

/** A read: `from` takes content from `to`. */
export function readEdge(ends: EdgeEnds): GraphEdge {
  return createEdge({ ...ends, kind: 'read' })
}

/** A message: `from` sends to `to` and does not wait for a result. */
export function messageEdge(ends: EdgeEnds): GraphEdge {
  return createEdge({ ...ends, kind: 'message' })
}

/** Supervision: `from` starts, watches or stops `to`. */
export function superviseEdge(ends: EdgeEnds): GraphEdge {
  return createEdge({ ...ends, kind: 'supervise' })
}
