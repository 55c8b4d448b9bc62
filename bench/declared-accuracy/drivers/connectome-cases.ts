// SPDX-License-Identifier: Apache-2.0
// What the example does not ask of the connectome: reads that are counted, and digests of graphs and diffs.
import { createGraph, diff, diffHashHex, encodeDiff, hashHex } from '@beam-mcp/connectome'
import { buildDeclared } from '@beam-mcp/connectome/declared'
import { createCollector } from '@beam-mcp/connectome/observed'
import { driveCore } from './core-cases.ts'

const SHA_512 = { schemaVersion: 3, algorithm: 'sha512' } as const

export async function driveConnectome(app: string): Promise<void> {
  await driveCore() // nobody listens yet
  const collector = createCollector({ server: 'cases', include: ['read'] })
  collector.start()
  await driveCore()
  const observed = collector.snapshot()
  collector.stop()
  const none = createGraph({ nodes: [], edges: [] })
  hashHex(none)
  hashHex(none, SHA_512)
  const record = diff(none, observed, { window: { run: 'cases' } })
  encodeDiff(record)
  diffHashHex(record)
  diffHashHex(record, SHA_512)
  diffHashHex({ ...record })
  withoutNodeCrypto(() => {
    for (const options of [undefined, SHA_512]) {
      hashHex(none, options)
      diffHashHex(record, options)
    }
  })
  const scope = { entries: [app], packages: ['beam-mcp-example-drift'] }
  await buildDeclared({ server: 'cases', level: 'mfa', scope })
}

/** Runs something as on a page, where nothing of Node's is at hand. */
function withoutNodeCrypto(run: () => void): void {
  const { getBuiltinModule } = process
  Object.defineProperty(process, 'getBuiltinModule', { value: undefined, configurable: true })
  try {
    run()
  } finally {
    Object.defineProperty(process, 'getBuiltinModule', {
      value: getBuiltinModule,
      configurable: true,
    })
  }
}
