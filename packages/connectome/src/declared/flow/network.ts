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

/** Beyond so many a repeated copy is cheaper than finding that it is one. */
const SEARCHED = 16

/** Hears what a variable holds. One object for each, without closures: there are hundreds of thousands. */
export interface Watcher {
  /** Told of each value, sometimes twice. */
  value(value: Value): void
  /** Told of each of IS_PLAIN, IS_UNKNOWN and IS_GIVEN. */
  flag(flag: number): void
}

/**
 * Variables, what they hold, and who must hear of it. Everything about a variable stands in arrays of
 * numbers: lists are chains of entries in one array each, entry 0 being the end of every chain.
 */
export interface Network {
  size: number
  flags: Uint8Array
  counts: Uint8Array
  /** Heads of chains in `held`, `copies` and `watched`, by variable. */
  firstHeld: Int32Array
  firstCopy: Int32Array
  firstWatched: Int32Array
  readonly held: Chains
  readonly copies: Chains
  /** Entries here are also the places of `watchers`. */
  readonly watched: Chains
  readonly watchers: Watcher[]
  readonly values: Value[]
  /** Variables of a declared type: noted instead of becoming unknown. */
  readonly typed: Map<number, { readonly cls: number; isAsked: boolean }>
  work: Queue
  spare: Queue
  given: Value[]
  /** Gives a value to code outside; called for one after the other, so that nothing nests. */
  readonly handOver: (value: Value) => void
}

/** Entries of chains: what each says, and the next entry. */
interface Chains {
  size: number
  what: Int32Array
  next: Int32Array
}

/** Variables and what is new of each: the id of a value, or a flag below 0. */
interface Queue {
  size: number
  variables: Int32Array
  news: Int32Array
}

const FIRST_SIZE = 1 << 12

const createChains = (): Chains => ({
  size: 1,
  what: new Int32Array(FIRST_SIZE),
  next: new Int32Array(FIRST_SIZE),
})

const createQueue = (): Queue => ({
  size: 0,
  variables: new Int32Array(FIRST_SIZE),
  news: new Int32Array(FIRST_SIZE),
})

/** A network of the values in a list, where each stands at the place that is its id. */
export function createNetwork(values: Value[], handOver: (value: Value) => void): Network {
  return {
    size: 0,
    flags: new Uint8Array(FIRST_SIZE),
    counts: new Uint8Array(FIRST_SIZE),
    firstHeld: new Int32Array(FIRST_SIZE),
    firstCopy: new Int32Array(FIRST_SIZE),
    firstWatched: new Int32Array(FIRST_SIZE),
    ...{ held: createChains(), copies: createChains(), watched: createChains() },
    watchers: [NOBODY],
    ...{ values, typed: new Map(), work: createQueue(), spare: createQueue(), given: [], handOver },
  }
}

const NOBODY: Watcher = { value() {}, flag() {} }

function doubled<List extends Int32Array | Uint8Array>(list: List, size: number): List {
  const length = Math.max(list.length * 2, size)
  const more = list instanceof Uint8Array ? new Uint8Array(length) : new Int32Array(length)
  more.set(list)
  return more as List // of the same kind, made above
}

export function newVariable(net: Network): number {
  return newVariables(net, 1)
}

export function newVariables(net: Network, count: number): number {
  const first = net.size
  net.size += count
  if (net.size > net.flags.length) {
    net.flags = doubled(net.flags, net.size)
    net.counts = doubled(net.counts, net.size)
    net.firstHeld = doubled(net.firstHeld, net.size)
    net.firstCopy = doubled(net.firstCopy, net.size)
    net.firstWatched = doubled(net.firstWatched, net.size)
  }
  return first
}

/** Puts an entry before the head of a chain; answers the new head. */
function link(chains: Chains, what: number, head: number): number {
  const place = chains.size++
  if (place === chains.what.length) {
    chains.what = doubled(chains.what, 0)
    chains.next = doubled(chains.next, 0)
  }
  chains.what[place] = what
  chains.next[place] = head
  return place
}

function enqueue({ work }: Network, variable: number, news: number): void {
  const place = work.size++
  if (place === work.news.length) {
    work.variables = doubled(work.variables, 0)
    work.news = doubled(work.news, 0)
  }
  work.variables[place] = variable
  work.news[place] = news
}

/** What a variable holds at the moment, in the order it came. */
export function valuesOf(net: Network, variable: number): readonly Value[] {
  const count = variable < 0 ? 0 : (net.counts[variable] ?? 0)
  if (count === 0) return NONE
  const found: Value[] = new Array(count)
  let place = net.firstHeld[variable] ?? 0
  for (let i = count - 1; i >= 0; i--) {
    found[i] = net.values[net.held.what[place] ?? 0] as Value // every id is a place of the list
    place = net.held.next[place] ?? 0
  }
  return found
}
const NONE: readonly Value[] = []

