// SPDX-License-Identifier: Apache-2.0
import type { DeclaredLevel } from '@beam-mcp/connectome/declared'
import { describe, expect, test } from 'vitest'
import { build, callsOf, listedOf } from './fixture.ts'

const SIX = 'abcdef'.split('')
const six = (prefix: string): string => SIX.map((name) => `${prefix}${name}`).join(', ')

async function seen(files: Record<string, string>, level: DeclaredLevel) {
  const declared = await build(files, { level })
  return { calls: callsOf(declared), listed: listedOf(declared) }
}

describe('a call of many functions of few modules', () => {
  const lib = `${SIX.map((name) => `export function ${name}() {}`).join('\n')}`
  const files = {
    'lib.js': lib,
    'main.js': `import { ${six('')} } from './lib.js'
const all = [${six('')}]
export function run(one = all[0]) { all[0]() }`,
  }

  test('is listed where functions are the nodes', async () => {
    expect(await seen(files, 'mfa')).toEqual({ calls: [], listed: ['main.js:3 many_targets'] })
  })

  test('is drawn where modules are', async () => {
    expect(await seen(files, 'module')).toEqual({ calls: ['main.js -> lib.js'], listed: [] })
  })

  test('is drawn between packages too', async () => {
    const inPackage = {
      'node_modules/p/package.json': '{ "name": "p", "type": "module", "exports": "./p.js" }',
      'node_modules/p/p.js': lib,
      'main.js': files['main.js'].replace('./lib.js', 'p'),
    }
    const options = { level: 'boundary', packages: ['app', 'p'] } as const
    const { graph, bound } = await build(inPackage, options)
    const ends = graph.edges.map(({ from, to }) => [from, to].map((id) => id.split('/').at(-1)))
    expect(ends).toEqual([['app', 'p']])
    expect(bound.unresolved_calls).toEqual([])
  })
})

describe('a call that leads into the scope and out of it', () => {
  const outside = {
    'node_modules/x/package.json': '{ "name": "x", "type": "module", "exports": "./x.js" }',
    'node_modules/x/x.js': 'export const f = () => {}; export const each = () => {}',
  }
  const imports = "import { each, f } from 'x'\nimport { readFileSync } from 'node:fs'"
  const ends = ({ graph }: Awaited<ReturnType<typeof build>>): string[] =>
    graph.edges.map(({ from, to }) => `${from.split('/').at(-1)} -> ${to.split('/').at(-1)}`)

  test.each([
    ['is one of two', 'const all = [a, f]\nexport function run() { all[0]() }', 'x f'],
    ['is handed a function', 'export function run() {\n each(a) }', 'x each'],
    ['may be of the platform', 'const all = [a, readFileSync]\nall[0]()', 'node:fs readFileSync'],
  ])('is told as both where it %s', async (_, code, told) => {
    const files = { ...outside, 'main.js': `${imports}\nfunction a() {}\n${code}` }
    const declared = await build(files)
    expect(callsOf(declared)).toHaveLength(1)
    expect(listedOf(declared)).toEqual([])
    const [call, ...others] = declared.bound.external_callees
    expect([`${call?.package} ${call?.callee}`, call?.line, others]).toEqual([told, 5, []])
    const packages = await build(files, { level: 'boundary' })
    expect(ends(packages)).toEqual(told.startsWith('x') ? ['app -> x'] : [])
  })

  test('where it leads to many functions of one module beside', async () => {
    const files = {
      ...outside,
      'lib.js': SIX.map((name) => `export function ${name}() {}`).join('\n'),
      'main.js': `import { f as other } from 'x'
import { ${six('')} } from './lib.js'
const all = [${six('')}, other]
export function run() { all[0]() }`,
    }
    const declared = await build(files, { level: 'module' })
    expect(callsOf(declared)).toEqual(['main.js -> lib.js'])
    expect(declared.bound.external_callees).toMatchObject([{ package: 'x', callee: 'f', line: 4 }])
    expect(ends(await build(files, { level: 'boundary' }))).toEqual(['app -> x'])
  })
})

