// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainSites } from '../../src/declared/sites.ts'
import { writeFiles } from './fixture.ts'

test('every call site has one verdict, and says where it leads', async () => {
  const text = `import { e } from 'elsewhere'
function f() {}
export function run(x) { f(); e(); [].pop(); x() }`
  const folder = writeFiles({ 'main.js': text })
  const scope = { entries: [join(folder, 'main.js')], packages: ['app'] }
  const { sites, functions } = await explainSites(scope)
  const said = sites.map(({ label, verdict, reason, targets }) => [
    ...[label, verdict, reason],
    targets.map((target) => `${target.module}#${target.function}/${target.arity}`).join(),
  ])
  expect(said).toEqual([
    ['f', 'edges', undefined, 'app/main.js#f/0'],
    ['e', 'external', undefined, ''],
    ['[].pop', 'builtin', undefined, ''],
    ['x', 'unresolved', 'value', ''],
  ])
  expect(functions.map(({ start, end }) => text.slice(start, end))).toEqual([
    'function f() {}',
    'function run(x) { f(); e(); [].pop(); x() }',
  ])
})
