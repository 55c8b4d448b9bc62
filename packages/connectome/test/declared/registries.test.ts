// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { build, callsOf, listedOf } from './fixture.ts'

/** Modules `m0.js`, `m1.js` and so on of one source, and a list of what they export as `it`. */
function registry(count: number, source: string): { files: Record<string, string>; list: string } {
  const places = Array.from({ length: count }, (_, place) => place)
  const files = Object.fromEntries(places.map((place) => [`m${place}.js`, source]))
  const imports = places
    .map((place) => `import { it as i${place} } from './m${place}.js'`)
    .join(';')
  return { files, list: `${imports}; const all = [${places.map((place) => `i${place}`)}]` }
}

const targets = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, place) => `main.js#run -> m${place}.js#${name}`).sort()

const EACH = 'export function run() { for (const one of all) one.code() }'
const RECORD = 'export const it = { code() {} }'

describe('a call that may lead to many functions', () => {
  test('is drawn where they stand in many modules', async () => {
    const { files, list } = registry(6, RECORD)
    const declared = await build({ ...files, 'main.js': `${list}\n${EACH}` })
    expect(callsOf(declared)).toEqual(targets(6, 'it.code'))
    expect(listedOf(declared)).toEqual([])
  })

  test('is drawn and listed where outside code may add to them', async () => {
    const { files, list } = registry(6, 'export function it() {}')
    const main = `${list}
export function run() { for (const one of all) one() }
export function add(one) { all.push(one) }`
    const declared = await build({ ...files, 'main.js': main })
    expect(callsOf(declared)).toEqual(targets(6, 'it'))
    expect(listedOf(declared)).toEqual(['main.js:2 value'])
  })

  test('is drawn where one function holds more of them than of other values', async () => {
    const { files, list } = registry(30, 'export function it() {}')
    const main = `${list}\nexport function run() { for (const one of all) one() }`
    const declared = await build({ ...files, 'main.js': main })
    expect(callsOf(declared)).toEqual(targets(30, 'it'))
    expect(listedOf(declared)).toEqual([])
  })

  test('is drawn to a few and listed where they are of several packages', async () => {
    const { files, list } = registry(10, 'export function it() {}')
    const others = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
    const exported = others.map((name) => `export { ${name} } from './${name}.js'`).join('\n')
    const declared = await build(
      {
        ...files,
        ...Object.fromEntries(
          others.map((name) => [`node_modules/other/${name}.js`, `export function ${name}() {}`]),
        ),
        'node_modules/other/package.json': '{ "name": "other", "type": "module", "main": "it.js" }',
        'node_modules/other/it.js': exported,
        'main.js': `import { ${others} } from 'other'; ${list}; all.push(${others})
export function run() { for (const one of all) one() }`,
      },
      { packages: ['app', 'other'] },
    )
    expect(callsOf(declared)).toHaveLength(14)
    expect(listedOf(declared)).toEqual(['main.js:2 value'])
  })

  test('is listed alone where they stand in few modules', async () => {
    const { files, list } = registry(4, `${RECORD}\nexport const other = { code() {} }`)
    const more = `import { other as o0 } from './m0.js'; import { other as o1 } from './m1.js'`
    const main = `${list}; ${more}; all.push(o0, o1)\n${EACH}`
    const declared = await build({ ...files, 'main.js': main })
    expect(callsOf(declared)).toEqual([])
    expect(listedOf(declared)).toEqual(['main.js:2 many_targets'])
  })

  test('is listed alone where modules have more than two each', async () => {
    const source = 'function a() {} function b() {} function c() {}; export const it = [a, b, c]'
    const { files, list } = registry(6, source)
    const main = `${list}\nexport function run() { for (const one of all.flat()) one() }`
    const declared = await build({ ...files, 'main.js': main })
    expect(callsOf(declared)).toEqual([])
    expect(listedOf(declared)).toEqual(['main.js:2 many_targets'])
  })

  test('is drawn to as many where another function answers what is called', async () => {
    const { files, list } = registry(20, 'export function it() {}')
    const places = Array.from({ length: 20 }, (_, place) => place)
    const main = `${list}
let held
export function choose(k) { ${places.map((place) => `if (k === ${place}) held = i${place}`).join(';')} }
export function run() { held() }
export function get() { return held }`
    const declared = await build({ ...files, 'main.js': main })
    expect(callsOf(declared)).toEqual(targets(20, 'it'))
    expect(listedOf(declared)).toEqual([])
  })

  test('is drawn as one edge where all are nested in one function', async () => {
    const nested = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `() => '${name}'`)
    const declared = await build({
      'make.js': `export function make() { return [${nested}] }`,
      'main.js': `import { make } from './make.js'
export function run() { for (const one of make()) one() }`,
    })
    expect(callsOf(declared)).toEqual(['main.js#run -> make.js#make'])
    expect(listedOf(declared)).toEqual([])
  })
})

describe('a member of a registry that outside code may replace', () => {
  const REPLACED = 'export function set(it) { for (const one of all) one.code = it }'

  test('is drawn where each module has one', async () => {
    const { files, list } = registry(6, RECORD)
    const declared = await build({ ...files, 'main.js': `${list}\n${EACH}\n${REPLACED}` })
    expect(callsOf(declared)).toEqual(targets(6, 'it.code'))
    expect(listedOf(declared)).toEqual(['main.js:2 value'])
  })

  test('is listed alone where a module has two', async () => {
    const { files, list } = registry(6, `${RECORD}\nexport const other = { code() {} }`)
    const more = `import { other } from './m0.js'; all.push(other)`
    const main = `${list}; ${more}\n${EACH}\n${REPLACED}`
    const declared = await build({ ...files, 'main.js': main })
    expect(callsOf(declared)).toEqual([])
    expect(listedOf(declared)).toEqual(['main.js:2 many_targets'])
  })
})
