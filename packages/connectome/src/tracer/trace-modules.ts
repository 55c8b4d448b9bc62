// SPDX-License-Identifier: Apache-2.0
import type { NodeIdentity } from '../graph/node-id.ts'
import type { Collector } from '../observed/collector.ts'
import { conditionFor, type EntryHook, findCaller, installHook } from './entry-hook.ts'
import { type Inspector, openInspector, type Script } from './inspector.ts'
import { createModuleIds, type ModuleIds, pathOf } from './module-ids.ts'
import { type ReadTracerOptions, refuseTracer } from './options.ts'
import type { TracerRun } from './run.ts'

/**
 * Puts the hook at the beginning of every function of the modules, until the run ends.
 *
 * @throws ConnectomeError `['invalid', 'modules', module]` for one that is not loaded
 */
export function traceModules({ collector, modules }: ReadTracerOptions, run: TracerRun): void {
  const ids = createModuleIds()
  const traced: string[] = []
  // With no module too: it is what says that a tracer runs.
  run.undoing(installHook(createHook(collector, run, ids, traced)))
  if (modules.length === 0) return
  const inspector = openInspector(run.finishIfOver)
  run.undoing(inspector.close)
  for (const [id, scripts] of findScripts(inspector, modules, ids)) {
    const condition = conditionFor(traced.push(id) - 1)
    for (const script of scripts) inspector.breakOnEntries(script, condition)
  }
}

function createHook(
  { server, observe }: Collector,
  run: TracerRun,
  { idOf }: ModuleIds,
  traced: readonly string[],
): EntryHook {
  const moduleOf = (module: string): NodeIdentity => ({ kind: 'module', server, module })
  const hook: EntryHook = (number) => {
    try {
      // Behind a limit the program stops here once: there the breakpoints can be taken away.
      if (!run.admits()) return true
      const to = traced[number]
      const from = findCaller(hook, idOf)
      if (from === undefined || to === undefined) run.lose()
      else if (from !== to) observe(moduleOf(from), moduleOf(to), 'invoke')
    } catch {
      // Nothing of a tracer may be thrown into the program.
    }
    return false
  }
  return hook
}

/** The loaded scripts of each module, by its id. */
function findScripts(
  { scripts }: Inspector,
  modules: readonly string[],
  { idOf }: ModuleIds,
): ReadonlyMap<string, readonly Script[]> {
  const found = new Map<string, readonly Script[]>()
  for (const module of modules) {
    const path = pathOf(module)
    const own = scripts.filter(({ url }) =>
      path === undefined ? idOf(url) === module : pathOf(url) === path,
    )
    const id = idOf(own[0]?.url)
    if (id === undefined) throw refuseTracer('invalid', 'modules', module)
    found.set(id, own)
  }
  return found
}
