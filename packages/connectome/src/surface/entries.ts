// SPDX-License-Identifier: Apache-2.0

/** The graphs that a host can show of itself. */
export const SURFACE_GRAPHS = ['declared', 'diff', 'observed'] as const

export type SurfaceGraph = (typeof SURFACE_GRAPHS)[number]

/** One resource as a catalog lists it. */
export interface SurfaceEntry {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: 'application/json'
}

const TEXTS: Readonly<Record<SurfaceGraph, Pick<SurfaceEntry, 'title' | 'description'>>> = {
  declared: {
    title: 'What this server can do',
    description: 'The declared graph of this server, in canonical bytes.',
  },
  diff: {
    title: 'Where what it did differs from what it can do',
    description: 'The record of differences between the two graphs, in canonical bytes.',
  },
  observed: {
    title: 'What this server did',
    description: 'The observed graph of this server, in canonical bytes.',
  },
}

/** The three entries, sorted by uri. */
export const SURFACE_ENTRIES: readonly SurfaceEntry[] = SURFACE_GRAPHS.map((graph) =>
  Object.freeze({
    uri: `connectome://${graph}`,
    name: `connectome-${graph}`,
    ...TEXTS[graph],
    mimeType: 'application/json',
  }),
)

/** The graph that a uri names, or undefined. */
export function graphAt(uri: unknown): SurfaceGraph | undefined {
  return SURFACE_GRAPHS.find((graph) => uri === `connectome://${graph}`)
}
