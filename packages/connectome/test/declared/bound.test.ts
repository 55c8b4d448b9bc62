// SPDX-License-Identifier: Apache-2.0
import { UNRESOLVED_REASONS } from '@beam-mcp/connectome/declared'
import { describe, expect, test } from 'vitest'
import { build, callsOf, listedOf } from './fixture.ts'

const at = (line: number, column: number, name = 'run') => ({
  module: 'app/main.js',
  function: name,
  line,
  column,
})

describe('the bound of a declared build', () => {
  test('lists a call of a value that comes from outside, and one of its members that the scope has', async () => {
    const declared = await build({
      'main.js': `export const o = { known() {} }
export function run(x) {
  x()
  x.known()
  x.elsewhere()
}`,
    })
    expect(declared.bound.unresolved_calls).toEqual([
      { ...at(3, 2), reason: 'value' },
      { ...at(4, 2), reason: 'member' },
    ])
    expect(declared.bound.external_callees).toEqual([{ ...at(5, 2), package: '', callee: '' }])
    expect(callsOf(declared)).toEqual([])
  })

  test('lists a member that a computed name picks, and draws no edge for it', async () => {
    const declared = await build({
      'main.js': `const table = { a() {}, b() {} }
export function run(name) {
  table[name]()
}`,
    })
    expect(listedOf(declared)).toEqual(['main.js:3 computed_member'])
    expect(callsOf(declared)).toEqual([])
  })

  test('lists `eval` and `Function`, with and without `new`', async () => {
    const declared = await build({
      'main.js': `export function run(text) {
  eval(text)
  Function(text)
  return new Function(text)
}`,
    })
    const lines = [2, 3, 4].map((line) => `main.js:${line} eval`)
    expect(listedOf(declared)).toEqual(lines)
  })

  test.each([
    ['a class that extends it', 'class A extends (eval("1")) {}', 'new A(f)'],
    ['a class that extends a name of it', 'const t = eval("1"); class A extends t {}', 'new A(f)'],
    [
      'a class that extends a name of a name of it',
      'const t = eval("1"); const u = t; class A extends u {}',
      'new A(f)',
    ],
    [
      'a getter that answers it',
      'const t = eval("1"); const o = { get x() { return t } }',
      'o.x(f)',
    ],
    [
      'a function that answers it',
      'const t = eval("1"); const u = t; const g = () => u',
      'const y = g(); y(f)',
    ],
  ])('lists a call of what `eval` gave, through %s', async (_, before, call) => {
    const declared = await build({
      'main.js': `${before}\nfunction f() {}\nexport function run() {\n${call}\n}`,
    })
    expect(listedOf(declared)).toContain('main.js:4 value')
  })

  test('lists what emits to functions that were handed out', async () => {
    const declared = await build({
      'main.js': `import { EventEmitter } from 'node:events'
const bus = new EventEmitter()
function heard() {}
export function run() {
  bus.on('x', heard)
  bus.emit('x')
}`,
    })
    expect(listedOf(declared)).toEqual(['main.js:6 reentrant'])
    expect(callsOf(declared)).toEqual(['main.js#run -> main.js#heard'])
  })

  test('lists what calls a package that holds functions of the scope', async () => {
    const declared = await build({
      'main.js': `import make from 'elsewhere'
const box = make(() => {})
export function run() {
  box.open()
}`,
    })
    expect(listedOf(declared)).toEqual(['main.js:4 callback'])
  })

  test('lists a call that may lead to many functions', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const functions = names.map((name) => `function ${name}() {}`).join('\n')
    const declared = await build({
      'main.js': `${functions}
const all = [${names.join(', ')}]
export function run() {
  for (const one of all) one()
}`,
    })
    expect(listedOf(declared)).toEqual(['main.js:9 many_targets'])
  })

  test('lists a call of what never has a value', async () => {
    const declared = await build({ 'main.js': 'export function run() {\n  let f\n  f()\n}' })
    expect(listedOf(declared)).toEqual(['main.js:3 no_value'])
  })

  test('keeps both calls of a chain, which begin at one place', async () => {
    const declared = await build({ 'main.js': 'export function run(x) {\n  x()()\n}' })
    expect(listedOf(declared)).toEqual(['main.js:2 value', 'main.js:2 value'])
  })

  test('moves the calls of callers that the host vouches for to a list of their own', async () => {
    const files = {
      'main.js': 'export function run(x) { x() }\nexport function other(x) { x() }',
    }
    const one = await build(files, { dynamicAllowlist: ['app/main.js#run'] })
    expect(one.bound.allowlisted_calls).toEqual([{ ...at(1, 25), reason: 'value' }])
    expect(listedOf(one)).toEqual(['main.js:2 value'])
    const all = await build(files, { dynamicAllowlist: ['app/main.js'] })
    expect(all.bound.allowlisted_calls).toHaveLength(2)
    expect(all.bound.unresolved_calls).toEqual([])
  })

  test('names packages and modules of the platform that are called', async () => {
    const { bound } = await build({
      'main.js': `import { readFileSync } from 'node:fs'
import { f } from '@scope/lib/sub'
import whole from 'plain.lib'
export function run() {
  readFileSync('x')
  f()
  whole.a.b()
}`,
    })
    expect(bound.external_callees).toEqual([
      { ...at(5, 2), package: 'node:fs', callee: 'readFileSync' },
      { ...at(6, 2), package: '@scope/lib', callee: 'f' },
      { ...at(7, 2), package: 'plain.lib', callee: 'default.a.b' },
    ])
  })

  test('lists imports whose name only running tells', async () => {
    const { bound } = await build({
      'main.js': 'export async function run(name) {\n  return import(name)\n}',
    })
    expect(bound.dynamic_imports).toEqual([at(2, 9)])
    expect(bound.unresolved_calls).toEqual([])
  })

  test('lists names that lead to no source', async () => {
    const { bound } = await build({
      'main.js': `import './gone.js'\nimport './types.d.ts'\nimport data from './data.json'\nexport { data }`,
      'types.d.ts': 'export {}',
      'data.json': '{}',
    })
    expect(bound.modules_without_source).toEqual([
      { module: 'app/main.js', line: 1, column: 0, specifier: './gone.js' },
      { module: 'app/main.js', line: 2, column: 0, specifier: './types.d.ts' },
    ])
  })

  test('lists files that do not parse and goes on without them', async () => {
    const { bound, graph } = await build({
      'main.js': `import { f } from './bad.js'\nexport function run() { f() }`,
      'bad.js': 'export function f() {\n  ]',
    })
    expect(bound.unparsed_modules).toEqual([
      { module: 'app/bad.js', line: 2, column: 2, reason: 'syntax' },
    ])
    expect(bound.unresolved_calls).toEqual([{ ...at(2, 24), reason: 'value' }])
    expect(graph.nodes.map(({ id }) => id)).not.toContain('s/module/app%2Fbad.js')
  })

  test('is frozen, and its reasons are among those that are exported', async () => {
    const { bound } = await build({ 'main.js': 'export function run(x) { x() }' })
    for (const list of Object.values(bound)) {
      expect(Object.isFrozen(list)).toBe(true)
      for (const entry of list) expect(Object.isFrozen(entry)).toBe(true)
    }
    for (const { reason } of bound.unresolved_calls) expect(UNRESOLVED_REASONS).toContain(reason)
  })
})
