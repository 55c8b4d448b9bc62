// SPDX-License-Identifier: Apache-2.0
import type { Value } from './values.ts'

/** May hold something that holds nothing of the scope. */
export const IS_PLAIN = 1
/** May hold anything at all that code outside can reach. */
export const IS_UNKNOWN = 2
/** Whatever it holds is within reach of code outside. */
export const IS_GIVEN = 4

/** More values than this in one place say no more than that it is unknown. */
const MOST_VALUES = 14

/** Beyond this many a repeated copy is cheaper than finding that it is one. */
const SEARCHED = 64

export interface Watcher {
  /** Told of each value, sometimes twice. */
  readonly value?: (value: Value) => void
  /** Told of each of IS_PLAIN, IS_UNKNOWN and IS_GIVEN. */
  readonly flag?: (flag: number) => void
}

/** Variables, what they hold, and who must hear of it. */
export interface Network {
  readonly flags: number[]
  readonly held: (Value[] | undefined)[]
  readonly copies: (number[] | undefined)[]
  readonly watchers: (Watcher[] | undefined)[]
  /** Variables of a declared type: noted instead of becoming unknown. */
  readonly typed: Map<number, { readonly cls: number; isAsked: boolean }>
  readonly work: { variables: number[]; values: (Value | number)[]; given: Value[] }
  /** Puts a value in line to be given to code outside. */
  readonly giveAway: (value: Value) => void
  /** Gives what stands in line, one after the other, so that nothing nests. */
  readonly handOver: (value: Value) => void
}

export function createNetwork(handOver: (value: Value) => void): Network {
  const work: Network['work'] = { variables: [], values: [], given: [] }
  return {
    ...{ flags: [], held: [], copies: [], watchers: [], typed: new Map(), work, handOver },
    giveAway: (value) => {
      work.given.push(value)
    },
  }
}

export function newVariable({ flags }: Network): number {
  return flags.push(0) - 1
}

export function newVariables({ flags }: Network, count: number): number {
  const first = flags.length
  for (let i = 0; i < count; i++) flags.push(0)
  return first
}

export const valuesOf = (net: Network, variable: number): readonly Value[] =>
  net.held[variable] ?? NONE
const NONE: readonly Value[] = []

export const has = (net: Network, variable: number, flag: number): boolean =>
  ((net.flags[variable] ?? 0) & flag) !== 0

export function isEmpty(net: Network, variable: number): boolean {
  return net.held[variable] === undefined && !has(net, variable, IS_PLAIN | IS_UNKNOWN)
}

export function addValue(net: Network, variable: number, value: Value): void {
  const held = net.held[variable]
  if (held === undefined) net.held[variable] = [value]
  else if (held.includes(value)) return
  else if (held.length >= MOST_VALUES) {
    addFlag(net, variable, IS_UNKNOWN)
    addFlag(net, variable, IS_GIVEN)
    net.giveAway(value)
    return
  } else held.push(value)
  net.work.variables.push(variable)
  net.work.values.push(value)
}

export function addFlag(net: Network, variable: number, flag: number): void {
  const flags = net.flags[variable] ?? 0
  if ((flags & flag) !== 0) return
  net.flags[variable] = flags | flag
  net.work.variables.push(variable)
  net.work.values.push(flag)
}

/** Makes a variable unknown; one of a declared type takes it that the type is kept to. */
export function addUnknown(net: Network, variable: number): void {
  const typed = net.typed.get(variable)
  if (typed === undefined) addFlag(net, variable, IS_UNKNOWN)
  else typed.isAsked = true
}

export function addCopy(net: Network, from: number, to: number): void {
  if (from === to) return
  const copies = net.copies[from]
  if (copies === undefined) net.copies[from] = [to]
  else if (copies.length < SEARCHED && copies.includes(to)) return
  else copies.push(to)
  for (const value of valuesOf(net, from)) addValue(net, to, value)
  if (has(net, from, IS_PLAIN)) addFlag(net, to, IS_PLAIN)
  if (has(net, from, IS_UNKNOWN)) addUnknown(net, to)
}

export function watch(net: Network, variable: number, watcher: Watcher): void {
  const watchers = net.watchers[variable]
  if (watchers === undefined) net.watchers[variable] = [watcher]
  else watchers.push(watcher)
  const held = net.held[variable]
  if (held !== undefined && watcher.value !== undefined) {
    // A copy: the watcher may add to the list, and is then told by the work to come.
    for (const value of held.slice()) watcher.value(value)
  }
  const flags = net.flags[variable] ?? 0
  if (flags === 0 || watcher.flag === undefined) return
  for (const flag of [IS_PLAIN, IS_UNKNOWN, IS_GIVEN]) if ((flags & flag) !== 0) watcher.flag(flag)
}

export const isSettled = ({ work }: Network): boolean =>
  work.variables.length + work.given.length === 0

/** Passes everything on until nothing is new. */
export function settle(net: Network): void {
  const { work } = net
  while (!isSettled(net)) {
    const { variables, values, given } = work
    work.variables = []
    work.values = []
    work.given = []
    for (const value of given) net.handOver(value)
    for (let i = 0; i < variables.length; i++) {
      const what = values[i]
      if (typeof what === 'number') passFlag(net, variables[i] ?? 0, what)
      else if (what !== undefined) passValue(net, variables[i] ?? 0, what)
    }
  }
}

function passValue(net: Network, variable: number, value: Value): void {
  if (has(net, variable, IS_GIVEN)) net.giveAway(value)
  const copies = net.copies[variable]
  if (copies !== undefined)
    for (let i = 0; i < copies.length; i++) addValue(net, copies[i] ?? 0, value)
  const watchers = net.watchers[variable]
  if (watchers === undefined) return
  for (let i = 0; i < watchers.length; i++) watchers[i]?.value?.(value)
}

function passFlag(net: Network, variable: number, flag: number): void {
  if (flag === IS_GIVEN) for (const value of valuesOf(net, variable).slice()) net.giveAway(value)
  else {
    const copies = net.copies[variable]
    if (copies !== undefined) {
      for (let i = 0; i < copies.length; i++) {
        if (flag === IS_UNKNOWN) addUnknown(net, copies[i] ?? 0)
        else addFlag(net, copies[i] ?? 0, flag)
      }
    }
  }
  const watchers = net.watchers[variable]
  if (watchers === undefined) return
  for (let i = 0; i < watchers.length; i++) watchers[i]?.flag?.(flag)
}
