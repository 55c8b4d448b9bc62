// SPDX-License-Identifier: Apache-2.0
import { createRequire } from 'node:module'
import type { Collector } from '../observed/collector.ts'
import { conditionFor, type EntryHook, findCaller, installHook } from './entry-hook.ts'
import type { ModulePlaces } from './find-place.ts'
import { betweenFunctions, betweenModules, type Callee, type Grain } from './grain.ts'
import { type Inspector, openInspector, type Script } from './inspector.ts'
import { createModuleIds, type ModuleIds, pathOf } from './module-ids.ts'
import { type ReadTracerOptions, refuseTracer } from './options.ts'
import type { TracerRun } from './run.ts'

/** CommonJS modules by their paths: the code of one that ran and left no function is soon collected. */
const COMMONJS = createRequire(import.meta.url).cache

/**
 * Puts the hook at the beginning of every function of the modules, until the run ends.
 *
 * @throws ConnectomeError `['invalid', 'modules', module]` for one that is not loaded,
 * `['missing', 'functions', id]` for one that the table does not have, `['invalid', 'functions', id]` for
 * one of the table that is loaded with another source
 */
export function traceModules(
  { collector, modules, functions }: ReadTracerOptions,
  run: TracerRun,
): void {
  const ids = createModuleIds()
  const callees: Callee[] = []
  const grain =
    functions === undefined
      ? betweenModules(collector.server, ids)
      : betweenFunctions(collector.server, ids, functions)
  // With no module too: it is what says that a tracer runs.
  run.undoing(installHook(createHook(collector, run, grain, callees)))
  if (modules.length === 0) return
  const inspector = openInspector(run.finishIfOver)
  run.undoing(inspector.close)
  const found = findScripts(inspector, modules, ids)
  if (functions !== undefined) compareSources(inspector, found, ids, functions)
  for (const [id, scripts] of found) {
    const enter = (line: number, column: number): string | undefined => {
      const callee = grain.calleeAt(id, line, column)
      return callee === undefined ? undefined : conditionFor(callees.push(callee) - 1)
    }
    for (const script of scripts) inspector.breakOnEntries(script, enter)
  }
}

function createHook(
  { observe }: Collector,
  run: TracerRun,
  { callerIn, isEdge }: Grain,
  callees: readonly Callee[],
): EntryHook {
  const hook: EntryHook = (number) => {
    try {
      // Behind a limit the program stops here once: there the breakpoints can be taken away.
      if (!run.admits()) return true
      const to = callees[number]
      const from = findCaller(hook, callerIn)
      if (from?.identity === undefined || to === undefined) run.lose()
      else if (isEdge(from, to)) observe(from.identity, to.identity, 'invoke')
    } catch {
      // Nothing of a tracer may be thrown into the program.
    }
    return false
  }
  return hook
}

/** The loaded scripts of each module, by its id; none where V8 has nothing of it that could run. */
function findScripts(
  { scripts }: Inspector,
  modules: readonly string[],
  { idOf }: ModuleIds,
): ReadonlyMap<string, readonly Script[]> {
  const found = new Map<string, readonly Script[]>()
  for (const module of modules) {
    const path = pathOf(module)
    const isIt = (file: string): boolean =>
      path === undefined ? idOf(file) === module : pathOf(file) === path
    const own = scripts.filter(({ url }) => isIt(url))
    const id = idOf(own[0]?.url ?? Object.keys(COMMONJS).find(isIt))
    if (id === undefined) throw refuseTracer('invalid', 'modules', module)
    found.set(id, own)
  }
  return found
}

/** Positions say nothing of a source that a loader changed, or that was written anew since. */
function compareSources(
  { scripts }: Inspector,
  traced: ReadonlyMap<string, unknown>,
  { idOf }: ModuleIds,
  functions: ReadonlyMap<string, ModulePlaces>,
): void {
  for (const id of traced.keys()) {
    if (!functions.has(id)) throw refuseTracer('missing', 'functions', id)
  }
  for (const { url, length } of scripts) {
    const id = idOf(url)
    const read = id === undefined ? undefined : functions.get(id)?.length
    if (read === undefined || length === read) continue
    // Node appends this to TypeScript, of which it leaves everything else in its place.
    if (length !== read + `\n\n//# sourceURL=${url}`.length) {
      throw refuseTracer('invalid', 'functions', id)
    }
  }
}
