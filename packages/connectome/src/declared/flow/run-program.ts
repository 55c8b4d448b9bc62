// SPDX-License-Identifier: Apache-2.0
import { NOTHING, OP, PLAIN, SHAPE, UNKNOWN } from '../facts/module-facts.ts'
import { GLOBALS } from './builtin-names.ts'
import {
  type Arguments,
  bind,
  type Call,
  callKeyed,
  callMember,
  callVariable,
  construct,
  give,
  hear,
  pass,
  symbolName,
} from './calls.ts'
import {
  linkOf,
  type Program,
  passAllExports,
  passImport,
  passInterop,
  passReexport,
} from './exports.ts'
import {
  builtin,
  everyOf,
  fieldOf,
  type Heap,
  lookUp,
  newValue,
  protoOf,
  prototypeOf,
} from './heap.ts'
import { type LinkedModule, makeCallable } from './link.ts'
import {
  addCopy,
  addFlag,
  addUnknown,
  addValue,
  IS_PLAIN,
  IS_UNKNOWN,
  newVariable,
  valuesOf,
} from './network.ts'
import { noteName, type Site } from './sites.ts'
import { ELEMENT, isOfScope, type Value } from './values.ts'

/** A read that found nothing may have to answer that it is unknown, once all values are known. */
export interface Pending {
  readonly to: number
  readonly object: number
}

/** A call of a member of which the same is true. */
export interface PendingCall {
  readonly call: Call
  readonly object: number
  readonly name: string
}

/** What waits until all values are known. */
export interface Waiting {
  reads: Pending[]
  calls: PendingCall[]
}

/** A module's program while it is read: the words, and where in them. */
interface Reader {
  readonly program: Program
  readonly module: LinkedModule
  readonly global: Value
  readonly waiting: Waiting
  at: number
}

/** Turns a module's program into connections between its variables. */
export function runProgram(
  program: Program,
  module: LinkedModule,
  global: Value,
  waiting: Waiting,
): void {
  const reader: Reader = { program, module, global, waiting, at: 0 }
  const { code } = module.source.facts
  while (reader.at < code.length) step(reader)
}

function word(reader: Reader): number {
  return reader.module.source.facts.code[reader.at++] ?? NOTHING
}

function variable(reader: Reader): number {
  const local = word(reader)
  return local < 0 ? local : reader.module.first + local
}

function string(reader: Reader): string {
  return reader.module.source.facts.strings[word(reader)] ?? ''
}

function site(reader: Reader): Site {
  const found = reader.module.sites[word(reader)]
  if (found !== undefined) return found
  throw new TypeError('A program names a call site that it does not have') // only a fault of ours
}

function given(reader: Reader): Arguments {
  const count = word(reader)
  const list: number[] = []
  let tail = NOTHING
  for (let i = 0; i < count; i++) {
    const packed = word(reader)
    const local = packed >> 1
    const one = local < 0 ? local : reader.module.first + local
    if ((packed & 1) === 0 && tail === NOTHING) list.push(one)
    else {
      if (tail === NOTHING) tail = newVariable(heapOf(reader).net)
      if ((packed & 1) === 0) pass(reader.program.flow, one, tail)
      else readElement(reader, tail, one)
    }
  }
  return { list, tail }
}

const heapOf = (reader: Reader): Heap => reader.program.flow.heap

function step(reader: Reader): void {
  const { flow } = reader.program
  const op = word(reader)
  switch (op) {
    case OP.copy: {
      const to = variable(reader)
      return pass(flow, variable(reader), to)
    }
    case OP.func:
    case OP.cls: {
      const to = variable(reader)
      const value = makeCallable(flow, reader.module, op, word(reader))
      return addValue(flow.heap.net, to, value)
    }
    case OP.object:
      return makeObject(reader, variable(reader), word(reader))
    case OP.load:
      return loadMember(reader, variable(reader), variable(reader), string(reader))
    case OP.store:
    case OP.member:
      return storeMember(
        reader,
        variable(reader),
        string(reader),
        variable(reader),
        op === OP.member,
      )
    case OP.loadKey:
      return loadKey(reader, variable(reader), variable(reader), variable(reader))
    case OP.storeKey:
      return storeKey(reader, variable(reader), variable(reader), variable(reader))
    case OP.element:
      return readElement(reader, variable(reader), variable(reader))
    case OP.call:
    case OP.construct: {
      const where = site(reader)
      const callee = variable(reader)
      const call = callAt(reader, where, op === OP.construct)
      if (callee === PLAIN) noteName(where, 'builtins', '#')
      return callVariable(flow, call, callee, undefined)
    }
    case OP.method: {
      const where = site(reader)
      const object = variable(reader)
      const name = string(reader)
      const call = callAt(reader, where, false)
      reader.waiting.calls.push({ call, object, name })
      return callMember(flow, call, object, name)
    }
    case OP.keyed: {
      const where = site(reader)
      const object = variable(reader)
      const key = variable(reader)
      return callKeyed(flow, callAt(reader, where, false), object, key)
    }
    default:
      return stepRare(reader, op)
  }
}

