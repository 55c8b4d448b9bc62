// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { writeFiles } from './fixture.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const own = join(root, 'packages/connectome')

const PEERS = ['oxc-parser', 'oxc-resolver']

describe('the parser and the resolver', () => {
  test('are optional peers, each at one version', () => {
    const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
    for (const peer of PEERS) {
      expect(manifest.peerDependencies[peer]).toMatch(/^\d+\.\d+\.\d+$/)
      expect(manifest.peerDependencies[peer]).toBe(manifest.devDependencies[peer])
      expect(manifest.peerDependenciesMeta[peer]).toEqual({ optional: true })
    }
  })

  test('are missed by the first build that needs one, and not before', () => {
    const folder = writeFiles({})
    const installed = join(folder, 'node_modules/@beam-mcp/connectome')
    compile(join(installed, 'dist'))
    cpSync(join(own, 'package.json'), join(installed, 'package.json'))
    const missing = run(folder)
    expect(missing).toEqual(['unavailable', 'oxc-parser'])
    const parser = join(folder, 'node_modules/oxc-parser')
    mkdirSync(parser, { recursive: true })
    writeFileSync(join(parser, 'package.json'), '{ "name": "oxc-parser", "main": "index.js" }')
    writeFileSync(join(parser, 'index.js'), 'exports.parseSync = () => {}')
    expect(run(folder)).toEqual(['unavailable', 'oxc-resolver'])
  })
})

function compile(to: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', own, '--noCheck', '--outDir', to, '--tsBuildInfoFile', join(to, 'info')]
  execFileSync(process.execPath, [tsc, ...options], { cwd: root })
}

/** The refusal of a build, by a process that loads the compiled subpath. */
function run(folder: string): unknown {
  const program = `import { buildDeclared } from '@beam-mcp/connectome/declared'
const scope = { entries: [${JSON.stringify(join(folder, 'main.js'))}], packages: [] }
const reason = await buildDeclared({ server: 's', scope }).catch((error) => error.reason)
console.log(JSON.stringify(reason))`
  const args = ['--input-type=module', '--eval', program]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))
}
