// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { type AnalysedScope, analyseScope } from './analyse-scope.ts'
import type { EntryScope, ManifestScope } from './options.ts'
import { judge, type Verdict } from './verdicts.ts'

/** A function of the scope as the graph names it, and where it stands. */
export interface ExplainedFunction {
  readonly module: string
  /** The function of the graph that it counts as. */
  readonly function: string
  readonly arity: number
  /** Offsets of its first character and after its last one, in UTF-16 code units. */
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
}

/** A call site and what became of it. */
export interface ExplainedSite {
  readonly module: string
  readonly function: string
  readonly arity: number
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
  /** The beginning of what is called, as it is written. */
  readonly label: string
  readonly verdict: Verdict['kind']
  readonly reason: string | undefined
  /** Functions that edges lead to from here, as `<module>`, name and arity. */
  readonly targets: readonly {
    readonly module: string
    readonly function: string
    readonly arity: number
  }[]
  readonly callees: readonly string[]
}

const LABEL_LENGTH = 60

/** Every function and every call site of a scope. For measuring: hosts read the bound instead. */
export interface Explained {
  readonly functions: readonly ExplainedFunction[]
  readonly sites: readonly ExplainedSite[]
}

export async function explainSites(scope: EntryScope | ManifestScope): Promise<Explained> {
  return explain(await analyseScope(scope))
}

function explain({ modules, flow }: AnalysedScope): Explained {
  const functions: ExplainedFunction[] = []
  const sites: ExplainedSite[] = []
  const unitOf = (module: number, unit: number) => {
    const source = modules[module]?.source
    const { name = '', arity = 0 } = source?.facts.units[unit] ?? {}
    return { module: source?.id ?? '', function: name, arity }
  }
  for (const module of modules) {
    for (const { fact } of module.functions) {
      const { start, end, line, column } = fact
      functions.push({ ...unitOf(module.place, fact.unit), start, end, line, column })
    }
    const text = readFileSync(module.source.path, 'utf8')
    for (const site of module.sites) {
      const { start, end, line, column, calleeEnd, unit } = site.fact
      const label = text.slice(start, Math.min(calleeEnd, start + LABEL_LENGTH))
      const verdict = judge(flow, module, site, 'function')
      const { targets } = verdict
      sites.push({
        ...unitOf(module.place, unit),
        ...{ start, end, line, column, label: label.replace(/\s+/g, ' ') },
        verdict: verdict.kind,
        reason: verdict.reason,
        targets: targets.map((target) => unitOf(target.module, target.unit)),
        callees: verdict.kind === 'external' ? verdict.callees : (site.builtins ?? []),
      })
    }
  }
  return { functions, sites }
}