function callAt(reader: Reader, where: Site, isNew: boolean): Call {
  const result = variable(reader)
  return { site: where, result, given: given(reader), isNew }
}

function stepRare(reader: Reader, op: number): void {
  const { program, module } = reader
  const { flow } = program
  const { net } = flow.heap
  switch (op) {
    case OP.global: {
      const to = variable(reader)
      return readGlobal(reader, to, string(reader))
    }
    case OP.setGlobal: {
      const name = string(reader)
      return pass(flow, variable(reader), fieldOf(flow.heap, reader.global, name))
    }
    case OP.imported: {
      const to = variable(reader)
      const link = linkOf(module, word(reader))
      return passImport(program, to, link, string(reader))
    }
    case OP.required: {
      const to = variable(reader)
      return passImport(program, to, linkOf(module, word(reader)), undefined)
    }
    case OP.exported: {
      const name = string(reader)
      return pass(flow, variable(reader), fieldOf(flow.heap, module.space, name))
    }
    case OP.reexported:
      return passReexport(program, module, {
        name: string(reader),
        request: word(reader),
        there: string(reader),
      })
    case OP.exportAll:
      return passAllExports(program, module, word(reader))
    case OP.escape:
      return give(flow, variable(reader))
    case OP.promise: {
      const to = variable(reader)
      const made = newValue(flow.heap, 'promise')
      addValue(net, to, made)
      return unwrap(reader, variable(reader), fieldOf(flow.heap, made, ELEMENT))
    }
    case OP.awaited: {
      const to = variable(reader)
      return unwrap(reader, variable(reader), to)
    }
    case OP.symbol:
      return addValue(net, variable(reader), newValue(flow.heap, 'symbol'))
    case OP.interop:
      return passInterop(program, module, {
        to: variable(reader),
        from: variable(reader),
        request: word(reader),
      })
    case OP.typed:
      net.typed.set(variable(reader), { cls: variable(reader), isAsked: false })
      return
    default:
      return stepObjects(reader, op)
  }
}

function stepObjects(reader: Reader, op: number): void {
  const { flow } = reader.program
  switch (op) {
    case OP.define:
      return define(reader, variable(reader), string(reader), variable(reader))
    case OP.spread:
    case OP.exportFrom:
      return inherit(reader, variable(reader), variable(reader))
    case OP.answer: {
      const to = variable(reader)
      return hear(
        flow,
        variable(reader),
        ({ fn }) => {
          if (fn !== undefined) addCopy(flow.heap.net, fn.result, to)
        },
        () => {},
      )
    }
    case OP.accessor:
      return addAccessor(reader, variable(reader), string(reader), word(reader), word(reader) === 1)
    case OP.publish:
      return publish(reader, variable(reader), variable(reader))
    case OP.superLoad: {
      const to = variable(reader)
      const cls = variable(reader)
      const isStatic = word(reader) === 1
      const name = string(reader)
      return eachBase(
        reader,
        cls,
        isStatic,
        (base) => {
          addCopy(flow.heap.net, lookUp(flow.heap, base, name), to)
        },
        () => pass(flow, UNKNOWN, to),
      )
    }
    case OP.superCall: {
      const where = site(reader)
      const cls = variable(reader)
      const self = variable(reader)
      return superCall(reader, callAt(reader, where, true), cls, self)
    }
    case OP.superMethod: {
      const where = site(reader)
      const cls = variable(reader)
      const isStatic = word(reader) === 1
      const self = variable(reader)
      const name = string(reader)
      const call = callAt(reader, where, false)
      return eachBase(
        reader,
        cls,
        isStatic,
        (base) => {
          callVariable(flow, call, lookUp(flow.heap, base, name), self)
        },
        () => {
          call.site.isUnknown = true
          for (const one of call.given.list) give(flow, one)
          pass(flow, UNKNOWN, call.result)
        },
      )
    }
    default:
      throw new TypeError('A program has an instruction that nobody knows') // only a fault of ours
  }
}

