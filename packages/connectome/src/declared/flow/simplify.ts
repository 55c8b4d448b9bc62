// SPDX-License-Identifier: Apache-2.0
import {
  type FunctionFact,
  type ModuleFacts,
  NOTHING,
  OP,
  OPERANDS,
} from '../facts/module-facts.ts'

/** A module's variables with those taken as one that can only ever hold the same. */
export interface Simplified {
  readonly count: number
  /** For each variable of the facts its number among the `count`, or one of the three below 0. */
  readonly numbers: Int32Array
  /** Of each number 1 where it holds one value from the instruction that makes it, and never another. */
  readonly isFixed: Uint8Array
}

/** What is known of how each variable is written and read, by its number. */
interface Uses {
  /** How often it is written. */
  readonly writes: Uint32Array
  /** What it was copied from last. */
  readonly sources: Int32Array
  /** Of the marks below. */
  readonly marks: Uint8Array
}

/** Written from elsewhere too, such as a parameter. */
const HELD = 1
/** Read, by an instruction or from elsewhere. */
const READ = 2
/** Written by an instruction that needs somewhere to write to. */
const MADE = 4
/** Asked for by the facts, which take what is below 0 for having none. */
const NAMED = 8
/** Written by an instruction that gives it a new value there and then. */
const FIXED = 16
/** Holds at most a few values, which what it is a copy of may have more of. */
const APART = 32

/**
 * A variable that is written once, by a copy, holds what that other one holds, or is that constant; one
 * that nobody reads, such as `this` of most functions, need not be written. About a third are such.
 */
export function simplify(facts: ModuleFacts): Simplified {
  const uses = findUses(facts)
  const numbers = new Int32Array(facts.variables).fill(UNSET)
  let count = 0
  for (let variable = 0; variable < facts.variables; variable++) {
    const root = rootOf(uses, variable)
    let number = root
    if (root >= 0) {
      if (numbers[root] === UNSET) numbers[root] = isWanted(uses, root) ? count++ : NOTHING
      number = numbers[root] ?? NOTHING
    }
    numbers[variable] = number
  }
  return { count, numbers, isFixed: findFixed(uses, numbers, count) }
}

function findFixed({ writes, marks }: Uses, numbers: Int32Array, count: number): Uint8Array {
  const isFixed = new Uint8Array(count)
  for (let variable = 0; variable < numbers.length; variable++) {
    const mark = marks[variable] ?? 0
    const number = numbers[variable] ?? NOTHING
    if (number >= 0 && (mark & (FIXED | HELD)) === FIXED && writes[variable] === 1)
      isFixed[number] = 1
  }
  return isFixed
}

const UNSET = -9

function isWanted({ marks }: Uses, variable: number): boolean {
  return ((marks[variable] ?? 0) & (READ | MADE | NAMED)) !== 0
}

/** What a variable is a copy of, through all copies between; a ring of copies ends anywhere in it. */
function rootOf({ writes, sources, marks }: Uses, variable: number): number {
  let at = variable
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const source = sources[at] ?? UNSET
    const mark = marks[at] ?? 0
    if (source === UNSET || writes[at] !== 1 || (mark & (HELD | APART)) !== 0) return at
    if (source < 0) return ((marks[variable] ?? 0) & NAMED) !== 0 ? variable : source
    at = source
  }
  return variable
}

const MOST_STEPS = 64

function findUses({ code, functions, classes, tools, commonjs, variables }: ModuleFacts): Uses {
  const writes = new Uint32Array(variables)
  const sources = new Int32Array(variables).fill(UNSET)
  const marks = new Uint8Array(variables)
  for (const fact of functions) markFunction(marks, fact)
  for (const { base, prototype, instance } of classes) {
    mark(marks, base, NAMED)
    mark(marks, prototype, HELD | READ)
    mark(marks, instance, HELD | READ)
  }
  for (const { callee, handler } of tools) {
    mark(marks, callee, NAMED)
    mark(marks, handler, NAMED)
  }
  mark(marks, commonjs.module, HELD | READ)
  mark(marks, commonjs.exports, HELD | READ)
  for (let at = 0; at < code.length; ) {
    const op = code[at++] ?? 0
    const operands = OPERANDS[op] ?? ''
    for (let i = 0; i < operands.length; i++) {
      const word = code[at++] ?? NOTHING
      const role = operands.charCodeAt(i)
      if (role === ROLE.arguments) {
        for (const end = at + word; at < end; at++) mark(marks, (code[at] ?? NOTHING) >> 1, READ)
      } else if (role === ROLE.word || word < 0) continue
      else if (role === ROLE.read) mark(marks, word, READ)
      else if (role === ROLE.held) mark(marks, word, HELD | READ)
      else {
        writes[word] = (writes[word] ?? 0) + 1
        if (op === OP.copy) sources[word] = code[at] ?? NOTHING
        else if (role === ROLE.to) mark(marks, word, isMaking(op) ? MADE | FIXED : MADE)
      }
    }
  }
  return { writes, sources, marks }
}

function markFunction(
  marks: Uint8Array,
  { parameters, rest, all, self, result }: FunctionFact,
): void {
  for (let i = 0; i < parameters.length; i++) mark(marks, parameters[i] ?? NOTHING, HELD)
  mark(marks, self, HELD)
  mark(marks, rest, HELD | READ)
  mark(marks, all, HELD | READ)
  mark(marks, result, NAMED | APART)
}

function mark(marks: Uint8Array, variable: number, what: number): void {
  if (variable >= 0) marks[variable] = (marks[variable] ?? 0) | what
}

const isMaking = (op: number): boolean => op === OP.object || op === OP.func || op === OP.cls

const ROLE = {
  to: 't'.charCodeAt(0),
  result: 'r'.charCodeAt(0),
  read: 'u'.charCodeAt(0),
  held: 'h'.charCodeAt(0),
  word: 'w'.charCodeAt(0),
  arguments: '*'.charCodeAt(0),
} as const
