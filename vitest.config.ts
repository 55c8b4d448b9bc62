// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// Tests read the sources, so they need no build; each published subpath has its line here.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@beam-mcp\/core$/, replacement: from('packages/core/src/index.ts') },
      { find: /^@beam-mcp\/core\/server$/, replacement: from('packages/core/src/server.ts') },
      { find: /^@beam-mcp\/core\/stdio$/, replacement: from('packages/core/src/stdio.ts') },
      { find: /^@beam-mcp\/core\/redis$/, replacement: from('packages/core/src/redis.ts') },
      { find: /^@beam-mcp\/core\/testing$/, replacement: from('packages/core/src/testing.ts') },
      {
        find: /^@beam-mcp\/core\/json-schema$/,
        replacement: from('packages/core/src/json-schema.ts'),
      },
      {
        find: /^@beam-mcp\/core\/opentelemetry$/,
        replacement: from('packages/core/src/opentelemetry.ts'),
      },
      { find: /^@beam-mcp\/connectome$/, replacement: from('packages/connectome/src/index.ts') },
      {
        find: /^@beam-mcp\/connectome\/observed$/,
        replacement: from('packages/connectome/src/observed/index.ts'),
      },
      {
        find: /^@beam-mcp\/connectome\/tracer$/,
        replacement: from('packages/connectome/src/tracer/index.ts'),
      },
      {
        find: /^@beam-mcp\/connectome\/surface$/,
        replacement: from('packages/connectome/src/surface/index.ts'),
      },
      {
        find: /^@beam-mcp\/connectome\/fastify$/,
        replacement: from('packages/connectome/src/fastify/index.ts'),
      },
      {
        find: /^@beam-mcp\/connectome\/declared$/,
        replacement: from('packages/connectome/src/declared/index.ts'),
      },
      {
        find: /^@beam-mcp\/signer-ed25519$/,
        replacement: from('packages/signer-ed25519/src/index.ts'),
      },
    ],
  },
  test: {
    include: [
      'packages/*/test/**/*.test.ts',
      'examples/*/test/**/*.test.ts',
      'conformance/test/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    testTimeout: 20_000,
    coverage: { include: ['packages/*/src/**/*.ts'] },
  },
})
