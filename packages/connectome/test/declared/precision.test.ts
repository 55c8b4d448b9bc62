// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest'
import { build, callsOf, listedOf } from './fixture.ts'

const TWO = `class A { m() {} }
class B { m() {} }
`

test.each([
  'Array.isArray(f)',
  '/x/.test(f)',
  'Reflect.ownKeys(f)',
  'JSON.stringify(f)',
  '[1].includes(f)',
  'Object.keys(f)',
  'String(f)',
  "'text'.startsWith(f)",
  'new TextEncoder().encode(f)',
])('a builtin that takes data calls no function it is given: %s', async (call) => {
  const declared = await build({
    'main.js': `function f() {}\nexport function run() { ${call} }`,
  })
  expect(callsOf(declared)).toEqual([])
  expect(listedOf(declared)).toEqual([])
})

test.each(['JSON.stringify({}, f)', 'JSON.parse(text, f)', '[1].map(f)', 'Array.from([1], f)'])(
  'one that calls it does: %s',
  async (call) => {
    const declared = await build({
      'main.js': `const text = '{}'\nfunction f() {}\nexport function run() { ${call} }`,
    })
    expect(callsOf(declared)).toEqual(['main.js#run -> main.js#f'])
  },
)

test('under `instanceof` a name holds instances of the class alone', async () => {
  const declared = await build({
    'main.js': `${TWO}function use(x) {
  if (x instanceof A) x.m()
}
export function run() { use(new A()); use(new B()) }`,
  })
  expect(callsOf(declared)).toEqual(['main.js#run -> main.js#use', 'main.js#use -> main.js#A.m'])
})

test('a class that extends the one asked for counts, and so does one that says so itself', async () => {
  const declared = await build({
    'main.js': `class A { m() {} }
class B extends A { m() {} }
class C { m() {} }
class D { static [Symbol.hasInstance]() { return true } }
function use(x) {
  if (x instanceof A) x.m()
  if (x instanceof D) x.m()
}
export function run() { use(new B()); use(new C()) }`,
  })
  expect(callsOf(declared)).toEqual([
    'main.js#run -> main.js#use',
    'main.js#use -> main.js#B.m',
    'main.js#use -> main.js#C.m',
  ])
})

test('what a name is given under the test stays with it there and after', async () => {
  const declared = await build({
    'main.js': `${TWO}function use(x) {
  if (x instanceof A) { x = new B(); x.m() }
  after(x)
}
function after(y) { y.m() }
export function run() { use(new A()) }`,
  })
  expect(callsOf(declared)).toContain('main.js#use -> main.js#B.m')
  expect(callsOf(declared)).toContain('main.js#after -> main.js#B.m')
  expect(callsOf(declared)).toContain('main.js#after -> main.js#A.m')
})

test('a name that a body replaces holds nothing of before from there on', async () => {
  const declared = await build({
    'main.js': `${TWO}function use(x) { x = new B(); x.m() }
export function run() { use(new A()) }`,
  })
  expect(callsOf(declared)).toEqual(['main.js#run -> main.js#use', 'main.js#use -> main.js#B.m'])
})

test.each([
  ['a function inside, written before', 'const set = () => { x = new A() }; x = new B(); set()'],
  ['a function inside, written after', 'x = new B(); const set = () => { x = new A() }; set()'],
  ['a declaration inside', 'x = new B(); set(); function set() { x = new A() }'],
  ['a branch', 'x = new B(); if (Math.random() > 2) x = new A()'],
  ['a `var` of the same name', 'x = new B(); if (Math.random() > 2) var x = new A()'],
  ['a loop around', 'for (const n of [1, 2]) { if (n === 2) x = new A(); else x = new B() }'],
])('a name that is also set by %s may hold both', async (_by, body) => {
  const declared = await build({
    'main.js': `${TWO}export function run(x) { ${body}; x.m() }`,
  })
  expect(callsOf(declared)).toContain('main.js#run -> main.js#A.m')
  expect(callsOf(declared)).toContain('main.js#run -> main.js#B.m')
})

test('a function inside sees all that a name ever holds', async () => {
  const declared = await build({
    'main.js': `${TWO}function use(x) { const later = () => x.m(); later(); x = new B(); later() }
export function run() { use(new A()) }`,
  })
  expect(callsOf(declared)).toContain('main.js#use -> main.js#A.m')
  expect(callsOf(declared)).toContain('main.js#use -> main.js#B.m')
})

test('a method that an instance may have replaced by anything is listed, not drawn', async () => {
  const declared = await build({
    'main.js': `class A {
  constructor(given) { this.m = given }
  m() {}
  go() { this.m() }
}
export function run(given) { new A(given).go() }`,
  })
  expect(callsOf(declared)).toEqual([
    'main.js#run -> main.js#A.constructor',
    'main.js#run -> main.js#A.go',
  ])
  expect(listedOf(declared)).toEqual(['main.js:4 value'])
})

test('a value that may be one of two known functions or another is listed, not drawn', async () => {
  const declared = await build({
    'main.js': `function f() {}
function g() {}
function use(it) { it() }
export function run(given) { use(f); use(g); use(given) }`,
  })
  expect(callsOf(declared)).toEqual(['main.js#run -> main.js#use'])
  expect(listedOf(declared)).toEqual(['main.js:3 value'])
})
