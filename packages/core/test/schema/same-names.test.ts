// SPDX-License-Identifier: Apache-2.0
import { Type } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../src/schema/compile-schema.ts'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

function pathOf(schema: object, value: unknown): string | undefined {
  return compileSchema(schema, { where: 'schema', maxValueBytes: 1_048_576 }).validate(value)?.path
}

describe('one schema in two places', () => {
  test('a recursive one of TypeBox', () => {
    const node = Type.Recursive((Self) => Type.Object({ n: Type.Array(Self) }))
    const schema = Type.Object({ a: node, b: node, c: Type.Array(node) })
    const good = { n: [{ n: [] }] }
    const bad = { n: [{ n: [1] }] }
    expect(pathOf(schema, { a: good, b: good, c: [good] })).toBeUndefined()
    expect(pathOf(schema, { a: bad, b: good, c: [] })).toBe('a.n[0].n[0]')
    expect(pathOf(schema, { a: good, b: bad, c: [] })).toBe('b.n[0].n[0]')
    expect(pathOf(schema, { a: good, b: good, c: [good, bad] })).toBe('c[1].n[0].n[0]')
  })

  test('imports of a TypeBox module', () => {
    const module = Type.Module({
      Tree: Type.Object({ leaf: Type.Ref('Leaf'), trees: Type.Array(Type.Ref('Tree')) }),
      Leaf: Type.Object({ size: Type.Number() }),
    })
    const schema = Type.Object({
      one: module.Import('Tree'),
      two: module.Import('Tree'),
      leaf: module.Import('Leaf'),
    })
    const leaf = { size: 1 }
    const tree = { leaf, trees: [{ leaf, trees: [] }] }
    const bad = { leaf, trees: [{ leaf: { size: 'big' }, trees: [] }] }
    expect(pathOf(schema, { one: tree, two: tree, leaf })).toBeUndefined()
    expect(pathOf(schema, { one: bad, two: tree, leaf })).toBe('one.trees[0].leaf.size')
    expect(pathOf(schema, { one: tree, two: bad, leaf })).toBe('two.trees[0].leaf.size')
    expect(pathOf(schema, { one: tree, two: tree, leaf: {} })).toBe('leaf')
  })

  const text = { $id: 'text', type: 'string', $defs: { short: { $anchor: 's', maxLength: 1 } } }
  const list = { $id: 'list', items: { $ref: 'text#s' }, contains: text }

  test.each([
    ['the same object', list],
    [
      'an equal one with its members in another order',
      Object.fromEntries(Object.entries(list).reverse()),
    ],
  ])('%s with $ids in it', (_, other) => {
    const schema = { properties: { a: list, b: other, c: { $ref: 'list' }, d: { $ref: 'text#s' } } }
    expect(pathOf(schema, { a: ['x'], b: ['y'], c: ['z'], d: 'd' })).toBeUndefined()
    expect(pathOf(schema, { a: ['xx'] })).toBe('a[0]')
    expect(pathOf(schema, { b: ['yy'] })).toBe('b[0]')
    expect(pathOf(schema, { c: ['zz'] })).toBe('c[0]')
    expect(pathOf(schema, { b: [] })).toBe('b')
    expect(pathOf(schema, { d: 'dd' })).toBe('d')
  })

  test('one with a name of draft-07, or an anchor', () => {
    const named = { $id: '#short', maxLength: 1 }
    const old = { $schema: DRAFT_07, properties: { a: named, b: named, c: { $ref: '#short' } } }
    const anchored = { $anchor: 'short', maxLength: 1 }
    const dynamic = { $dynamicAnchor: 'short', maxLength: 1 }
    for (const one of [
      old,
      { properties: { a: anchored, b: anchored, c: { $ref: '#short' } } },
      { properties: { a: dynamic, b: dynamic, c: { $dynamicRef: '#short' } } },
    ]) {
      for (const name of ['a', 'b', 'c']) {
        expect(pathOf(one, { [name]: 'x' })).toBeUndefined()
        expect(pathOf(one, { [name]: 'xx' })).toBe(name)
      }
    }
  })
})
