// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import {
  type ModuleFacts,
  NOTHING,
  OP,
  PLAIN,
  UNKNOWN,
} from '../../src/declared/facts/module-facts.ts'
import { simplify } from '../../src/declared/flow/simplify.ts'
import {
  classOf,
  differences,
  factsOf,
  functionOf,
  instructionsOf,
  readFacts,
  toolOf,
} from './flat-program.ts'

const numbersOf = (facts: ModuleFacts): number[] => [...simplify(facts).numbers]

/** What instructions of one kind write to, in their order. */
const writtenBy = (facts: ModuleFacts, op: number): number[] =>
  instructionsOf(facts).flatMap((one) => (one.op === op ? one.writes : []))

/** The variables that are handed to the first call. */
function given(facts: ModuleFacts): number[] {
  const call = instructionsOf(facts).find(({ op }) => op === OP.call)
  return call?.reads.slice(1) ?? []
}

/** A copy to each variable but the last from the next one. */
const chain = (variables: number): number[][] =>
  Array.from({ length: variables - 1 }, (_, to) => [OP.copy, to, to + 1])

describe('copies', () => {
  test('through a chain of names are one variable', () => {
    const facts = readFacts('const a = {}; const b = a; const c = b; const d = c; use(a, b, c, d)')
    const { numbers, isFixed } = simplify(facts)
    const found = [...writtenBy(facts, OP.object), ...given(facts)].map((one) => numbers[one])
    const [first = NOTHING] = found
    expect(found).toEqual([first, first, first, first, first])
    expect(first).toBeGreaterThanOrEqual(0)
    expect(isFixed[first]).toBe(1)
  })

  test.each([2, 3, 40, 64])('through %d variables are one, whichever comes first', (variables) => {
    const last = variables - 1
    const steps = chain(variables)
    for (const code of [steps, steps.toReversed()]) {
      const facts = factsOf(variables, [...code, [OP.object, last, 0], [OP.escape, 0]])
      expect(simplify(facts)).toEqual({
        count: 1,
        numbers: new Int32Array(variables),
        isFixed: Uint8Array.of(1),
      })
    }
  })

  test('through more variables than are followed hold what they held', () => {
    const facts = factsOf(1000, [...chain(1000), [OP.object, 999, 0], [OP.escape, 0]])
    expect(differences(facts)).toEqual([])
    expect(numbersOf(facts)[0]).not.toBe(NOTHING)
  })

  test('of two different variables stay apart', () => {
    const facts = readFacts('const a = {}, b = {}; const c = a, d = b; use(a, b, c, d)')
    const numbers = numbersOf(facts)
    const [a, b, c, d] = given(facts).map((one) => numbers[one])
    expect([c, d]).toEqual([a, b])
    expect(a).not.toBe(b)
  })

  test('into a variable that is written twice are not taken as one', () => {
    const facts = readFacts('const a = {}, b = {}; let c = a; c = b; const d = c; use(a, b, c, d)')
    const numbers = numbersOf(facts)
    const [a, b, c, d] = given(facts).map((one) => numbers[one])
    expect(new Set([a, b, c]).size).toBe(3)
    expect(d).toBe(c)
    expect(differences(facts)).toEqual([])
  })

  test.each([
    ['a copy of the same', [OP.copy, 0, 1]],
    ['a new object', [OP.object, 0, 0]],
    ['a member', [OP.load, 0, 1, 0]],
    ['what a call gives', [OP.call, 0, 1, 0, 0]],
  ])('into a variable that is written twice, also by %s, stay apart', (_, second) => {
    const made = [OP.object, 1, 0]
    for (const code of [
      [made, [OP.copy, 0, 1], second],
      [made, second, [OP.copy, 0, 1]],
    ]) {
      expect(numbersOf(factsOf(2, [...code, [OP.escape, 0]]))).toEqual([0, 1])
    }
  })

  test.each([1, 2, 3, 64, 65, 100])('in a ring of %d end, and hold what they held', (size) => {
    const code = [...chain(size), [OP.copy, size - 1, 0]]
    const facts = factsOf(size + 1, [...code, [OP.copy, size, 0], [OP.escape, size]])
    expect(differences(facts)).toEqual([])
    expect(Math.min(...numbersOf(facts))).toBeGreaterThanOrEqual(0)
    expect(differences({ ...facts, code: Int32Array.of(...facts.code, OP.object, 0, 0) })).toEqual(
      [],
    )
  })
})