function makeObject(reader: Reader, to: number, shape: number): void {
  const kind = shape === SHAPE.list ? 'list' : shape === SHAPE.promise ? 'promise' : 'object'
  addValue(heapOf(reader).net, to, newValue(heapOf(reader), kind))
}

function loadMember(reader: Reader, to: number, object: number, name: string): void {
  const { flow } = reader.program
  const { heap } = flow
  reader.waiting.reads.push({ to, object })
  hear(
    flow,
    object,
    (value) => addCopy(heap.net, lookUp(heap, value, name), to),
    (flag) => {
      if (flag === IS_UNKNOWN) addUnknown(heap.net, to)
      else if (flag === IS_PLAIN) addFlag(heap.net, to, IS_PLAIN)
    },
  )
}

function storeMember(
  reader: Reader,
  object: number,
  name: string,
  from: number,
  isCertain: boolean,
): void {
  const { flow } = reader.program
  const { heap } = flow
  for (const value of valuesOf(heap.net, from)) if (value.fn !== undefined) heap.owned.add(value)
  hear(
    flow,
    object,
    (value) => {
      if (!isOfScope(value)) return give(flow, from)
      if (isCertain) value.certain.add(name)
      pass(flow, from, fieldOf(heap, value, name))
      const setter = value.setters.get(name)
      if (setter !== undefined) callSetter(reader, setter, from, value)
    },
    (flag) => {
      if (flag === IS_UNKNOWN) noteReachable(heap, name)
      if (flag === IS_UNKNOWN || flag === IS_PLAIN) give(flow, from)
    },
  )
}

type Fn = LinkedModule['functions'][number]

function callSetter(reader: Reader, setter: Fn, from: number, self: Value): void {
  const { flow } = reader.program
  bind(flow, { given: { list: [from], tail: NOTHING }, result: NOTHING }, setter, self)
}

/** Code outside may later find a function under a name that was set on an unknown object. */
function noteReachable(heap: Heap, name: string): void {
  heap.reachableNames.add(name)
}

function loadKey(reader: Reader, to: number, object: number, key: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    object,
    (value) => {
      if (!isOfScope(value)) return addCopy(heap.net, lookUp(heap, value, ELEMENT), to)
      hear(
        flow,
        key,
        (name) => {
          const symbol = symbolName(name)
          const from = symbol === undefined ? everyOf(heap, value) : lookUp(heap, value, symbol)
          addCopy(heap.net, from, to)
        },
        (flag) => {
          if (flag === IS_PLAIN || flag === IS_UNKNOWN) addCopy(heap.net, everyOf(heap, value), to)
        },
      )
    },
    (flag) => {
      if (flag === IS_UNKNOWN) addUnknown(heap.net, to)
      else if (flag === IS_PLAIN) addFlag(heap.net, to, IS_PLAIN)
    },
  )
}

function storeKey(reader: Reader, object: number, key: number, from: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    object,
    (value) => {
      if (!isOfScope(value)) return give(flow, from)
      hear(
        flow,
        key,
        (name) => {
          pass(flow, from, fieldOf(heap, value, symbolName(name) ?? ELEMENT))
        },
        (flag) => {
          if (flag === IS_PLAIN || flag === IS_UNKNOWN)
            pass(flow, from, fieldOf(heap, value, ELEMENT))
        },
      )
    },
    (flag) => {
      if (flag !== IS_UNKNOWN && flag !== IS_PLAIN) return
      if (flag === IS_UNKNOWN) noteAnyName(reader, from)
      give(flow, from)
    },
  )
}

function noteAnyName(reader: Reader, from: number): void {
  const { flow } = reader.program
  hear(
    flow,
    from,
    ({ kind }) => {
      if (kind === 'function' || kind === 'class') flow.heap.reachableByAnyName = true
    },
    () => {},
  )
}

function readElement(reader: Reader, to: number, list: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    list,
    (value) => {
      if (isOfScope(value)) addCopy(heap.net, lookUp(heap, value, ELEMENT), to)
      else addUnknown(heap.net, to)
    },
    (flag) => {
      if (flag === IS_UNKNOWN) addUnknown(heap.net, to)
      else if (flag === IS_PLAIN) addFlag(heap.net, to, IS_PLAIN)
    },
  )
}

