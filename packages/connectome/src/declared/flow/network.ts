// SPDX-License-Identifier: Apache-2.0
import { append, grown, nextAt, type Pairs, whatAt } from './chains.ts'
import type { Network } from './network-store.ts'
import { addPair, getPair } from './pair-table.ts'
import type { Value } from './values.ts'

/** May hold something that holds nothing of the scope. */
export const IS_PLAIN = 1
/** May hold anything at all that code outside can reach. */
export const IS_UNKNOWN = 2
/** Whatever it holds is within reach of code outside. */
export const IS_GIVEN = 4

/** A member that is an object's own for certain, so that its prototype has no say. Told to nobody. */
export const IS_OWN = 8

/** Holds one value once it is made, and never another. Told to nobody. */
const IS_FIXED = 16
/** Was given more values than it holds: all that come are within reach of code outside. Told to nobody. */
const IS_FULL = 32
/** What it holds stands in a table too. Told to nobody. */
const IS_MANY = 64
/** Holds at most MOST_VALUES, whatever they are. Told to nobody. */
const IS_NARROW = 128

/** More values than this in one place say no more than that it is unknown. */
const MOST_VALUES = 14

/** The same where they are functions of one package: registries hold many, which lead to little else. */
const MOST_FUNCTIONS = 256

/** Beyond so many a repeated copy is cheaper than finding that it is one. */
const SEARCHED = 16

const RECORD = 4
const [HELD, COPIES, WATCHED] = [1, 2, 3]
const WATCH = 5

/** The kind that hears of IS_GIVEN too, which a variable that is fixed may come to be. */
export const TO_ALL_FLAGS = 0

export function newVariable(net: Network): number {
  return newVariables(net, 1)
}

export function newVariables(net: Network, count: number): number {
  const first = net.size
  net.size += count
  if (net.size * RECORD > net.records.length) net.records = grown(net.records, net.size * RECORD)
  return first
}

const headOf = ({ records }: Network, variable: number, chain: number): number =>
  records[variable * RECORD + chain] ?? 0

/** Puts an entry before the head of a chain. */
function link(net: Network, pairs: Pairs, variable: number, chain: number, what: number): void {
  net.records[variable * RECORD + chain] = append(pairs, what, headOf(net, variable, chain))
}

const valueAt = ({ values }: Network, id: number): Value => values[id] as Value // every id is a place there

/** What a variable holds at the moment, in the order it came. */
export function valuesOf(net: Network, variable: number): readonly Value[] {
  let place = variable < 0 ? 0 : headOf(net, variable, HELD)
  if (place === 0) return NONE
  const found: Value[] = []
  for (; place !== 0; place = nextAt(net.held, place)) {
    found.push(valueAt(net, whatAt(net.held, place)))
  }
  return found.reverse()
}
const NONE: readonly Value[] = []

export const has = (net: Network, variable: number, flag: number): boolean =>
  ((net.records[variable * RECORD] ?? 0) & flag) !== 0

export function isEmpty(net: Network, variable: number): boolean {
  return headOf(net, variable, HELD) === 0 && !has(net, variable, IS_PLAIN | IS_UNKNOWN)
}

export function addValue(net: Network, variable: number, value: Value): void {
  addId(net, variable, value.id)
}

function addId(net: Network, variable: number, id: number): void {
  const { held, records } = net
  let count = 0
  if (((records[variable * RECORD] ?? 0) & (IS_FULL | IS_MANY)) !== 0) count = MOST_VALUES
  else {
    const { list } = held
    for (let at = headOf(net, variable, HELD); at !== 0; at = list[at * 2 + 1] ?? 0) {
      if (list[at * 2] === id) return
      count++
    }
  }
  // One rare way out, since the engine compiles this anew for each that it meets late.
  if (count >= MOST_VALUES) return addToMany(net, variable, id)
  link(net, held, variable, HELD, id)
  append(net.work, variable, id)
}

