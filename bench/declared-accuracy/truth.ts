// SPDX-License-Identifier: Apache-2.0
import { readFileSync, statSync } from 'node:fs'
import type { Run } from './loader/child.ts'
import { type Instrumented, instrument } from './loader/instrument.ts'
import type { Entry } from './loader/recorder.ts'
import { fileOf, isModuleFile, moduleIdOf, type PackageRoot } from './loader/scope.ts'
import { describeUnits, type Unit, type Units, unitKey } from './naming.ts'

/**
 * How a function was reached: by its call expression; through code outside of the scope that a call
 * expression entered, a built-in (`map`, `then`, an event emitter) or another package; or without any
 * call expression, as getters, iterators, `toString` and proxies are.
 */
export type Reach = 'call' | 'platform' | 'foreign' | 'implicit'

/** One way from a function to another that was taken. */
export interface Passage {
  readonly reach: Reach
  readonly from: Unit
  readonly to: Unit
  /** Where the call stands; implicit ones have none. */
  readonly site: PlacedSite | undefined
  readonly count: number
}

/** A call site of a module. */
export interface PlacedSite {
  readonly module: string
  readonly index: number
  /** The function that the call is written in. */
  readonly unit: Unit
  readonly form: string
  /** Offsets in the source. */
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly line: number
  /** From 0. */
  readonly column: number
}

export interface Truth {
  readonly passages: readonly Passage[]
  /** Every function that was entered, from wherever. */
  readonly units: ReadonlySet<string>
  /** Those that code outside of the scope entered, the driver left out: what it was handed. */
  readonly handed: ReadonlySet<string>
  /** The call sites that ran. */
  readonly sites: readonly PlacedSite[]
  readonly modules: number
  readonly functions: number
  readonly entered: number
  /** Functions that V8 and the marks disagree about: `<module>:<line>`. */
  readonly unlike: readonly string[]
}

interface ReadModule extends Instrumented {
  readonly units: Units
}

/** Reads what one run recorded, in terms of the source. */
export function readTruth(run: Run, roots: readonly PackageRoot[]): Truth {
  const read = createReader(roots, run.startedAt)
  const passages = run.entries.flatMap((entry) => readPassage(entry, read, roots) ?? [])
  const sites = Object.entries(run.sites).flatMap(([module, ran]) =>
    ran.map((index) => placeOf(module, index, read(module))),
  )
  const modules = new Set([
    ...Object.keys(run.sites),
    ...Object.keys(run.coverage).flatMap((file) => moduleIdOf(file, roots) ?? []),
  ])
  const functions = [...modules].reduce((sum, module) => sum + read(module).functions.length, 0)
  const entered = new Set(run.entries.map(({ module, entered }) => `${module} ${entered}`))
  const unlike = differences(run, read, roots, entered)
  const units = new Set(run.entries.map((entry) => unitKey(unitOfEntry(entry, read))))
  const others = run.entries.filter(({ via }) => via === 'platform' || via === 'foreign')
  const handed = new Set(others.map((entry) => unitKey(unitOfEntry(entry, read))))
  return {
    passages,
    sites,
    units,
    handed,
    modules: modules.size,
    functions,
    entered: entered.size,
    unlike,
  }
}

type Reader = (module: string) => ReadModule

/** Instruments a module once more, which gives what its marks stand for. */
function createReader(roots: readonly PackageRoot[], startedAt: number): Reader {
  const read = new Map<string, ReadModule>()
  return (module) => {
    const known = read.get(module)
    if (known !== undefined) return known
    const file = fileOf(module, roots)
    if (statSync(file).mtimeMs > startedAt) throw new Error(`${module} changed since it ran`)
    const source = readFileSync(file, 'utf8')
    const isModule = isModuleFile(file)
    const units = describeUnits(file, module, source, isModule)
    const entry = { ...instrument(file, module, source, isModule), units }
    read.set(module, entry)
    return entry
  }
}

