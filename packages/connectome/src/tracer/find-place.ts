// SPDX-License-Identifier: Apache-2.0
import {
  type FunctionPlace,
  type ModuleFunctions,
  PLACE_KINDS,
} from '../declared/function-table.ts'
import { isPlainObject } from '../graph/plain-object.ts'

/** The places of one module, to be looked into. */
export interface ModulePlaces {
  /** UTF-16 code units of the source that was read. */
  readonly length: number
  /** The innermost place around a position, or undefined for one that the source does not have. */
  readonly at: (line: number, column: number) => FunctionPlace | undefined
}

/** The places of a table by the ids of modules, or undefined where it is none. */
export function readTable(given: unknown): ReadonlyMap<string, ModulePlaces> | undefined {
  if (!isPlainObject(given) || !Array.isArray(given['modules'])) return undefined
  const found = new Map<string, ModulePlaces>()
  for (const one of given['modules'] as readonly unknown[]) {
    if (!isModule(one) || found.has(one.module)) return undefined
    found.set(one.module, { length: one.length, at: createSearch(copy(one.places)) })
  }
  return found
}

function isModule(given: unknown): given is ModuleFunctions {
  if (!isPlainObject(given)) return false
  const { module, length, places } = given
  return (
    typeof module === 'string' &&
    isCount(length) &&
    Array.isArray(places) &&
    places.every(isPlace) &&
    places.every((place, number) => isAfter(place, places[number - 1]))
  )
}

function isPlace(given: unknown): given is FunctionPlace {
  if (!isPlainObject(given)) return false
  const { kind, arity, line, column, endLine, endColumn } = given
  const isNamed = typeof given['function'] === 'string' && PLACE_KINDS.some((one) => one === kind)
  return isNamed && [arity, line, column, endLine, endColumn].every(isCount)
}

const isAfter = ({ line, column }: FunctionPlace, before: FunctionPlace | undefined): boolean =>
  before === undefined || isBehind(line, column, before.line, before.column)

const isCount = (given: unknown): boolean => Number.isSafeInteger(given) && Number(given) >= 0

const copy = (places: readonly FunctionPlace[]): readonly FunctionPlace[] =>
  places.map((place) => ({ ...place }))

/** Places are within each other or apart, and in the order of their beginnings. */
function createSearch(places: readonly FunctionPlace[]): ModulePlaces['at'] {
  const around = findAround(places)
  return (line, column) => {
    let [from, to] = [-1, places.length]
    while (to - from > 1) {
      const middle = (from + to) >> 1
      const place = places[middle]
      if (place !== undefined && isBehind(line, column, place.line, place.column)) from = middle
      else to = middle
    }
    while (from >= 0) {
      const place = places[from]
      if (place !== undefined && !isOver(place, line, column)) return place
      from = around[from] ?? -1
    }
    return undefined
  }
}

/** Of each place the number of the one that it is within, or -1. */
function findAround(places: readonly FunctionPlace[]): readonly number[] {
  const around: number[] = []
  const open: number[] = []
  for (const [number, { line, column }] of places.entries()) {
    for (let last = places[open.at(-1) ?? -1]; last !== undefined; ) {
      if (!isOver(last, line, column)) break
      open.pop()
      last = places[open.at(-1) ?? -1]
    }
    around.push(open.at(-1) ?? -1)
    open.push(number)
  }
  return around
}

const isOver = ({ endLine, endColumn }: FunctionPlace, line: number, column: number): boolean =>
  isBehind(line, column, endLine, endColumn)

/** Whether a position is another one or comes after it. */
function isBehind(line: number, column: number, otherLine: number, otherColumn: number): boolean {
  return line > otherLine || (line === otherLine && column >= otherColumn)
}
