// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path'
import { buildDeclared } from '@beam-mcp/connectome/declared'
import { expect, test } from 'vitest'
import { writeFiles } from './fixture.ts'

const FILES = {
  'dist/a.js': '',
  'dist/deep/b.js': '',
  'dist/internal/c.js': '',
  'dist/readme.md': '',
  'dist/a.d.ts': '',
  'dist/node_modules/other/d.js': '',
  'src/e.js': '',
}

async function modulesOf(manifest: object): Promise<readonly string[]> {
  const text = JSON.stringify({ name: 'app', type: 'module', ...manifest })
  const folder = writeFiles({ ...FILES, 'package.json': text })
  const scope = { manifests: [join(folder, 'package.json')] }
  const { graph } = await buildDeclared({ server: 's', scope })
  return graph.nodes
    .filter(({ kind }) => kind === 'module')
    .map(({ id }) => decodeURIComponent(id.split('/')[2] ?? '').replace('app/', ''))
}

test('a pattern offers the source files of its folder that it fits, folders below too', async () => {
  const exports = { './*': { types: './dist/*.d.ts', default: './dist/*.js' } }
  expect(await modulesOf({ exports })).toEqual([
    'dist/a.js',
    'dist/deep/b.js',
    'dist/internal/c.js',
  ])
})

test('a file that another pattern or name withholds is not offered', async () => {
  const exports = { './*': './dist/*.js', './internal/*': null, './a': null }
  expect(await modulesOf({ exports })).toEqual(['dist/deep/b.js'])
})

test('what goes before and after the star has to fit', async () => {
  expect(await modulesOf({ exports: { './x/*': './dist/deep/*.js' } })).toEqual(['dist/deep/b.js'])
  expect(await modulesOf({ exports: { './*/b': './dist/*/b.js' } })).toEqual(['dist/deep/b.js'])
})

test.each([
  [['dist'], ['dist/a.js', 'dist/deep/b.js', 'dist/internal/c.js']],
  [['./dist/'], ['dist/a.js', 'dist/deep/b.js', 'dist/internal/c.js']],
  [['dist/*.js'], ['dist/a.js']],
  [['dist/**/*.js'], ['dist/a.js', 'dist/deep/b.js', 'dist/internal/c.js']],
  [
    ['dist', '!dist/internal'],
    ['dist/a.js', 'dist/deep/b.js'],
  ],
  [['src'], []],
])('of them `files` %j publishes %j', async (files, expected) => {
  expect(await modulesOf({ exports: { './*': './dist/*.js' }, files })).toEqual(expected)
})

test('a pattern that leads out of the package, or to no folder, offers nothing', async () => {
  const exports = { './*': './../*.js', './y/*': './none/*.js', './z/*': 'dist/*.js' }
  expect(await modulesOf({ exports })).toEqual([])
})