function placeOf(module: string, index: number, { sites, units }: ReadModule): PlacedSite {
  const site = sites[index]
  if (site === undefined) throw new RangeError(`${module} has no site ${index}`)
  const { form, start, end, line, column } = site
  return { module, index, unit: units.ofSite(site), form, start, end, line, column }
}

/** What one entry says; entries from outside of the scope say nothing. */
function readPassage(
  entry: Entry,
  read: Reader,
  roots: readonly PackageRoot[],
): Passage | undefined {
  const to = unitOfEntry(entry, read)
  const { count } = entry
  const place = callerPlace(entry, read, roots)
  if (place === undefined) return undefined
  const caller = read(place.module)
  const index = siteOf(entry, place, read)
  if (index === undefined) {
    const from = caller.units.at(caller.sourceOffset(place.position))
    return { reach: 'implicit', from, to, site: undefined, count }
  }
  const site = placeOf(place.module, index, caller)
  return { reach: reachOf(entry), from: site.unit, to, site, count }
}

function reachOf({ via }: Entry): Reach {
  if (via === 'nothing') return 'call'
  return via === 'foreign' ? 'foreign' : 'platform'
}

interface CallerPlace {
  readonly module: string
  /** An offset in the code that ran. */
  readonly position: number
}

/** The frame below, or the next where that one is a class without a constructor of its own. */
function callerPlace(
  { file, position, below }: Entry,
  read: Reader,
  roots: readonly PackageRoot[],
): CallerPlace | undefined {
  for (const place of [{ file, position }, ...below]) {
    const module = place.file === undefined ? undefined : moduleIdOf(place.file, roots)
    if (module === undefined) return undefined
    if (!read(module).classes.has(read(module).sourceOffset(place.position))) {
      return { module, position: place.position }
    }
  }
  return undefined
}

function unitOfEntry({ module, entered }: Entry, read: Reader): Unit {
  const { functions, units } = read(module)
  const span = functions[entered]
  if (span === undefined) throw new RangeError(`${module} has no function ${entered}`)
  return units.ofFunction(span)
}

/**
 * The site that an entry came from: V8's frame has to stand at a call. Where nothing is between, its
 * mark has to be the last one too, or a getter at the same place would pass for the call; a function
 * whose parameters compute something passes other marks before its own, and no getter has any.
 */
function siteOf(entry: Entry, place: CallerPlace, read: Reader): number | undefined {
  const span = read(entry.module).functions[entry.entered]
  // Behind `super()` a constructor's own fields are set up, which nobody called.
  if (span?.node.type === 'PropertyDefinition' && place.position === entry.position)
    return undefined
  const { sites } = read(place.module)
  const stands = (index: number): boolean =>
    sites[index]?.positions.includes(place.position) === true
  if (entry.markModule === place.module && stands(entry.markSite)) return entry.markSite
  if (entry.via === 'nothing' && span?.computes !== true) return undefined
  const found = sites.findIndex((_site, index) => stands(index))
  return found < 0 ? undefined : found
}

function differences(
  run: Run,
  read: Reader,
  roots: readonly PackageRoot[],
  entered: ReadonlySet<string>,
): readonly string[] {
  const unlike: string[] = []
  for (const [file, ends] of Object.entries(run.coverage)) {
    const module = moduleIdOf(file, roots)
    if (module === undefined) continue
    const ran = new Set(ends)
    const { functions, ends: known } = read(module)
    for (const [index, { node }] of functions.entries()) {
      // V8 counts the initialisers of fields under an offset of its own.
      if (node.type === 'PropertyDefinition') continue
      const byMarks = entered.has(`${module} ${index}`)
      if (byMarks !== ran.has(known[index] ?? -1))
        unlike.push(`${module}@${node.start} ${byMarks ? 'marks' : 'V8'} alone`)
    }
  }
  return unlike
}