/** What awaiting gives: what a promise holds, anything else as it is. */
function unwrap(reader: Reader, from: number, to: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    from,
    (value) => {
      if (value.kind !== 'promise') addValue(heap.net, to, value)
      else addCopy(heap.net, fieldOf(heap, value, ELEMENT), to)
    },
    (flag) => {
      if (flag === IS_UNKNOWN) addUnknown(heap.net, to)
      else if (flag === IS_PLAIN) addFlag(heap.net, to, IS_PLAIN)
    },
  )
}

function readGlobal(reader: Reader, to: number, name: string): void {
  const { heap } = reader.program.flow
  if (name === 'globalThis' || name === 'global') return addValue(heap.net, to, reader.global)
  if (GLOBALS.has(name)) return addValue(heap.net, to, builtin(heap, name))
  addCopy(heap.net, fieldOf(heap, reader.global, name), to)
  const object = newVariable(heap.net)
  addValue(heap.net, object, reader.global)
  reader.waiting.reads.push({ to, object })
}

function define(reader: Reader, object: number, name: string, descriptor: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    object,
    (value) => {
      if (!isOfScope(value)) return give(flow, descriptor)
      hear(
        flow,
        descriptor,
        (described) => {
          if (!isOfScope(described)) return
          addCopy(heap.net, lookUp(heap, described, 'value'), fieldOf(heap, value, name))
          hear(
            flow,
            lookUp(heap, described, 'get'),
            ({ fn }) => {
              if (fn === undefined) return
              addCopy(heap.net, fn.result, fieldOf(heap, value, name))
              if (fn.self >= 0) addValue(heap.net, fn.self, value)
            },
            () => {},
          )
        },
        () => {},
      )
    },
    (flag) => {
      if (flag === IS_UNKNOWN) noteReachable(heap, name)
      give(flow, descriptor)
    },
  )
}

function inherit(reader: Reader, object: number, from: number): void {
  const { flow } = reader.program
  hear(
    flow,
    object,
    (value) => {
      if (isOfScope(value)) pass(flow, from, protoOf(flow.heap, value))
      else give(flow, from)
    },
    () => give(flow, from),
  )
}

function addAccessor(
  reader: Reader,
  object: number,
  name: string,
  place: number,
  isSetter: boolean,
): void {
  const { flow } = reader.program
  const fn = reader.module.functions[place]
  hear(
    flow,
    object,
    (value) => {
      if (fn === undefined) return
      if (isSetter) value.setters.set(name, fn)
      else {
        value.getters.set(name, fn)
        value.certain.add(name)
      }
      if (value.kind === 'prototype' && value.of !== undefined && fn.self >= 0) {
        bindSelf(reader, fn, value.of)
      }
    },
    () => {},
  )
}

/** An accessor of a class runs on its instances; one of an object on that. */
function bindSelf(reader: Reader, fn: Fn, maker: Value): void {
  const { cls } = maker
  if (cls !== undefined) addCopy(heapOf(reader).net, cls.instance, fn.self)
}

function publish(reader: Reader, object: number, members: number): void {
  const { flow } = reader.program
  const { heap } = flow
  hear(
    flow,
    members,
    (value) => {
      for (const [name, field] of value.fields) {
        hear(
          flow,
          field,
          ({ fn }) => {
            if (fn === undefined) return
            hear(
              flow,
              object,
              (target) => {
                if (isOfScope(target)) addCopy(heap.net, fn.result, fieldOf(heap, target, name))
              },
              () => {},
            )
          },
          () => {},
        )
      }
    },
    () => {},
  )
}

/** What a class extends, or the prototype of that for code that runs on an instance. */
function eachBase(
  reader: Reader,
  cls: number,
  isStatic: boolean,
  found: (base: Value) => void,
  unknown: () => void,
): void {
  const { flow } = reader.program
  hear(
    flow,
    cls,
    (value) => {
      const owner = isStatic ? value : prototypeOf(flow.heap, value)
      hear(flow, protoOf(flow.heap, owner), found, (flag) => {
        if (flag === IS_UNKNOWN) unknown()
      })
    },
    () => {},
  )
}

function superCall(reader: Reader, call: Call, cls: number, self: number): void {
  const { flow } = reader.program
  hear(
    flow,
    cls,
    (value) => {
      hear(
        flow,
        value.cls?.base ?? NOTHING,
        (base) => {
          if (base !== value) construct(flow, call, base, self)
        },
        (flag) => {
          if (flag !== IS_UNKNOWN) return
          call.site.isUnknown = true
          for (const one of call.given.list) give(flow, one)
        },
      )
    },
    () => {},
  )
}
