// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { functionNode } from '@beam-mcp/connectome'
import {
  buildDeclared,
  type FunctionPlace,
  type ModuleFunctions,
  readFunctions,
} from '@beam-mcp/connectome/declared'
import { describe, expect, test } from 'vitest'
import { wrong } from '../refusal.ts'
import { type Files, writeFiles } from './fixture.ts'

const SOURCE = `import { given } from './lib.cjs'
const arrow = (a, b = given()) => a + b
export default async function () {}
class Base { static made = arrow(1); kept = arrow(2); ['at' + arrow(3)] = 4 }
export class Shop extends Base {
  constructor(a, b) { super(); this.all = [a, b].map((one) => one) }
  #take(order) { return order }
  get [Symbol.toStringTag]() { return 'Shop' }
  static { arrow(4) }
}
export const handlers = { pay(order) { return order }, refund: (order) => order }
export function outer() { return class { kept = () => 1 } }
`
const FILES: Files = { 'main.js': SOURCE, 'lib.cjs': 'exports.given = () => 1\n' }

async function readOne(files: Files, path: string): Promise<ModuleFunctions> {
  const { modules } = await readFunctions([join(writeFiles(files), path)])
  if (modules[0] === undefined) throw new Error('nothing was read')
  return modules[0]
}

/** What stands at a place, by the ends of lines that are given. */
function textAt(source: string, place: FunctionPlace, lines = source.split('\n')): string {
  const inside = lines.slice(place.line - 1, place.endLine)
  const last = inside.length - 1
  inside[last] = (inside[last] ?? '').slice(0, place.endColumn)
  inside[0] = (inside[0] ?? '').slice(place.column)
  return inside.join('\n')
}

const nameOf = (place: FunctionPlace): string => `${place.function}/${place.arity}`