/** The same for a variable that holds MOST_VALUES or more. */
function addToMany(net: Network, variable: number, id: number): void {
  if (has(net, variable, IS_FULL)) {
    if (!valueAt(net, id).isEscaped) giveAway(net, valueAt(net, id))
    return
  }
  const count = net.counts.get(variable) ?? MOST_VALUES
  if (has(net, variable, IS_MANY) && getPair(net.many, variable, id) >= 0) return
  if (!isRegistered(net, variable, id, count)) {
    addFlag(net, variable, IS_UNKNOWN)
    addFlag(net, variable, IS_GIVEN)
    giveAway(net, valueAt(net, id))
    return
  }
  noteMany(net, variable, id, count)
  link(net, net.held, variable, HELD, id)
  append(net.work, variable, id)
}

/** Whether a value is one more function in a place that may be a registry of them. */
function isRegistered(net: Network, variable: number, id: number, count: number): boolean {
  const most = has(net, variable, IS_NARROW) ? MOST_VALUES : MOST_FUNCTIONS
  const { fn } = valueAt(net, id)
  if (count < most) {
    if (fn === undefined) return false
    const isOne =
      count > MOST_VALUES
        ? lastOf(net, variable).fn?.packageName === fn.packageName
        : isOfOnePackage(net, variable, fn.packageName)
    if (isOne) return true
  }
  mark(net, variable, IS_FULL)
  return false
}

/** Functions of several packages in one place are no registry, but many places that are taken for one. */
function isOfOnePackage(net: Network, variable: number, name: string): boolean {
  for (let at = headOf(net, variable, HELD); at !== 0; at = nextAt(net.held, at)) {
    const { fn } = valueAt(net, whatAt(net.held, at))
    if (fn !== undefined && fn.packageName !== name) return false
  }
  return true
}

/** What came last to a variable that holds something. */
const lastOf = (net: Network, variable: number): Value =>
  valueAt(net, whatAt(net.held, headOf(net, variable, HELD)))

/** Keeps what a variable holds in a table too, where going through it would take long. */
function noteMany(net: Network, variable: number, id: number, count: number): void {
  const { held, many, counts } = net
  if (!has(net, variable, IS_MANY)) {
    mark(net, variable, IS_MANY)
    for (let at = headOf(net, variable, HELD); at !== 0; at = nextAt(held, at)) {
      addPair(many, variable, whatAt(held, at), 1)
    }
  }
  addPair(many, variable, id, 1)
  counts.set(variable, count + 1)
}

export function addFlag(net: Network, variable: number, flag: number): void {
  const flags = net.records[variable * RECORD] ?? 0
  if ((flags & flag) !== 0) return
  net.records[variable * RECORD] = flags | flag
  append(net.work, variable, -flag)
}

function mark({ records }: Network, variable: number, flag: number): void {
  records[variable * RECORD] = (records[variable * RECORD] ?? 0) | flag
}

export const markOwn = (net: Network, variable: number): void => mark(net, variable, IS_OWN)
export const markNarrow = (net: Network, variable: number): void => mark(net, variable, IS_NARROW)
export const markFixed = (net: Network, variable: number): void => mark(net, variable, IS_FIXED)

/** Makes a variable unknown; one of a declared type takes it that the type is kept to. */
export function addUnknown(net: Network, variable: number): void {
  if (has(net, variable, IS_UNKNOWN)) return
  const typed = net.typed.size === 0 ? undefined : net.typed.get(variable)
  if (typed === undefined) addFlag(net, variable, IS_UNKNOWN)
  else typed.isAsked = true
}

export function addCopy(net: Network, from: number, to: number): void {
  if (from === to) return
  const { copies, held } = net
  let place = headOf(net, from, COPIES)
  for (let i = 0; place !== 0 && i < SEARCHED; i++) {
    if (whatAt(copies, place) === to) return
    place = nextAt(copies, place)
  }
  link(net, copies, from, COPIES, to)
  for (let at = headOf(net, from, HELD); at !== 0; at = nextAt(held, at)) {
    addId(net, to, whatAt(held, at))
  }
  if (has(net, from, IS_PLAIN)) addFlag(net, to, IS_PLAIN)
  if (has(net, from, IS_UNKNOWN)) addUnknown(net, to)
}