describe('variables that are written from elsewhere', () => {
  const all: Record<string, Partial<ModuleFacts>> = {
    parameter: { functions: [functionOf({ parameters: [5, 0] })] },
    this: { functions: [functionOf({ self: 0 })] },
    rest: { functions: [functionOf({ rest: 0 })] },
    arguments: { functions: [functionOf({ all: 0 })] },
    prototype: { classes: [classOf({ prototype: 0 })] },
    instance: { classes: [classOf({ instance: 0 })] },
    module: { commonjs: { module: 0, exports: NOTHING } },
    exports: { commonjs: { module: NOTHING, exports: 0 } },
  }
  const copied = [
    [OP.object, 1, 0],
    [OP.copy, 0, 1],
    [OP.copy, 2, 0],
    [OP.escape, 2],
  ]

  test.each(Object.entries(all))('are not merged away: %s', (_, more) => {
    expect(numbersOf(factsOf(3, copied, more))).toEqual([0, 1, 0])
  })

  test('are not merged away: one of a declared type', () => {
    expect(numbersOf(factsOf(4, [...copied, [OP.typed, 0, 3]]))).toEqual([0, 1, 0, 2])
  })

  test('stay apart in a function that copies all of them', () => {
    const facts = readFacts(`function f(a, b = a, ...more) {
      const c = a, me = this, list = arguments, others = more
      use(c, b, me, list, others)
    }`)
    const { functions } = facts
    const { parameters = [], self, rest, all: list } = functions[0] ?? {}
    const numbers = numbersOf(facts)
    const variables = [...parameters, self, rest, list].map((one = NOTHING) => numbers[one])
    expect(variables).toHaveLength(5)
    expect(new Set(variables).size).toBe(5)
    expect(Math.min(...variables.map((one = NOTHING) => one))).toBeGreaterThanOrEqual(0)
    const [c, , me, named, others] = given(facts).map((one) => numbers[one])
    const [first, , ...more] = variables
    expect([c, me, others, named]).toEqual([first, ...more])
    expect(differences(facts)).toEqual([])
  })

  test('are not fixed, though one instruction makes what they hold', () => {
    for (const more of Object.values(all)) {
      const facts = factsOf(
        6,
        [
          [OP.object, 0, 0],
          [OP.escape, 0],
        ],
        more,
      )
      expect([...simplify(facts).isFixed]).toEqual([0])
    }
  })
})

