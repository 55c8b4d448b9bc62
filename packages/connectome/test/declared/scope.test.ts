// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path'
import { encode } from '@beam-mcp/connectome'
import { buildDeclared } from '@beam-mcp/connectome/declared'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { build, callsOf, type Files, writeFiles } from './fixture.ts'

const FILES: Files = {
  'main.js': `import { f } from './lib/f.js'
import { g } from 'dep'
export function run() { f(); g() }`,
  'lib/f.js': `import { h } from './h.js'\nexport function f() { h() }`,
  'lib/h.js': 'export function h() {}',
  'lib/stray.js': 'export function stray() {}',
  'node_modules/dep/package.json':
    '{ "name": "dep", "main": "in/dex.js", "exports": "./in/dex.js" }',
  'node_modules/dep/in/dex.js': 'exports.g = function () { inner() }\nfunction inner() {}',
}

const ids = (declared: Awaited<ReturnType<typeof build>>): string[] =>
  declared.graph.nodes.map(({ id }) => id)

describe('the scope of a declared build', () => {
  test('is what the entries lead to within the packages that are named', async () => {
    const alone = await build(FILES, { level: 'module' })
    expect(ids(alone)).toEqual([
      's/module/app%2Flib%2Ff.js',
      's/module/app%2Flib%2Fh.js',
      's/module/app%2Fmain.js',
      's/server',
    ])
    const both = await build(FILES, { level: 'module', packages: ['app', 'dep'] })
    expect(callsOf(both)).toEqual([
      'lib/f.js -> lib/h.js',
      'main.js -> lib/f.js',
      'main.js -> dep/in/dex.js',
    ])
  })

  test('holds an entry whose package is not named, and nothing that it leads to', async () => {
    const declared = await build(FILES, { level: 'module', packages: ['dep'] })
    expect(ids(declared)).toEqual([
      's/module/app%2Fmain.js',
      's/module/dep%2Fin%2Fdex.js',
      's/server',
    ])
  })

  test('is what a manifest names, and what that leads to', async () => {
    const manifest = {
      name: 'app',
      type: 'module',
      exports: { '.': { types: './x.d.ts', default: './main.js' }, './h': './lib/h.js' },
      bin: { tool: 'bin.js' },
    }
    const folder = writeFiles({
      ...FILES,
      'bin.js': 'export {}',
      'package.json': JSON.stringify(manifest),
    })
    const scope = { manifests: [join(folder, 'package.json')] }
    const declared = await buildDeclared({ server: 's', scope })
    expect(ids(declared)).toEqual([
      's/module/app%2Fbin.js',
      's/module/app%2Flib%2Ff.js',
      's/module/app%2Flib%2Fh.js',
      's/module/app%2Fmain.js',
      's/server',
    ])
  })

  test('groups modules by package, and what is called outside too', async () => {
    const declared = await build(FILES, { level: 'boundary' })
    expect(declared.graph.edges.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      's/boundary/application/app -> s/boundary/application/dep',
    ])
    expect(declared.bound.sources_used).toEqual(['application', 'source'])
  })

  test('draws calls of several modules into one package as one edge', async () => {
    const files = {
      ...FILES,
      'lib/f.js': "import { g } from 'dep'\nexport function f() { g() }",
    }
    const expected = ['s/boundary/application/app -> s/boundary/application/dep']
    for (const packages of [['app'], ['app', 'dep']]) {
      const { graph } = await build(files, { level: 'boundary', packages })
      expect(graph.edges.map(({ from, to }) => `${from} -> ${to}`)).toEqual(expected)
    }
    const boundaries = { 'app/': 'all', 'dep/': 'other' }
    const { graph } = await build(files, {
      level: 'boundary',
      packages: ['app', 'dep'],
      boundaries,
    })
    expect(graph.edges.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      's/boundary/boundary_module/all -> s/boundary/boundary_module/other',
    ])
  })

  test('groups modules by the map of the host, and lists what it leaves out', async () => {
    const boundaries = { 'app/lib/': 'library', 'app/lib/h.js': 'core' }
    const { graph, bound } = await build(FILES, { level: 'boundary', boundaries })
    expect(graph.edges.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      's/boundary/boundary_module/library -> s/boundary/boundary_module/core',
    ])
    expect(bound.ungrouped_modules).toEqual(['app/main.js'])
    expect(bound.ungrouped_calls).toEqual([
      { module: 'app/main.js', function: 'run', line: 3, column: 24, to: 'app/lib/f.js' },
    ])
    expect(bound.sources_used).toEqual(['boundary_map', 'source'])
  })

  test('has the same bytes and the same bound in whatever order entries are named', async () => {
    const folder = writeFiles(FILES)
    const entries = ['main.js', 'lib/f.js', 'lib/h.js', 'lib/stray.js'].map((path) =>
      join(folder, path),
    )
    const outcome = async (order: readonly string[]): Promise<string> => {
      const scope = { entries: order, packages: ['dep', 'app'] }
      const { graph, bound } = await buildDeclared({ server: 's', level: 'mfa', scope })
      return new TextDecoder().decode(encode(graph)) + JSON.stringify(bound)
    }
    const first = await outcome(entries)
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(entries, { minLength: entries.length }),
        async (order) => {
          expect(await outcome(order)).toBe(first)
        },
      ),
      { numRuns: 12 },
    )
  })

  test('finds every call of generated chains of imports, however they are re-exported', async () => {
    const step = fc.constantFrom('call', 'star', 'named', 'namespace', 'default')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const files: Record<string, string> = {
          'end.js': 'export function f() {}\nexport default f',
        }
        let next = './end.js'
        steps.forEach((kind, place) => {
          const path = `./m${place}.js`
          files[path] = MODULES[kind](next)
          next = path
        })
        files['main.js'] = `import { f } from '${next}'\nexport function run() { f() }`
        const calls = callsOf(await build(files))
        const last = steps.lastIndexOf('call')
        expect(calls).toContain(`main.js#run -> ${last < 0 ? 'end.js' : `m${last}.js`}#f`)
        expect(calls).toHaveLength(steps.filter((kind) => kind === 'call').length + 1)
      }),
      { numRuns: 25 },
    )
  })
})

/** Modules that offer `f`, and as default, of the next one. */
const MODULES = {
  call: (next: string) => `import g from '${next}'\nexport function f() { g() }\nexport default f`,
  star: (next: string) => `export * from '${next}'\nexport { default } from '${next}'`,
  named: (next: string) => `import { f as g } from '${next}'\nexport { g as f, g as default }`,
  namespace: (next: string) =>
    `import * as all from '${next}'\nexport const f = all.f\nexport default f`,
  default: (next: string) => `import g from '${next}'\nexport { g as f }\nexport default g`,
}
