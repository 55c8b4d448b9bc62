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
  words: `x = ${many('typeof ', 100_000)}1`,
  'words on lines of their own': `x = ${many('void\n', 100_000)}1`,
  'words between texts': `x = a${many(" in 'b'", 100_000)}`,
  'words between numbers': `x = 1${many(' in 1', 100_000)}`,
  makers: `x = ${many('new ', 100_000)}A`,
  'tests on lines of their own': `${many('if (a)\n', 100_000)};`,
  'members named as words': `x = a${many('\n.case', 100_000)}`,
  divisions: `x = a${many('/b', 100_000)}`,
  powers: `x = a${many('^b', 100_000)}`,
  'calls with commas': `x = a${many('(1,2)', 100_000)}`,
  'methods with commas': `x = a${many('.b(1,2)', 100_000)}`,
  templates: `x = ${many('`$'.concat('{'))}1${many('}`')}`,
  loops: `${many('for(;;)', 100_000)};`,
  labels: `${Array.from({ length: 7_900 }, (_, place) => `l${place}:`).join('')};`,
  'fewer tests': `${many('if(a)', 3_100)};`,
  'fewer conditions': `${many('while(a)', 3_100)};`,
  alternatives: `${many('if(a){}else ', 50_000)};`,
}

/** The same in files of other endings. */
const DEEP_OF_ENDING: Readonly<Record<string, string>> = {
  'types.ts': `let x: ${many('Array<', 3_000)}1${many('>', 3_000)}`,
  'lists of types.ts': `let x: a${many('[]', 3_900)}`,
  'operators of types.ts': `let x: ${many('keyof ', 100_000)}a`,
  'casts.ts': `let x = a${many(' as b', 100_000)}`,
  'markup.jsx': `x = ${many('<a>', 50_000)}${many('</a>', 50_000)}`,
  'markup on lines.tsx': `const x = ${many('<a>\n', 50_000)}${many('</a>', 50_000)}`,
  'generics with commas.ts': `let x: ${many('A<b,', 50_000)}c`,
}

describe('a declared build of hostile source', () => {
  test.each(Object.entries(DEEP))('reports %s that nest too deep', async (_name, text) => {
    const { bound } = await build({
      'main.js': `import './deep.cjs'\nfunction f() {}\nexport function run() { f() }`,
      'deep.cjs': text,
    })
    expect(bound.unparsed_modules).toMatchObject([{ module: 'app/deep.cjs', reason: 'too_deep' }])
  })

  test.each(Object.entries(DEEP_OF_ENDING))(
    'reports %s that nests too deep',
    async (name, text) => {
      const { bound } = await build({ 'main.js': `import './${name}'`, [name]: text })
      expect(bound.unparsed_modules).toMatchObject([{ module: `app/${name}`, reason: 'too_deep' }])
    },
  )

  test('reads long files that nest nothing', async () => {
    const files = {
      'lines.js': `export const f = () => {}\n${many('f(1, 2)\n', 20_000)}`,
      'cases.js': `switch (1) {${many('case 0x10:\n', 20_000)}}`,
      'exports.js': many('export * from "./lines.js"\n', 20_000),
      'patterns.js': `let x, y, a, b\n${many('x = /[(]\\(/; y = a/b\n', 20_000)}`,
      'templates.js': `let x, a, b\n${many('x = `$'.concat('{a}b$', '{`c`}`;\n'), 20_000)}`,
      'page.jsx': `export const x = <ul>${many('<li>one two three</li>\n', 20_000)}</ul>`,
      'map.jsx': `export const x = <svg>${many('<path id="a" d="M0 0" fill="red" stroke="blue" />\n', 20_000)}</svg>`,
      'types.ts': many('export type A = Array<string>\n', 20_000),
      'calls.ts': `function f<T>(x) {}\n${many('f<string>(1);\n', 20_000)}`,
      'tests.js': `let a, b, x\n${many('x = a < b;\n', 20_000)}`,
      'flat.js': `let a\n${many('if (a) { a(); } else if (1) { a(); } else { a(); }\n', 20_000)}`,
      'comparisons.js': `const a = 1, b = 2, x = () => a\n${many('x(a < b)\n', 20_000)}`,
      'loops.js': `let b\n${many('for (const a of b) { b(a); }\n', 20_000)}`,
      'functions.js': many('function a(){return 1}', 20_000),
    }
    const { bound } = await build({
      ...files,
      'main.js': Object.keys(files)
        .map((name) => `import './${name}'`)
        .join('\n'),
    })
    expect(bound.unparsed_modules).toEqual([])
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

  test.each([
    ['brackets', `x = ${many('(')}`, 4 + 1_500],
    ['words', 'é '.repeat(5_000), 2 * 3_000],
    ['words of two units', 'a𠮷 '.repeat(5_000), 4 * 3_000 + 1],
  ])('says where %s nest too deep, in lines and UTF-16 units', async (_, deep, column) => {
    const text = `/* ${'é𠮷'.repeat(500)}\n */ ;\n${deep}`
    const { bound } = await build({ 'main.js': text })
    expect(bound.unparsed_modules).toEqual([
      { module: 'app/main.js', reason: 'too_deep', line: 3, column },
    ])
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