describe('readFunctions', () => {
  test('names functions as a declared graph of level mfa does, all of them and no other', async () => {
    const folder = writeFiles(FILES)
    const paths = [join(folder, 'main.js'), join(folder, 'lib.cjs')]
    const { graph } = await buildDeclared({
      ...{ server: 's', level: 'mfa' },
      scope: { entries: paths, packages: ['app'] },
    })
    const { modules } = await readFunctions([pathToFileURL(paths[0] ?? '').href, ...paths])
    const ids = modules.flatMap(({ module, places }) =>
      places.map(({ function: name, arity }) => functionNode('s', { module, name, arity }).id),
    )
    const declared = graph.nodes.map(({ id }) => id).filter((id) => id.startsWith('s/module/'))
    expect([...new Set(ids)].sort()).toEqual(declared.sort())
    expect(modules.map(({ module }) => module)).toEqual(['app/lib.cjs', 'app/main.js'])
  })

  test('says where each stands, those that are around others first', async () => {
    const { places, length } = await readOne(FILES, 'main.js')
    const said = places.map((one) => [one.kind, nameOf(one), textAt(SOURCE, one).slice(0, 24)])
    expect(length).toBe(SOURCE.length)
    expect(said).toEqual([
      ['module', '(module)/0', "import { given } from '."],
      ['function', 'arrow/1', '(a, b = given()) => a + '],
      ['function', 'default/0', 'async function () {}'],
      ['class', '(module)/0', 'class Base { static made'],
      ['static', '(module)/0', ' = arrow(1);'],
      ['field', 'Base.constructor/0', ' = arrow(2);'],
      ['field', 'Base.constructor/0', '] = 4'],
      ['class', '(module)/0', 'class Shop extends Base '],
      ['function', 'Shop.constructor/2', '(a, b) { super(); this.a'],
      ['function', 'Shop.constructor/2', '(one) => one'],
      ['function', 'Shop.#take/1', '(order) { return order }'],
      ['function', 'Shop.[Symbol.toStringTag]/0', "() { return 'Shop' }"],
      ['static', '(module)/0', 'static { arrow(4) }'],
      ['function', 'handlers.pay/1', '(order) { return order }'],
      ['function', 'handlers.refund/1', '(order) => order'],
      ['function', 'outer/0', 'function outer() { retur'],
      ['class', 'outer/0', 'class { kept = () => 1 }'],
      ['field', 'outer/0', ' = () => 1'],
      ['function', 'outer/0', '() => 1'],
    ])
  })

  test('has the module around a function that begins with it', async () => {
    const { places } = await readOne({ 'main.cjs': 'function f() {}' }, 'main.cjs')
    expect(places.map(({ kind }) => kind)).toEqual(['module', 'function'])
  })

  test('counts lines and columns as V8 does', async () => {
    const lines = [
      '/* 😀 */ const a = () => 1',
      'const b = () => 2',
      'const c = () => 3',
      'd = () => 4',
    ]
    const source = `${lines[0]}\r\n${lines[1]}\r${lines[2]}\u2028${lines[3]}`
    const { places } = await readOne({ 'main.cjs': source }, 'main.cjs')
    expect(places.slice(1).map((one) => [one.line, one.column])).toEqual([
      [1, 19],
      [2, 10],
      [3, 10],
      [4, 4],
    ])
    expect(places.slice(1).map((one) => textAt(source, one, lines))).toEqual(
      [1, 2, 3, 4].map((n) => `() => ${n}`),
    )
  })

  test('leaves the mark of the byte order out where Node does', async () => {
    const source = '\uFEFFglobalThis.marked = () => 1'
    const inModule = `${source}\nexport {}`
    const [esm, cjs] = [
      await readOne({ 'main.mjs': inModule }, 'main.mjs'),
      await readOne({ 'main.cjs': source }, 'main.cjs'),
    ]
    expect([esm.length, esm.places[1]?.column]).toEqual([inModule.length - 1, 20])
    expect([cjs.length, cjs.places[1]?.column]).toEqual([source.length, 21])
  })

  test('has an abstract class begin with its keyword, where V8 sees it begin', async () => {
    const source = 'export abstract class Shape { abstract area(): number; side = 1 }'
    const { places } = await readOne({ 'main.ts': source }, 'main.ts')
    expect(places.find(({ kind }) => kind === 'class')?.column).toBe(source.indexOf('class'))
  })

  test('is plain data that nothing can change', async () => {
    const table = await readFunctions([join(writeFiles(FILES), 'main.js')])
    expect(JSON.parse(JSON.stringify(table))).toEqual(table)
    const [{ places = [] } = {}] = table.modules
    const parts = [table, table.modules, table.modules[0], places, ...places]
    expect(parts.filter((part) => !Object.isFrozen(part))).toEqual([])
  })

  test.each<[unknown, unknown]>([
    ['main.js', 'main.js'],
    [[], []],
    [
      ['/a.js', 1],
      ['/a.js', 1],
    ],
    [['app/main.js'], 'app/main.js'],
    [['file://elsewhere/main.js'], 'file://elsewhere/main.js'],
  ])('refuses %j: it names no files', async (modules, given) => {
    const refused = readFunctions(wrong<string[]>(modules))
    await expect(refused).rejects.toMatchObject({
      code: 'BEAM_ERR_GRAPH_DECLARED',
      reason: ['invalid', 'modules', given],
    })
  })

  test('refuses what it cannot read, by name', async () => {
    const folder = writeFiles({ ...FILES, 'bad.js': 'const =' })
    const refusal = (path: string): Promise<unknown> =>
      readFunctions([join(folder, 'main.js'), path]).catch((error) => error.reason)
    const missing = join(folder, 'none.js')
    expect(await refusal(missing)).toEqual(['unknown_module', missing])
    expect(await refusal('/none.js')).toEqual(['unknown_module', '/none.js'])
    expect(await refusal(join(folder, 'bad.js'))).toEqual([
      ...['unparsed_module', 'app/bad.js', 'syntax'],
    ])
  })
})