describe('variables that nobody reads', () => {
  test.each<[string, number[]]>([
    ['the result of a call', [OP.call, 0, 1, 0, 0]],
    ['the result of a method', [OP.method, 0, 1, 0, 0, 0]],
    ['one that is written twice by copies', [OP.copy, 0, 1, OP.copy, 0, 1]],
    ['a copy of a constant that is written again', [OP.copy, 0, PLAIN, OP.copy, 0, UNKNOWN]],
    ['one that nobody writes either', []],
  ])('are nothing: %s', (_, code) => {
    expect(numbersOf(factsOf(2, [code, [OP.escape, 1]]))).toEqual([NOTHING, 0])
  })

  test('are nothing: a parameter and `this`', () => {
    const more = { functions: [functionOf({ parameters: [0, 1], self: 2 })] }
    expect(numbersOf(factsOf(3, [[OP.escape, 1]], more))).toEqual([NOTHING, 0, NOTHING])
    const facts = readFacts('export function f(a) { return a }')
    const { self = NOTHING, result = NOTHING, parameters = [] } = facts.functions[0] ?? {}
    const numbers = numbersOf(facts)
    const [parameter] = parameters.map((one) => numbers[one])
    expect(numbers[self]).toBe(NOTHING)
    expect(parameter).toBeGreaterThanOrEqual(0)
    expect(numbers[result]).toBeGreaterThanOrEqual(0)
  })

  test('are not one with what a function answers, which holds fewer values', () => {
    const facts = readFacts('export function f() { const a = [], b = a; return b }')
    const { result = NOTHING } = facts.functions[0] ?? {}
    const numbers = Array.from(numbersOf(facts))
    const [number = NOTHING] = numbers.splice(result, 1)
    expect(number).toBeGreaterThanOrEqual(0)
    expect(numbers).not.toContain(number)
  })

  test.each<[string, number, Partial<ModuleFacts>]>([
    ['the list of a rest parameter', 0, { functions: [functionOf({ rest: 0 })] }],
    ['the list of arguments', 0, { functions: [functionOf({ all: 0 })] }],
    ['what a function answers', 0, { functions: [functionOf({ result: 0 })] }],
    ['a prototype', 0, { classes: [classOf({ prototype: 0 })] }],
    ['an instance', 0, { classes: [classOf({ instance: 0 })] }],
    ['what a class extends', 0, { classes: [classOf({ base: 0 })] }],
    ['what defines a tool', 0, { tools: [toolOf({ callee: 0 })] }],
    ['the handler of a tool', 0, { tools: [toolOf({ handler: 0 })] }],
    ['`module`', 0, { commonjs: { module: 0, exports: NOTHING } }],
    ['`exports`', 0, { commonjs: { module: NOTHING, exports: 0 } }],
  ])('have a number where the facts ask for them: %s', (_, number, more) => {
    expect(numbersOf(factsOf(1, [], more))).toEqual([number])
  })

  test('have a number where an instruction needs somewhere to write to', () => {
    const code = [
      [OP.object, 0, 0],
      [OP.func, 1, 0],
      [OP.cls, 2, 0],
      [OP.symbol, 3],
      [OP.load, 4, 0, 0],
      [OP.imported, 5, 0, 0],
    ]
    expect(numbersOf(factsOf(6, code))).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('are read where they are handed over, spread or not, at whatever place', () => {
    const code = [[OP.call, 0, 0, NOTHING, 3, 1 * 2, PLAIN * 2, 2 * 2 + 1]]
    expect(numbersOf(factsOf(4, code))).toEqual([0, 1, 2, NOTHING])
    const more = [OP.superMethod, 0, 3, 0, 4, 0, NOTHING, 1, 5 * 2 + 1]
    expect(numbersOf(factsOf(7, [...code, more]))).toEqual([0, 1, 2, 3, 4, 5, NOTHING])
  })
})

describe('constants', () => {
  test.each([PLAIN, UNKNOWN, NOTHING])('pass through copies: %d', (constant) => {
    const code = [...chain(3), [OP.copy, 2, constant], [OP.escape, 0]]
    expect(numbersOf(factsOf(3, code))).toEqual([constant, constant, constant])
    expect(differences(factsOf(3, code))).toEqual([])
  })

  test('pass through names of a source', () => {
    const facts = readFacts(`const a = 1, b = a, c = eval('x'), d = c; use(a, b, c, d)`)
    const numbers = numbersOf(facts)
    expect(given(facts).map((one) => numbers[one])).toEqual([PLAIN, PLAIN, UNKNOWN, UNKNOWN])
  })

  test('do not pass where a variable holds something else too', () => {
    const facts = readFacts('let a = 1; a = {}; const b = a; use(a, b)')
    const numbers = numbersOf(facts)
    const [a = NOTHING, b] = given(facts).map((one) => numbers[one])
    expect(a).toBeGreaterThanOrEqual(0)
    expect(b).toBe(a)
    expect(differences(facts)).toEqual([])
  })

  const asked: [string, Partial<ModuleFacts>][] = [
    ['what a function answers', { functions: [functionOf({ result: 0 })] }],
    ['what a class extends', { classes: [classOf({ base: 0 })] }],
    ['what defines a tool', { tools: [toolOf({ callee: 0 })] }],
    ['the handler of a tool', { tools: [toolOf({ handler: 0 })] }],
  ]

  test.each(asked)('do not stand for a variable that the facts ask for: %s', (_, more) => {
    for (const constant of [PLAIN, UNKNOWN]) {
      const facts = factsOf(
        2,
        [
          [OP.copy, 0, constant],
          [OP.copy, 1, 0],
          [OP.escape, 1],
        ],
        more,
      )
      expect(numbersOf(facts)[0]).toBe(0)
      expect(differences(facts)).toEqual([])
    }
  })

  // Whoever takes what is below 0 for having none would not learn that it is unknown.
  test.each(asked)('do not through a copy of a copy either: %s', (_, more) => {
    for (const constant of [PLAIN, UNKNOWN]) {
      const facts = factsOf(
        2,
        [
          [OP.copy, 0, 1],
          [OP.copy, 1, constant],
        ],
        more,
      )
      expect(numbersOf(facts)[0]).toBeGreaterThanOrEqual(0)
    }
  })
})

describe('fixed variables', () => {
  test.each<[string, number, number[]]>([
    ['an object', 1, [OP.object, 0, 0]],
    ['a function', 1, [OP.func, 0, 0]],
    ['a class', 1, [OP.cls, 0, 0]],
    ['a symbol', 0, [OP.symbol, 0]],
    ['a promise', 0, [OP.promise, 0, PLAIN]],
    ['a member', 0, [OP.load, 0, PLAIN, 0]],
    ['a global', 0, [OP.global, 0, 0]],
    ['an import', 0, [OP.imported, 0, 0, 0]],
    ['a result', 0, [OP.call, 0, PLAIN, 0, 0]],
    ['an object, or the same object again', 0, [OP.object, 0, 0, OP.object, 0, 0]],
    ['an object or a function', 0, [OP.object, 0, 0, OP.func, 0, 0]],
    ['an object or a constant', 0, [OP.object, 0, 0, OP.copy, 0, PLAIN]],
    ['a constant or an object', 0, [OP.copy, 0, PLAIN, OP.object, 0, 0]],
    ['a function or a result', 0, [OP.func, 0, 0, OP.call, 0, PLAIN, 0, 0]],
    ['nothing', 0, []],
  ])('hold one value that one instruction makes: %s', (_, isFixed, code) => {
    const facts = factsOf(1, [code, [OP.escape, 0]])
    expect(simplify(facts)).toEqual({
      count: 1,
      numbers: Int32Array.of(0),
      isFixed: Uint8Array.of(isFixed),
    })
  })

  test('are so by the number that their copies share', () => {
    const code = [
      [OP.copy, 0, 2],
      [OP.load, 1, 0, 0],
      [OP.func, 2, 0],
      [OP.escape, 0],
    ]
    const { numbers, isFixed } = simplify(factsOf(3, code))
    expect([...numbers]).toEqual([0, 1, 0])
    expect([...isFixed]).toEqual([1, 0])
  })
})
