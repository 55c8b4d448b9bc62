// SPDX-License-Identifier: Apache-2.0
import { UNKNOWN } from '../facts/module-facts.ts'
import type { Link } from '../scope/gather-modules.ts'
import { type Flow, hear, pass } from './calls.ts'
import { fieldOf, lookUp, protoOf, setOwn } from './heap.ts'
import { builtin, external, newValue } from './heap-store.ts'
import { globalOf, type LinkedModule } from './link.ts'
import { addCopy, addFlag, addValue, IS_PLAIN, newVariable } from './network.ts'

export interface Program {
  readonly flow: Flow
  readonly modules: readonly LinkedModule[]
  readonly byId: ReadonlyMap<string, LinkedModule>
  /** What `module.exports` of each CommonJS module may be, by module. */
  readonly results: Map<LinkedModule, number>
  /** The object that `import *` of a CommonJS module gives. */
  readonly spaces: Map<LinkedModule, number>
}

export function linkOf(module: LinkedModule, request: number): Link {
  return module.source.links[request] ?? { kind: 'missing' }
}

/** The variable of what `require` of a module gives. */
export function requiredOf(program: Program, target: LinkedModule): number {
  const known = program.results.get(target)
  if (known !== undefined) return known
  const { flow } = program
  const { facts } = target.source
  const result = newVariable(flow.heap.net)
  program.results.set(target, result)
  if (facts.format === 'module') addValue(flow.heap.net, result, target.space)
  else {
    hear(
      flow,
      globalOf(target, facts.commonjs.module),
      (value) => {
        if (value.kind === 'object') {
          addCopy(flow.heap.net, fieldOf(flow.heap, value, 'exports'), result)
        }
      },
      () => {},
    )
  }
  return result
}

/** The variable of one export of a module, by the rules of `import`. */
export function importedOf(program: Program, target: LinkedModule, name: string): number {
  const { flow } = program
  const { heap } = flow
  if (target.source.facts.format === 'module') {
    if (name !== '*') return lookUp(heap, target.space, name)
    const to = newVariable(heap.net)
    addValue(heap.net, to, target.space)
    return to
  }
  const result = requiredOf(program, target)
  if (name === 'default') return result
  if (name === '*') return spaceOf(program, target, result)
  const to = newVariable(heap.net)
  hear(
    flow,
    result,
    (value) => addCopy(heap.net, lookUp(heap, value, name), to),
    (flag) => {
      if (flag === 2) pass(flow, UNKNOWN, to)
    },
  )
  return to
}

/** `import *` of a CommonJS module: its members, and all of it as `default`. */
function spaceOf(program: Program, target: LinkedModule, result: number): number {
  const known = program.spaces.get(target)
  if (known !== undefined) return known
  const { heap } = program.flow
  const space = newValue(heap, 'space', { name: target.source.id })
  const to = newVariable(heap.net)
  program.spaces.set(target, to)
  addValue(heap.net, to, space)
  addCopy(heap.net, result, protoOf(heap, space))
  addCopy(heap.net, result, fieldOf(heap, space, 'default'))
  setOwn(heap, space, 'default')
  return to
}

/** Gives a variable what a request leads to: an import's name, or `undefined` for a `require`. */
export function passImport(
  program: Program,
  to: number,
  link: Link,
  name: string | undefined,
): void {
  const { flow } = program
  const { net } = flow.heap
  switch (link.kind) {
    case 'module': {
      const target = program.byId.get(link.id)
      if (target === undefined) return pass(flow, UNKNOWN, to)
      const from =
        name === undefined ? requiredOf(program, target) : importedOf(program, target, name)
      return addCopy(net, from, to)
    }
    case 'external':
      return addValue(net, to, external(flow.heap, externalPath(link.name, name)))
    case 'builtin':
      return addValue(net, to, builtin(flow.heap, builtinPath(link.name, name)))
    case 'data':
      return addFlag(net, to, IS_PLAIN)
    case 'missing':
      return pass(flow, UNKNOWN, to)
  }
}

function externalPath(packageName: string, name: string | undefined): string {
  return name === undefined || name === '*' ? packageName : `${packageName} ${name}`
}

/** The default export of a module of the platform is the module. */
function builtinPath(module: string, name: string | undefined): string {
  return name === undefined || name === '*' || name === 'default'
    ? `node:${module}`
    : `node:${module}.${name}`
}

/** An export of this module that is one of another. */
export function passReexport(
  program: Program,
  module: LinkedModule,
  { name, request, there }: { name: string; request: number; there: string },
): void {
  const { heap } = program.flow
  passImport(program, fieldOf(heap, module.space, name), linkOf(module, request), there)
}

/** `export * from`: another module's exports, looked up where this one has none of the name. */
export function passAllExports(program: Program, module: LinkedModule, request: number): void {
  const { heap } = program.flow
  passImport(program, protoOf(heap, module.space), linkOf(module, request), '*')
}

/** What a compiler's interop helper makes of a required module. */
export function passInterop(
  program: Program,
  module: LinkedModule,
  { to, from, request }: { to: number; from: number; request: number },
): void {
  const { flow } = program
  const { heap } = flow
  const link = request < 0 ? undefined : linkOf(module, request)
  const target = link?.kind === 'module' ? program.byId.get(link.id) : undefined
  const isCompiled = target?.source.facts.isCompiled || target?.source.facts.format === 'module'
  if (target !== undefined && isCompiled) return pass(flow, from, to)
  if (link?.kind === 'external') return addValue(heap.net, to, external(heap, link.name))
  const wrapper = newValue(heap, 'space')
  addValue(heap.net, to, wrapper)
  pass(flow, from, protoOf(heap, wrapper))
  pass(flow, from, fieldOf(heap, wrapper, 'default'))
  if (target !== undefined || link?.kind === 'builtin') setOwn(heap, wrapper, 'default')
}