describe('a value that may be unknown', () => {
  const use = 'function use(f) { f() }\nexport function run(f) { use(a); use(b); use(f) }'

  test('is taken to be of the one module where all that is known of it stands', async () => {
    const files = {
      'lib.js': 'export function a() {}\nexport function b() {}',
      'main.js': `import { a, b } from './lib.js'\n${use}`,
    }
    const run = ['main.js#run -> main.js#use']
    expect(await seen(files, 'mfa')).toEqual({ calls: run, listed: ['main.js:2 value'] })
    expect(await seen(files, 'module')).toEqual({
      calls: ['main.js -> lib.js'],
      listed: ['main.js:2 value'],
    })
  })

  test.each([
    ['two others', `import { b } from './other.js'`],
    ['another and this one', 'function b() {}'],
  ])('is drawn to none of %s', async (_, second) => {
    const files = {
      'lib.js': 'export function a() {}',
      'other.js': 'export function b() {}',
      'main.js': `import { a } from './lib.js'; ${second}\n${use}`,
    }
    expect(await seen(files, 'module')).toEqual({ calls: [], listed: ['main.js:2 value'] })
  })
})

describe('a call of what a loop goes through', () => {
  const made = (loop: string): Record<string, string> => ({
    'main.js': `function a() {}
function b() {}
const all = [a, b]
export function add(f) { all.push(f) }
export function run() { ${loop} }`,
  })
  const BOTH = ['main.js#run -> main.js#a', 'main.js#run -> main.js#b']

  test('calls each of them, those that outside code adds beside them', async () => {
    const { calls, listed } = await seen(made('for (const f of all) f()'), 'mfa')
    expect(calls).toEqual(BOTH)
    expect(listed).toEqual(['main.js:5 value'])
  })

  test.each([
    ['one picked', 'const f = all[0]; f()'],
    ['a name that something else may be given', 'for (let f of all) { f = all[0]; f() }'],
    ['what a name of the loop holds', 'for (const [f] of [all]) f()'],
    ['a list of one', 'for (const f of [all[0]]) f()'],
    ['what a call answers', 'for (const f of all.slice(0, 1)) f()'],
    ['a name of the loop that another hides', 'for (const f of all) { const f = all[0]; f() }'],
  ])('is none for %s', async (_, loop) => {
    const { calls, listed } = await seen(made(loop), 'mfa')
    expect(calls).toEqual([])
    expect(listed).toEqual(['main.js:5 value'])
  })

  test('draws none of more than four', async () => {
    const files = {
      'main.js': `${SIX.map((name) => `function ${name}() {}`).join('; ')}
const all = [${six('')}]
export function add(f) { all.push(f) }
export function run() { for (const f of all) f() }`,
    }
    expect(await seen(files, 'mfa')).toEqual({ calls: [], listed: ['main.js:4 many_targets'] })
  })
})

describe('a member of what is known in part', () => {
  const uses = `const kinds = { a: new A(), b: new B() }
export function add(name, kind) { kinds[name] = kind }; export const other = { go() {} }
export function run(name) { kinds[name].go() }`
  const written = (name: string): string => `export class ${name} { go() {} }`
  const listed = ['main.js:4 member']

  test('is drawn to each that is of a module of its own', async () => {
    const files = {
      'lib.js': written('A'),
      'other.js': written('B'),
      'main.js': `import { A } from './lib.js'; import { B } from './other.js'\n${uses}`,
    }
    const calls = ['main.js#run -> lib.js#A.go', 'main.js#run -> other.js#B.go']
    expect(await seen(files, 'mfa')).toEqual({ calls, listed })
  })

  test('is drawn to none of several of one module, and to that module', async () => {
    const files = {
      'lib.js': `${written('A')}\n${written('B')}`,
      'main.js': `import { A, B } from './lib.js'\n${uses}`,
    }
    expect(await seen(files, 'mfa')).toEqual({ calls: [], listed })
    expect(await seen(files, 'module')).toEqual({ calls: ['main.js -> lib.js'], listed })
  })

  test('is drawn to the only one that is known', async () => {
    const files = {
      'lib.js': `${written('A')}\nexport class B {}`,
      'main.js': `import { A, B } from './lib.js'\n${uses}`,
    }
    expect(await seen(files, 'mfa')).toEqual({ calls: ['main.js#run -> lib.js#A.go'], listed })
  })
})
