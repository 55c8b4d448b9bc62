// SPDX-License-Identifier: Apache-2.0
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { compileSchema, type SchemaFault } from '../../src/schema/compile-schema.ts'
import { fastest } from '../support/cost.ts'
import { BODY, type Case, harmless, hostile } from './hostile-cases.ts'

/** A hostile body may take so many times as long as a harmless one of the same size. */
const MAX_RATIO = 100

interface Timed {
  readonly fault: SchemaFault | undefined
  readonly ms: number
}

function run(
  { schema, body, nativePatterns = false }: Case,
  enoughMs = Number.POSITIVE_INFINITY,
): Timed {
  const compiled = compileSchema(schema, { where: 'schema', maxValueBytes: BODY, nativePatterns })
  const text = body()
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BODY)
  const value: unknown = JSON.parse(text)
  let fault: SchemaFault | undefined
  const ms = fastest(() => {
    fault = compiled.validate(value)
  }, enoughMs)
  return { fault, ms }
}

describe('one validation', () => {
  let harmlessMs = 0

  beforeAll(() => {
    const [rows] = harmless
    if (rows === undefined) throw new Error('no cases')
    harmlessMs = Math.max(run(rows).ms, 1)
  })

  test.each(harmless.map((one) => [one.name, one] as const))('passes a full body: %s', (_, one) => {
    expect(run(one).fault).toBeUndefined()
  })

  test.each(hostile.map((one) => [one.name, one] as const))('is bounded: %s', (_, one) => {
    expect(run(one, harmlessMs * MAX_RATIO).ms / harmlessMs).toBeLessThan(MAX_RATIO)
  })

  test("stops by a fault of its own that a negation can't turn into success", () => {
    const [recursive] = hostile.slice(1)
    if (recursive === undefined) throw new Error('no cases')
    const fault = run(recursive).fault
    expect(fault).toEqual({
      path: 'arguments',
      keyword: 'work',
      message: 'arguments take too much work to check; send fewer or smaller values',
    })
    const { $defs } = recursive.schema as { $defs: object }
    const negated = { ...recursive, schema: { not: { $ref: '#/$defs/n' }, $defs } }
    expect(run(negated).fault).toEqual(fault)
  })

  test('has a budget of its own each time', () => {
    const compiled = compileSchema(
      { items: { allOf: Array.from({ length: 200 }, () => ({ multipleOf: 1 })) } },
      { where: 'schema', maxValueBytes: 1_000 },
    )
    const some = Array.from({ length: 200 }, () => 1)
    const many = Array.from({ length: 200_000 }, () => 1)
    for (let round = 0; round < 20; round++) {
      expect(compiled.validate(some)).toBeUndefined()
      expect(compiled.validate(many)).toMatchObject({ keyword: 'work' })
    }
  })

  test.each([10_000, 65_536, BODY])('passes small honest notes, the cap being %i bytes', (cap) => {
    const pattern = 'foo.{0,30}bar.{0,30}baz'
    const items = { type: 'string', maxLength: 2_000, pattern }
    const notes = { type: 'array', items }
    const schema = { type: 'object', properties: { notes } }
    const compiled = compileSchema(schema, { where: 'schema', maxValueBytes: cap })
    const texts = ['a note that says little. ', 'foo and bar with baz. ', 'foo bar ']
    for (const text of texts) {
      const note = `${text.repeat(300).slice(0, 1_989)}foo bar baz`
      expect(note).toHaveLength(2_000)
      for (let round = 0; round < 3; round++) {
        expect(compiled.validate({ notes: [note, note, note, note] })).toBeUndefined()
      }
    }
    expect(compiled.validate({ notes: ['foo'] })).toMatchObject({ keyword: 'pattern' })
  })

  test('judges the same body the same each time, where a pattern takes most of the work', () => {
    const items = { type: 'string', maxLength: 2_000, pattern: '(a|b)*a(a|b){40}$' }
    const compiled = compileSchema({ items }, { where: 'schema', maxValueBytes: 600_000 })
    const text = (seed: number): string =>
      Array.from({ length: 1_900 }, (_, at) => ((at * at * seed) % 7 > 3 ? 'a' : 'b')).join('')
    const last = `a${'b'.repeat(40)}`
    const verdicts = Array.from({ length: 40 }, (_, count) => {
      const body = Array.from({ length: count }, (_, seed) => text(seed) + last)
      return [1, 2, 3].map(() => compiled.validate(body)?.keyword)
    })
    for (const [first, ...others] of verdicts) expect(others).toEqual([first, first])
  })

  test('answers a recursion deeper than the stack by a fault', () => {
    const compiled = compileSchema(
      { $ref: '#/$defs/n', $defs: { n: { items: { $ref: '#/$defs/n' } } } },
      { where: 'schema', maxValueBytes: 100_000_000 },
    )
    const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], [])
    expect(compiled.validate(deep)).toMatchObject({ keyword: 'work' })
    expect(compiled.validate([[]])).toBeUndefined()
  })
})

describe('what is kept between validations', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }

  const schema = {
    type: 'object',
    properties: {
      tags: {
        type: 'array',
        uniqueItems: true,
        items: { anyOf: [{ $ref: '#/$defs/tag' }, { type: 'null' }] },
      },
    },
    patternProperties: { '^k': { pattern: '^[a-f]+\\d*$' } },
    additionalProperties: { enum: ['a', { b: 1 }] },
    $defs: { tag: { type: 'string', pattern: 'x|[ab].{13}c$', maxLength: 100 } },
  }

  test('does not grow with distinct names and values', () => {
    const compiled = compileSchema(schema, { where: 'schema', maxValueBytes: BODY })
    const validateMany = (from: number): void => {
      for (let index = from; index < from + 10_000; index++) {
        compiled.validate({ [`k${index}`]: `a${index}`, tags: [`x${index}`, index] })
        compiled.validate({ [`other ${index}`]: { b: index }, tags: [] })
      }
    }
    validateMany(0)
    const before = heap()
    validateMany(1_000_000)
    // Twenty thousand names and as many values kept would be megabytes.
    expect((heap() - before) / before).toBeLessThan(0.05)
  })

  test('is none of the value, valid or not', async () => {
    const compiled = compileSchema(schema, { where: 'schema', maxValueBytes: BODY })
    const judge = (value: object): WeakRef<object> => {
      compiled.validate(value)
      return new WeakRef(value)
    }
    const kept = [
      judge({ tags: [{ a: 1 }] }),
      judge({ tags: [null] }),
      judge({ tags: ['x', { y: 1 }] }),
      judge({ z: { b: 2 } }),
    ]
    // A WeakRef holds its target until the turn that made it is over.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    expect(kept.map((one) => one.deref())).toEqual([undefined, undefined, undefined, undefined])
  })
})
