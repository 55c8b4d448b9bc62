// SPDX-License-Identifier: Apache-2.0
// What the example does not ask of the connectome: reads that are counted, and digests of graphs and diffs.
import { createGraph, diff, diffHashHex, encodeDiff, hashHex } from '@beam-mcp/connectome'
import { createCollector } from '@beam-mcp/connectome/observed'
import { driveCore } from './core-cases.ts'

export async function driveConnectome(): Promise<void> {
  const collector = createCollector({ server: 'cases', include: ['read'] })
  collector.start()
  await driveCore()
  const observed = collector.snapshot()
  collector.stop()
  const none = createGraph({ nodes: [], edges: [] })
  hashHex(none)
  const record = diff(none, observed, { window: { run: 'cases' } })
  encodeDiff(record)
  diffHashHex(record)
  diffHashHex({ ...record })
}
