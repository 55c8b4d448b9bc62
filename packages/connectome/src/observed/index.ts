// SPDX-License-Identifier: Apache-2.0

// The subpath `@beam-mcp/connectome/observed`: what a running server did. Node only.
export { type Collector, createCollector, type Observe } from './collector.ts'
export type { CollectorOptions } from './options.ts'
export type { ObservedRow } from './rows.ts'
export type { EdgeLatency } from './snapshot.ts'
