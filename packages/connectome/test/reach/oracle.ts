// SPDX-License-Identifier: Apache-2.0
import type { EdgeKind, Graph } from '@beam-mcp/connectome'

/** Every path that meets no node twice, as lists of ids: for graphs of a handful of nodes. */
export function simplePaths(
  graph: Graph,
  from: string,
  to: string,
  kinds: readonly EdgeKind[],
): string[][] {
  const extend = (path: readonly string[]): string[][] => {
    const last = path.at(-1)
    if (last === to) return [[...path]]
    const next = graph.edges.filter(
      (edge) => edge.from === last && kinds.includes(edge.kind) && !path.includes(edge.to),
    )
    return [...new Set(next.map((edge) => edge.to))].flatMap((node) => extend([...path, node]))
  }
  return extend([from])
}

/** The hops of a shortest path that touches no gate, found among all of them. */
export function shortestPath(
  graph: Graph,
  question: {
    readonly from: string
    readonly to: string
    readonly gates: readonly string[]
    readonly kinds: readonly EdgeKind[]
    readonly maxHops: number
  },
): number | undefined {
  const { from, to, gates, kinds, maxHops } = question
  const hops = simplePaths(graph, from, to, kinds)
    .filter((path) => !path.some((node) => gates.includes(node)))
    .map((path) => path.length - 1)
    .filter((count) => count <= maxHops)
  return hops.length === 0 ? undefined : Math.min(...hops)
}
