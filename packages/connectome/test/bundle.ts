// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** One script of a test's entry and the package's sources, the way a user's bundler makes one. */
export async function bundle(entry: string, platform: 'browser' | 'node'): Promise<string> {
  const { output } = await build({
    input: path(entry),
    platform,
    write: false,
    resolve: { alias: { '@beam-mcp/connectome': path('../src/index.ts') } },
    output: { format: 'esm', codeSplitting: false },
  })
  return output[0].code
}
