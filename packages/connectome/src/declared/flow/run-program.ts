// SPDX-License-Identifier: Apache-2.0
import { OP, PLAIN, UNKNOWN } from '../facts/module-facts.ts'
import { callKeyed, callMember, callVariable, give, hear, pass } from './calls.ts'
import { eachBase, narrow, superCall } from './class-links.ts'
import {
  linkOf,
  type Program,
  passAllExports,
  passImport,
  passInterop,
  passReexport,
} from './exports.ts'
import { fieldOf, lookUp } from './heap.ts'
import { newValue } from './heap-store.ts'
import { type LinkedModule, makeCallable } from './link.ts'
import {
  addAccessor,
  define,
  inherit,
  loadKey,
  loadMember,
  makeObject,
  publish,
  readGlobal,
  storeKey,
  storeMember,
  unwrap,
} from './members.ts'
import { addCopy, addValue } from './network.ts'
import {
  callAt,
  name,
  type Reader,
  readElement,
  site,
  string,
  variable,
  type Waiting,
  word,
} from './reader.ts'
import { noteName } from './sites.ts'
import { ELEMENT, type Value } from './values.ts'
import { withChanged } from './with-changed.ts'

/** Turns a module's program into connections between its variables. */
export function runProgram(
  program: Program,
  module: LinkedModule,
  global: Value,
  waiting: Waiting,
): void {
  const reader = withChanged<Reader>({ program, module, global, waiting, at: -1 }, { at: 0 })
  const { code } = module.source.facts
  while (reader.at < code.length) step(reader)
}

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
      return loadMember(reader, variable(reader), variable(reader), name(reader))
    case OP.store:
    case OP.member:
      return storeMember(reader, variable(reader), name(reader), variable(reader), op === OP.member)
    case OP.loadKey:
      return loadKey(reader, variable(reader), variable(reader), variable(reader))
    case OP.storeKey:
      return storeKey(reader, variable(reader), variable(reader), variable(reader))
    case OP.element:
      return readElement(reader, variable(reader), variable(reader))
    case OP.call:
    case OP.construct: {
      const where = site(reader)
      const isPlain = reader.module.source.facts.code[reader.at] === PLAIN
      const callee = variable(reader)
      const call = callAt(reader, where, op === OP.construct)
      if (isPlain) noteName(where, 'builtins', '#')
      return callVariable(flow, call, callee, undefined)
    }
    case OP.method: {
      const where = site(reader)
      const object = variable(reader)
      const member = name(reader)
      const call = callAt(reader, where, false)
      reader.waiting.calls.push({ call, object, name: member })
      return callMember(flow, call, object, member)
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
      const field = fieldOf(flow.heap, reader.global, string(reader))
      return pass(flow, variable(reader), field)
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
      const field = fieldOf(flow.heap, module.space, string(reader))
      return pass(flow, variable(reader), field)
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
    case OP.narrowed:
      return narrow(reader, variable(reader), variable(reader), variable(reader))
    case OP.accessor:
      return addAccessor(reader, variable(reader), string(reader), word(reader), word(reader) === 1)
    case OP.publish:
      return publish(reader, variable(reader), variable(reader))
    case OP.superLoad: {
      const to = variable(reader)
      const cls = variable(reader)
      const isStatic = word(reader) === 1
      const member = string(reader)
      return eachBase(
        reader,
        cls,
        isStatic,
        (base) => {
          addCopy(flow.heap.net, lookUp(flow.heap, base, member), to)
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
      const member = string(reader)
      const call = callAt(reader, where, false)
      return eachBase(
        reader,
        cls,
        isStatic,
        (base) => {
          callVariable(flow, call, lookUp(flow.heap, base, member), self)
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
