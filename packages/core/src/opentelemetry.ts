// SPDX-License-Identifier: Apache-2.0

// The subpath `@beam-mcp/core/opentelemetry`: it alone needs the peer `@opentelemetry/api`.
export {
  createOpenTelemetry,
  type OpenTelemetryOptions,
} from './opentelemetry/create-open-telemetry.ts'
export type { Instrument, RequestEnd, RequestStart } from './protocol/instrument.ts'
export type { TraceContext } from './protocol/trace-context.ts'
