// SPDX-License-Identifier: Apache-2.0
import { SURFACE_ENTRIES, type SurfaceEntry } from './entries.ts'
import { type NotFoundOutcome, orNotFound, orToolError, type ToolErrorOutcome } from './outcomes.ts'
import {
  callSurface,
  readSurface,
  type SurfaceAnswer,
  type SurfaceContents,
  type SurfaceParts,
} from './read-surface.ts'

/** A resource as `createCatalog` of `@beam-mcp/core` takes it. */
export interface SurfaceResource extends SurfaceEntry {
  readonly read: () => SurfaceContents | NotFoundOutcome
}

/** What a host lists in its own catalog. Nothing reaches the wire otherwise. */
export interface Surface {
  /** The three resources with their readers, sorted by uri. */
  readonly resources: () => readonly SurfaceResource[]
  /** What a reader answers for a uri; a refusal is "not found" with the reason as JSON text. */
  readonly read: (uri: string) => SurfaceContents | NotFoundOutcome
  /** What the handler of the one tool answers; a refusal is a result with `isError: true`. */
  readonly call: (args: unknown) => SurfaceAnswer | ToolErrorOutcome
}

/**
 * Makes the resources and the answers of a host's own catalog, whatever the transport.
 *
 * @see docs/connectome-observed.md, "Through the server's own endpoint"
 */
export function createSurface(parts: SurfaceParts): Surface {
  const read: Surface['read'] = (uri) => orNotFound(() => readSurface(uri, parts))
  return Object.freeze({
    read,
    call: (args: unknown) => orToolError(() => callSurface(args, parts)),
    resources: () =>
      SURFACE_ENTRIES.map((entry) => Object.freeze({ ...entry, read: () => read(entry.uri) })),
  })
}