export const has = (net: Network, variable: number, flag: number): boolean =>
  ((net.flags[variable] ?? 0) & flag) !== 0

export function isEmpty(net: Network, variable: number): boolean {
  return net.counts[variable] === 0 && !has(net, variable, IS_PLAIN | IS_UNKNOWN)
}

export function addValue(net: Network, variable: number, value: Value): void {
  addId(net, variable, value.id)
}

function addId(net: Network, variable: number, id: number): void {
  const { what, next } = net.held
  const head = net.firstHeld[variable] ?? 0
  for (let place = head; place !== 0; place = next[place] ?? 0) if (what[place] === id) return
  const count = net.counts[variable] ?? 0
  if (count >= MOST_VALUES) {
    addFlag(net, variable, IS_UNKNOWN)
    addFlag(net, variable, IS_GIVEN)
    giveAway(net, net.values[id] as Value) // every id is a place of the list
    return
  }
  net.counts[variable] = count + 1
  net.firstHeld[variable] = link(net.held, id, head)
  enqueue(net, variable, id)
}

export function addFlag(net: Network, variable: number, flag: number): void {
  const flags = net.flags[variable] ?? 0
  if ((flags & flag) !== 0) return
  net.flags[variable] = flags | flag
  enqueue(net, variable, -flag)
}

/** Makes a variable unknown; one of a declared type takes it that the type is kept to. */
export function addUnknown(net: Network, variable: number): void {
  if (has(net, variable, IS_UNKNOWN)) return
  const typed = net.typed.size === 0 ? undefined : net.typed.get(variable)
  if (typed === undefined) addFlag(net, variable, IS_UNKNOWN)
  else typed.isAsked = true
}

export function addCopy(net: Network, from: number, to: number): void {
  if (from === to) return
  const { what, next } = net.copies
  const head = net.firstCopy[from] ?? 0
  let place = head
  for (let i = 0; place !== 0 && i < SEARCHED; i++) {
    if (what[place] === to) return
    place = next[place] ?? 0
  }
  net.firstCopy[from] = link(net.copies, to, head)
  for (let at = net.firstHeld[from] ?? 0; at !== 0; at = net.held.next[at] ?? 0) {
    addId(net, to, net.held.what[at] ?? 0)
  }
  const flags = net.flags[from] ?? 0
  if ((flags & IS_PLAIN) !== 0) addFlag(net, to, IS_PLAIN)
  if ((flags & IS_UNKNOWN) !== 0) addUnknown(net, to)
}

export function watch(net: Network, variable: number, watcher: Watcher): void {
  net.firstWatched[variable] = link(net.watched, 0, net.firstWatched[variable] ?? 0)
  net.watchers.push(watcher)
  // What the watcher itself adds it is told by the work to come.
  for (const value of valuesOf(net, variable)) watcher.value(value)
  const flags = net.flags[variable] ?? 0
  if (flags === 0) return
  if ((flags & IS_PLAIN) !== 0) watcher.flag(IS_PLAIN)
  if ((flags & IS_UNKNOWN) !== 0) watcher.flag(IS_UNKNOWN)
  if ((flags & IS_GIVEN) !== 0) watcher.flag(IS_GIVEN)
}

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
    for (const value of given) net.handOver(value)
    for (let i = 0; i < work.size; i++) {
      const news = work.news[i] ?? 0
      if (news < 0) passFlag(net, work.variables[i] ?? 0, -news)
      else passValue(net, work.variables[i] ?? 0, news)
    }
    work.size = 0
  }
}

function passValue(net: Network, variable: number, id: number): void {
  const value = net.values[id] as Value // every id is a place of the list
  if (has(net, variable, IS_GIVEN) && !value.isEscaped) giveAway(net, value)
  const { copies, watched } = net
  for (let at = net.firstCopy[variable] ?? 0; at !== 0; at = copies.next[at] ?? 0) {
    addId(net, copies.what[at] ?? 0, id)
  }
  for (let at = net.firstWatched[variable] ?? 0; at !== 0; at = watched.next[at] ?? 0) {
    net.watchers[at]?.value(value)
  }
}

function passFlag(net: Network, variable: number, flag: number): void {
  const { copies, watched } = net
  if (flag === IS_GIVEN) for (const value of valuesOf(net, variable)) giveAway(net, value)
  else {
    for (let at = net.firstCopy[variable] ?? 0; at !== 0; at = copies.next[at] ?? 0) {
      if (flag === IS_UNKNOWN) addUnknown(net, copies.what[at] ?? 0)
      else addFlag(net, copies.what[at] ?? 0, flag)
    }
  }
  for (let at = net.firstWatched[variable] ?? 0; at !== 0; at = watched.next[at] ?? 0) {
    net.watchers[at]?.flag(flag)
  }
}
