// SPDX-License-Identifier: Apache-2.0
// What the example does not ask of the connectome: reads that are counted, and digests of graphs and diffs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGraph, diff, diffHashHex, encodeDiff, hashHex } from '@beam-mcp/connectome'
import { buildDeclared, readFunctions } from '@beam-mcp/connectome/declared'
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
  await buildWritten()
}

/** Sources that the example has none of: what esbuild writes, descriptors, members by any name. */
const WRITTEN = `import './other.js'
var __defProp = Object.defineProperty
var __export = (target, all) => {
  for (var name in all) __defProp(target, name, { get: all[name], enumerable: true })
}
function f() {}
const space = {}
__export(space, { f: () => f })
const described = Object.create({ g() {} }, { f: { value: f } })
export function run(name) {
  space.f()
  described.f()
  const table = { f, run }
  table[name]()
}`

async function buildWritten(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'declared-cases-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{"name":"cases","type":"module"}')
    writeFileSync(join(folder, 'main.js'), WRITTEN)
    writeFileSync(join(folder, 'other.js'), '')
    const scope = { entries: [join(folder, 'main.js')], packages: ['cases'] }
    await buildDeclared({ server: 'cases', level: 'mfa', scope })
    await readFunctions(scope.entries)
  } finally {
    rmSync(folder, { recursive: true })
  }
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
