// SPDX-License-Identifier: Apache-2.0

// The subpath `@beam-mcp/core/stdio`: the protocol over byte streams. It loads where Fastify is absent.
export { runStdio } from './stdio/run-stdio.ts'
export type { StdioOptions } from './stdio/stdio-options.ts'