export function watch(
  net: Network,
  variable: number,
  kind: number,
  a: number,
  b: number,
  c: number,
): void {
  const { watched, records, listener } = net
  const head = headOf(net, variable, HELD)
  if (head !== 0 && has(net, variable, IS_FIXED) && kind !== TO_ALL_FLAGS) {
    return listener?.value(kind, a, b, c, valueAt(net, whatAt(net.held, head)))
  }
  const place = watched.size++
  if ((place + 1) * WATCH > watched.list.length) {
    watched.list = grown(watched.list, watched.expected)
  }
  const { list } = watched
  const at = place * WATCH
  list[at] = kind
  list[at + 1] = a
  list[at + 2] = b
  list[at + 3] = c
  list[at + 4] = records[variable * RECORD + WATCHED] ?? 0
  records[variable * RECORD + WATCHED] = place
  if (head !== 0 || (records[variable * RECORD] ?? 0) !== 0) tell(net, variable, kind, a, b, c)
}

/**
 * Tells a new watcher what the variable holds already; what the listener adds meanwhile comes with the work
 * that follows. A function of its own, so that an end of it that is met late is compiled anew here alone.
 */
function tell(net: Network, variable: number, kind: number, a: number, b: number, c: number): void {
  const { listener } = net
  for (const value of valuesOf(net, variable)) listener?.value(kind, a, b, c, value)
  for (const flag of TOLD) if (has(net, variable, flag)) listener?.flag(kind, a, b, c, flag)
}
const TOLD = [IS_PLAIN, IS_UNKNOWN, IS_GIVEN]

/** Puts a value in line to be given to code outside. */
export function giveAway(net: Network, value: Value): void {
  net.given.push(value)
}

export const isSettled = ({ work, given }: Network): boolean => work.size + given.length === 0

/** Passes everything on until nothing is new. */
export function settle(net: Network): void {
  while (!isSettled(net)) {
    const { work, given } = net
    net.work = net.spare
    net.spare = work
    net.given = []
    for (let i = 0; i < given.length; i++) net.handOver(given[i] as Value) // every place is filled
    for (let i = 0; i < work.size; i++) {
      const news = nextAt(work, i)
      if (news < 0) passFlag(net, whatAt(work, i), -news)
      else passValue(net, whatAt(work, i), news)
    }
    work.size = 0
  }
}

function passValue(net: Network, variable: number, id: number): void {
  const value = valueAt(net, id)
  if (has(net, variable, IS_GIVEN) && !value.isEscaped) giveAway(net, value)
  const { copies, watched, listener } = net
  for (let at = headOf(net, variable, COPIES); at !== 0; at = nextAt(copies, at)) {
    addId(net, whatAt(copies, at), id)
  }
  for (let place = headOf(net, variable, WATCHED); place !== 0; ) {
    // The array may be another one after the listener was told.
    const { list } = watched
    const at = place * WATCH
    place = list[at + 4] ?? 0
    listener?.value(list[at] ?? 0, list[at + 1] ?? 0, list[at + 2] ?? 0, list[at + 3] ?? 0, value)
  }
}

function passFlag(net: Network, variable: number, flag: number): void {
  const { copies, watched, listener } = net
  if (flag === IS_GIVEN) for (const value of valuesOf(net, variable)) giveAway(net, value)
  else {
    for (let at = headOf(net, variable, COPIES); at !== 0; at = nextAt(copies, at)) {
      if (flag === IS_UNKNOWN) addUnknown(net, whatAt(copies, at))
      else addFlag(net, whatAt(copies, at), flag)
    }
  }
  for (let place = headOf(net, variable, WATCHED); place !== 0; ) {
    const { list } = watched
    const at = place * WATCH
    place = list[at + 4] ?? 0
    listener?.flag(list[at] ?? 0, list[at + 1] ?? 0, list[at + 2] ?? 0, list[at + 3] ?? 0, flag)
  }
}
