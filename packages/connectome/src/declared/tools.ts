// SPDX-License-Identifier: Apache-2.0
import type { AnalysedScope } from './analyse-scope.ts'
import { unitOfFunction } from './edges.ts'
import { packageOf } from './flow/builtin-names.ts'
import { globalOf, type UnitRef } from './flow/link.ts'
import { valuesOf } from './flow/network.ts'

const CORE = '@beam-mcp/core'

/**
 * The functions that implement tools, by the tool's name: handlers of `defineTool` calls whose function
 * is the core's, imported or a member of what `createBeam` answers.
 */
export function findHandlers(scope: AnalysedScope): ReadonlyMap<string, readonly UnitRef[]> {
  const { net } = scope.flow.heap
  const found = new Map<string, UnitRef[]>()
  for (const module of scope.modules) {
    for (const tool of module.source.facts.tools) {
      const callees = valuesOf(net, globalOf(module, tool.callee))
      const isCore = callees.some(
        ({ kind, name, fn }) =>
          (kind === 'external' && packageOf(name) === CORE) ||
          (fn !== undefined && scope.modules[fn.module]?.source.packageName === CORE),
      )
      if (!isCore) continue
      for (const { fn } of valuesOf(net, globalOf(module, tool.handler))) {
        const unit = fn === undefined ? undefined : unitOfFunction(scope, fn)
        if (unit === undefined) continue
        const known = found.get(tool.name)
        if (known === undefined) found.set(tool.name, [unit])
        else known.push(unit)
      }
    }
  }
  return found
}
