// SPDX-License-Identifier: Apache-2.0

// The subpath `@beam-mcp/connectome/fastify`: the graphs of an application as a Fastify v5 plugin.
export type { ConnectomeOptions, DeclaredGraph } from './options.ts'
export { type AppConnectome, connectome, connectome as default } from './plugin.ts'
