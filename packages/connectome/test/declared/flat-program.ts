// SPDX-License-Identifier: Apache-2.0
import { parseSync } from 'oxc-parser'
import {
  type ClassFact,
  type FunctionFact,
  type ModuleFacts,
  NOTHING,
  OP,
  OPERANDS,
  type ToolFact,
} from '../../src/declared/facts/module-facts.ts'
import { readModule } from '../../src/declared/facts/read-module.ts'
import { type Simplified, simplify } from '../../src/declared/flow/simplify.ts'

/** Facts of a source text. */
export function readFacts(text: string, path = 'main.js', isModule = true): ModuleFacts {
  const sourceType = isModule ? 'module' : 'commonjs'
  const { program, errors } = parseSync(path, text, { sourceType, preserveParens: false })
  const facts = readModule(text, { program, isModule })
  if (errors.length > 0 || 'reason' in facts) throw new SyntaxError(`${path} has no facts`)
  return facts
}

const AT = { line: 1, column: 0 }
const NO_FACTS: ModuleFacts = {
  ...{ strings: [], code: new Int32Array(), variables: 0, functions: [], classes: [] },
  classPlaces: [],
  ...{ units: [], requests: [], sites: new Int32Array(), tools: [], format: 'module' },
  ...{ commonjs: { module: NOTHING, exports: NOTHING }, isCompiled: false },
}

/** Facts of instructions, each an operation and its operands. */
export function factsOf(
  variables: number,
  instructions: readonly (readonly number[])[],
  more: Partial<ModuleFacts> = {},
): ModuleFacts {
  return { ...NO_FACTS, variables, code: Int32Array.from(instructions.flat()), ...more }
}

export const functionOf = (more: Partial<FunctionFact>): FunctionFact => ({
  ...{ unit: 0, start: 0, end: 0, ...AT, parameters: [], isMethod: false },
  ...{ rest: NOTHING, all: NOTHING, self: NOTHING, result: NOTHING, ...more },
})

export const classOf = (more: Partial<ClassFact>): ClassFact => ({
  ...{ name: 'A', ...AT, base: NOTHING, maker: NOTHING, fields: NOTHING },
  ...{ prototype: NOTHING, instance: NOTHING, ...more },
})

export const toolOf = (more: Partial<ToolFact>): ToolFact => ({
  ...{ name: 'a', callee: NOTHING, handler: NOTHING, ...AT, ...more },
})

/** An instruction: where it stands, and its operands by what they are for. */
export interface Instruction {
  readonly place: number
  readonly op: number
  readonly writes: readonly number[]
  readonly reads: readonly number[]
  /** Read, and written from elsewhere too. */
  readonly held: readonly number[]
}

export function instructionsOf({ code }: ModuleFacts): Instruction[] {
  const found: Instruction[] = []
  const words = [...code]
  for (let at = 0; at < words.length; ) {
    const place = at
    const op = words[at++] ?? NOTHING
    const [writes, reads, held]: number[][] = [[], [], []]
    for (const role of OPERANDS[op] ?? '?') {
      const word = words[at++]
      if (word === undefined) throw new RangeError(`The instruction at ${place} has no end`)
      if (role === 't' || role === 'r') writes?.push(word)
      else if (role === 'u') reads?.push(word)
      else if (role === 'h') held?.push(word)
      else if (role === '*') {
        for (const given of words.slice(at, at + word)) reads?.push(given >> 1)
        at += word
      } else if (role !== 'w') throw new TypeError(`There is no instruction ${op}`)
    }
    found.push({ place, op, writes: writes ?? [], reads: reads ?? [], held: held ?? [] })
  }
  return found
}

/** Variables that are written by more than the instructions that write them. */
export function heldIn(facts: ModuleFacts): ReadonlySet<number> {
  const { functions, classes, commonjs } = facts
  return new Set(
    [
      ...functions.flatMap(({ parameters, rest, all, self }) => [...parameters, rest, all, self]),
      ...classes.flatMap(({ prototype, instance }) => [prototype, instance]),
      ...[commonjs.module, commonjs.exports],
      ...instructionsOf(facts).flatMap(({ held }) => held),
    ].filter((variable) => variable >= 0),
  )
}

