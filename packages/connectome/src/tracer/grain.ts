// SPDX-License-Identifier: Apache-2.0
import type { FunctionPlace } from '../declared/function-table.ts'
import type { ModuleIdentity } from '../graph/node-id.ts'
import type { Frame } from './entry-hook.ts'
import type { ModulePlaces } from './find-place.ts'
import type { ModuleIds } from './module-ids.ts'

/** What a call leads to. */
export interface Callee {
  readonly identity: ModuleIdentity
  /** Whether it initialises fields, which a constructor has done without a call. */
  readonly isInitialiser: boolean
}

/** What a frame of the stack says of the caller. */
export interface Caller {
  /** Undefined where the code there has no place in the graph. */
  readonly identity: ModuleIdentity | undefined
  readonly isConstructor: boolean
}

/** What edges are between. Of one end there is one identity. */
export interface Grain {
  /** What begins at a position of a module, line from 1 and column from 0; undefined for what no call enters. */
  readonly calleeAt: (module: string, line: number, column: number) => Callee | undefined
  /** The caller, if it stands in this frame; undefined where the next one is to be asked. */
  readonly callerIn: (frame: Frame) => Caller | undefined
  readonly isEdge: (from: Caller, to: Callee) => boolean
}

/** Edges between modules; calls within one are none. */
export function betweenModules(server: string, { idOf }: ModuleIds): Grain {
  const identityOf = once((module): ModuleIdentity => ({ kind: 'module', server, module }))
  return {
    calleeAt: (module) => ({ identity: identityOf(module), isInitialiser: false }),
    callerIn: (frame) => {
      const module = idOf(frame.getFileName())
      return module === undefined
        ? undefined
        : { identity: identityOf(module), isConstructor: false }
    },
    isEdge: (from, to) => from.identity !== to.identity,
  }
}

/** Edges between functions, those of one module and of one function among them. */
export function betweenFunctions(
  server: string,
  { idOf }: ModuleIds,
  table: ReadonlyMap<string, ModulePlaces>,
): Grain {
  const identities = once((module) =>
    once((key): ModuleIdentity => {
      const [name, arity] = JSON.parse(key) as [string, number] // written below
      return { kind: 'module', server, module, function: name, arity }
    }),
  )
  const identityOf = (module: string, place: FunctionPlace): ModuleIdentity =>
    identities(module)(JSON.stringify([place.function, place.arity]))
  return {
    calleeAt: (module, line, column) => {
      const place = table.get(module)?.at(line, column)
      if (place?.kind !== 'function' && place?.kind !== 'field') return undefined
      return { identity: identityOf(module, place), isInitialiser: place.kind === 'field' }
    },
    callerIn: (frame) => {
      const module = idOf(frame.getFileName())
      if (module === undefined) return undefined
      const [line, column] = [frame.getLineNumber() ?? 0, (frame.getColumnNumber() ?? 0) - 1]
      const place = table.get(module)?.at(line, column)
      const isConstructor = frame.isConstructor()
      if (place === undefined) return { identity: undefined, isConstructor }
      if (isConstructor && isDefault(place, line, column)) return undefined
      return { identity: identityOf(module, place), isConstructor }
    },
    isEdge: (from, to) =>
      !(to.isInitialiser && from.isConstructor && from.identity === to.identity),
  }
}

/** A constructor that nobody wrote stands where its class does; whoever called it is the caller. */
function isDefault({ kind, ...place }: FunctionPlace, line: number, column: number): boolean {
  return kind === 'class' && place.line === line && place.column === column
}

/** A function of a text that is asked once for each. */
function once<Answer extends object>(make: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>()
  return (text) => {
    const found = known.get(text) ?? make(text)
    known.set(text, found)
    return found
  }
}
