// SPDX-License-Identifier: Apache-2.0

// The subpath `@beam-mcp/connectome/surface`: what a host lists of its graphs in its own catalog.
export { SURFACE_GRAPHS, type SurfaceEntry, type SurfaceGraph } from './entries.ts'
export type { NotFoundOutcome, ToolErrorOutcome } from './outcomes.ts'
export {
  callSurface,
  readSurface,
  type Supplied,
  type SurfaceAnswer,
  type SurfaceContents,
  type SurfaceParts,
} from './read-surface.ts'
export { createSurface, type Surface, type SurfaceResource } from './surface.ts'