/** Variables that an instruction reads, or that others ask for by the facts. */
export function readIn(facts: ModuleFacts): ReadonlySet<number> {
  const { functions, classes, tools, commonjs } = facts
  return new Set([
    ...instructionsOf(facts).flatMap(({ reads, held }) => [...reads, ...held]),
    ...functions.flatMap(({ rest, all, result }) => [rest, all, result]),
    ...classes.flatMap(({ base, prototype, instance }) => [base, prototype, instance]),
    ...tools.flatMap(({ callee, handler }) => [callee, handler]),
    ...[commonjs.module, commonjs.exports],
  ])
}

/** What variables hold by copies alone: places of the instructions that made it, constants, origins. */
type Held = ReadonlyMap<number, ReadonlySet<string>>

function evaluate(facts: ModuleFacts, numberOf: (variable: number) => number): Held {
  const held = new Map<number, Set<string>>()
  const of = (number: number): Set<string> => {
    const known = held.get(number) ?? new Set()
    held.set(number, known)
    return known
  }
  for (const constant of [-2, -3]) of(constant).add(`constant ${constant}`)
  for (const variable of heldIn(facts)) of(numberOf(variable)).add(`elsewhere ${variable}`)
  const copies: (readonly [from: number, to: number])[] = []
  for (const { op, place, writes, reads } of instructionsOf(facts)) {
    for (const to of writes.map(numberOf).filter((number) => number >= 0)) {
      if (op !== OP.copy) of(to).add(`made ${place}`)
      else for (const from of reads) copies.push([numberOf(from), to])
    }
  }
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const [from, to] of copies) {
      const before = of(to).size
      if (from !== NOTHING) for (const one of of(from)) of(to).add(one)
      if (of(to).size > before) isNew = true
    }
  }
  return held
}

const list = (held: Held, number: number): string => [...(held.get(number) ?? [])].sort().join()

/** Where a module's variables hold something else by their new numbers, in words; none is right. */
export function differences(
  facts: ModuleFacts,
  { numbers, count, isFixed }: Simplified = simplify(facts),
): string[] {
  const numberOf = (variable: number): number =>
    variable < 0 ? variable : (numbers[variable] ?? Number.NaN)
  const [before, after] = [evaluate(facts, (variable) => variable), evaluate(facts, numberOf)]
  const read = readIn(facts)
  const found: string[] = []
  for (let variable = 0; variable < facts.variables; variable++) {
    const number = numberOf(variable)
    const [held, holds] = [list(before, variable), list(after, number)]
    if (!(number >= -3 && number < count)) found.push(`${variable} has number ${number}`)
    else if (number !== NOTHING && held !== holds) found.push(`${variable}: ${held} -> ${holds}`)
    else if (number === NOTHING && read.has(variable) && held !== '')
      found.push(`${variable} is read, and holds nothing instead of ${held}`)
  }
  const used = new Set([...numbers].filter((number) => number >= 0))
  if (used.size !== count) found.push(`${used.size} of ${count} numbers are in use`)
  const fixed = fixedIn(facts, numberOf)
  for (let number = 0; number < count; number++) {
    if ((isFixed[number] === 1) !== fixed.has(number)) found.push(`${number} is fixed, or is not`)
  }
  return found
}

const MAKING: readonly number[] = [OP.object, OP.func, OP.cls]

/** The numbers of variables that one instruction writes alone, with a value that it makes. */
function fixedIn(facts: ModuleFacts, numberOf: (variable: number) => number): Set<number> {
  const held = heldIn(facts)
  const writers = new Map<number, number[]>()
  for (const { op, writes } of instructionsOf(facts)) {
    for (const to of writes) writers.set(to, [...(writers.get(to) ?? []), op])
  }
  const found = new Set<number>()
  for (const [variable, [first = NOTHING, ...more]] of writers) {
    if (more.length > 0 || held.has(variable) || !MAKING.includes(first)) continue
    found.add(numberOf(variable))
  }
  return found
}
