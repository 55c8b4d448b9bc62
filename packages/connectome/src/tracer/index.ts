// SPDX-License-Identifier: Apache-2.0

// The subpath `@beam-mcp/connectome/tracer`: which modules called which, for a bounded time. Node only.
export type { TracerOptions } from './options.ts'
export type { TracedProcess } from './processes.ts'
export type { TracerEnd, TracerReason } from './run.ts'
export { startTracer, type Tracer } from './tracer.ts'
