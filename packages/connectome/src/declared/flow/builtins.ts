// SPDX-License-Identifier: Apache-2.0
import { NOTHING, PLAIN } from '../facts/module-facts.ts'
import { callsNothing, memberPath } from './builtin-names.ts'
import {
  type Call,
  callValue,
  createArguments,
  createCall,
  type Flow,
  giveAll,
  handCallbacks,
  hear,
  pass,
  type Receiver,
} from './calls.ts'
import {
  applied,
  bound,
  called,
  caught,
  chained,
  made,
  newPromise,
  promised,
  promisedAll,
  reflected,
  replaced,
  resolved,
} from './function-models.ts'
import { builtin } from './heap-store.ts'
import {
  collection,
  compared,
  copied,
  each,
  find,
  flattened,
  iterated,
  keep,
  listFrom,
  mapped,
  membersOf,
  pairsOf,
  put,
  reduced,
  taken,
} from './list-models.ts'
import { listOf } from './lists.ts'
import { at, type Model } from './model.ts'
import { addValue } from './network.ts'
import {
  assigned,
  created,
  inherited,
  inherits,
  prototypes,
  same,
  symbol,
  wrapped,
} from './object-models.ts'
import { noteName } from './sites.ts'
import type { Value } from './values.ts'

const METHODS: Readonly<Record<string, Model>> = {
  ...{ forEach: each, some: each, every: each, findIndex: each, findLastIndex: each },
  ...{ find, findLast: find, filter: keep, map: mapped, flatMap: mapped, reduce: reduced },
  ...{ reduceRight: reduced, concat: copied, slice: copied, splice: copied, flat: flattened },
  ...{ reverse: copied, toReversed: copied, toSpliced: copied, with: copied, toArray: copied },
  ...{ take: copied, drop: copied, values: iterated, entries: iterated, keys: iterated },
  ...{ pop: taken, shift: taken, at: taken, get: taken, deref: taken, push: put, unshift: put },
  ...{
    set: put,
    add: put,
    fill: put,
    sort: compared,
    toSorted: compared,
    then: chained,
    catch: caught,
  },
  ...{ finally: caught, call: called, apply: applied, bind: bound, replace: replaced },
  ...{ replaceAll: replaced, next: iterated, resolve: resolved },
}

const STATICS: Readonly<Record<string, Model>> = {
  ...{ 'Object.assign': assigned, 'Object.create': created, 'Object.setPrototypeOf': inherited },
  ...{ 'Object.freeze': same, 'Object.seal': same, 'Object.preventExtensions': same },
  ...{ 'Object.values': membersOf, 'Object.entries': pairsOf, 'Object.fromEntries': collection },
  ...{ 'Object.getPrototypeOf': prototypes, 'Reflect.getPrototypeOf': prototypes, Object: same },
  ...{ 'Reflect.apply': reflected, 'Reflect.construct': made, 'Reflect.setPrototypeOf': inherited },
  ...{ 'Array.from': listFrom, 'Array.of': collection, Array: collection, Map: collection },
  ...{ Set: collection, WeakMap: collection, WeakSet: collection, WeakRef: collection },
  ...{ 'Promise.resolve': promised, 'Promise.all': promisedAll, 'Promise.race': promisedAll },
  ...{ 'Promise.any': promisedAll, 'Promise.allSettled': promisedAll, Promise: newPromise },
  ...{ Proxy: wrapped, 'Symbol.for': symbol, 'Object.defineProperty': same },
  ...{ 'Object.defineProperties': same, 'node:util.inherits': inherits },
}

/** What hands nothing on: arguments stay where they are and the answer holds nothing of the scope. */
const HARMLESS =
  /^(?:Math|JSON|Number|String|Boolean|console|Date|RegExp|BigInt|Object|Reflect|Intl|Atomics|Buffer|URL|parse\w+|is\w+|\w*code\w*|\w*[eE]rror|\w*Array|node:path|node:os|node:querystring|node:url|node:crypto)\b|^#/

/** Members of the platform that run what was handed to it before. */
const REENTRANT =
  /\.(?:emit|publish|runStores|dispatchEvent|abort|write|end|push|read|destroy|resume)$/

const HOLDERS =
  /^(?:node:(?:events|stream|http|https|http2|net|tls|zlib|diagnostics_channel|async_hooks|worker_threads|readline)|EventTarget|AbortController|process)\b/

export function callBuiltin(flow: Flow, call: Call, callee: Value, receiver: Receiver): void {
  const { name } = callee
  const { site, given, result } = call
  const isAgain = !noteName(site, 'builtins', name)
  const { model, isReentrant, isHarmless, handed, answer } = traitsOf(name)
  if (model !== undefined) return model(flow, call, receiver, callee)
  if (isReentrant) site.isReentrant = true
  if (isAgain) return
  if (isHarmless) callHanded(flow, call, handed)
  else {
    giveAll(flow, given)
    handCallbacks(flow, call, undefined)
  }
  if (isHarmless) pass(flow, PLAIN, result)
  else if (result >= 0) {
    addValue(flow.heap.net, result, builtin(flow.heap, answer))
  }
}

/** Those of the harmless that call what stands in their second argument. */
const CALLS_SECOND = /^JSON\.|\.(?:from|groupBy|fromAsync)$/

/** Those that may call any argument. What a value's own method does is known by its name alone. */
const CALLS_ANY = /^(?:node:crypto|#)/

/** What the name of a builtin says of its calls. */
interface Traits {
  readonly model: Model | undefined
  readonly isReentrant: boolean
  readonly isHarmless: boolean
  readonly handed: 'none' | 'second' | 'any'
  /** The builtin that a call of it answers. */
  readonly answer: string
}

/** Scopes call the same few hundred names many thousand times. */
const TRAITS = new Map<string, Traits>()
const MOST_TRAITS = 4_096

function traitsOf(name: string): Traits {
  const known = TRAITS.get(name)
  if (known !== undefined) return known
  const isAny = CALLS_ANY.test(name) && !callsNothing(name)
  const found: Traits = {
    model: name.startsWith('#') ? ownEntry(METHODS, name.slice(1)) : ownEntry(STATICS, name),
    isReentrant: REENTRANT.test(name) && HOLDERS.test(name),
    isHarmless: HARMLESS.test(name),
    handed: CALLS_SECOND.test(name) ? 'second' : isAny ? 'any' : 'none',
    answer: memberPath(name, '()'),
  }
  if (TRAITS.size >= MOST_TRAITS) TRAITS.clear()
  TRAITS.set(name, found)
  return found
}

function callHanded(flow: Flow, call: Call, handed: Traits['handed']): void {
  if (handed === 'none') return
  if (handed === 'second') return callIfWritten(flow, call, 1)
  for (let i = 0; i < call.given.list.length; i++) callIfWritten(flow, call, i)
}

/** Calls an argument that is a function of the scope; one that is unknown is taken to be data. */
function callIfWritten(flow: Flow, call: Call, place: number): void {
  const given = createArguments(listOf([PLAIN, PLAIN, PLAIN]))
  hear(
    flow,
    at(call, place),
    (value) => {
      if (value.kind !== 'function') return
      callValue(flow, createCall(call.site, given, NOTHING), value, undefined)
    },
    () => {},
  )
}

function ownEntry(models: Readonly<Record<string, Model>>, name: string): Model | undefined {
  return Object.hasOwn(models, name) ? models[name] : undefined
}
