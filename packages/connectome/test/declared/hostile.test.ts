// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { build } from './fixture.ts'

const many = (text: string, times = 5_000): string => text.repeat(times)

/** Files that nest so deep that a reader which trusts its stack would end with it. */
const DEEP: Readonly<Record<string, string>> = {
  brackets: `x = ${many('(', 100_000)}1${many(')', 100_000)}`,
  lists: `x = ${many('[')}${many(']')}`,
  blocks: `${many('{')}${many('}')}`,
  negations: `x = ${many('!', 100_000)}1`,
  operators: `x = 1${many('+1', 400_000)}`,
  conditions: `x = ${many('a?b:')}c`,
  assignments: `${many('a=')}1`,
  arrows: `x = ${many('a=>')}1`,
  members: `x = a${many('.b', 100_000)}`,
  calls: `x = a${many('()')}`,
  statements: many('if(a)'.concat(''), 5_000).concat(';'),
}

describe('a declared build of hostile source', () => {
  test.each(Object.entries(DEEP))('reports %s that nest too deep', async (_name, text) => {
    const { bound } = await build({
      'main.js': `import './deep.cjs'\nfunction f() {}\nexport function run() { f() }`,
      'deep.cjs': text,
    })
    expect(bound.unparsed_modules).toMatchObject([{ module: 'app/deep.cjs', reason: 'too_deep' }])
  })

  test('reads long chains that nest nothing: operators, `else if`, statements', async () => {
    const chain = `export function run(a) {
  const text = ''${many(" + 'x'", 2_000)}
  ${many('if (a) f(); else ', 2_000)} f()
  return text
}
function f() {}
${many('f();', 20_000)}`
    const { bound, graph } = await build({ 'main.js': chain })
    expect(bound.unparsed_modules).toEqual([])
    expect(graph.size).toBe(2)
  })

  test('ends where a class extends what may be itself, and functions are bound to themselves', async () => {
    const { bound } = await build({
      'main.js': `let A = class { m() {} }
let B = class extends A {}
A = B
B = class extends B {}
let f = () => {}
f = f.bind(f)
const o = {}
o.o = o
Object.setPrototypeOf(o, o.o)
export function run() { new A().m(); new B().m(); f(); o.o.o.gone() }`,
    })
    expect(bound.unparsed_modules).toEqual([])
  })

  test('takes names of the language’s own objects for plain names', async () => {
    const { graph } = await build({
      'main.js': `export const o = { constructor() {}, __proto__() {}, toString() {}, hasOwnProperty() {} }
export function run() { o.constructor(); o.__proto__(); o.toString(); o.hasOwnProperty() }`,
    })
    expect(graph.size).toBe(4)
  })
})
