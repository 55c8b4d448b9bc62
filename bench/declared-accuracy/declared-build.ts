// SPDX-License-Identifier: Apache-2.0
import { type ExplainedSite, explainSites } from '../../packages/connectome/src/declared/sites.ts'
import { type Declared, pairKey, type Verdict } from './compare.ts'
import { unitKey } from './naming.ts'
import type { Subject } from './subjects.ts'

type Ends = Pick<ExplainedSite, 'module' | 'function' | 'arity'>

const keyOf = ({ module, function: name, arity }: Ends): string => unitKey({ module, name, arity })

/** What `buildDeclared` says of a subject: its edges, and what became of each call site. */
export async function declareByBuild({
  entries,
  roots,
}: Pick<Subject, 'entries' | 'roots'>): Promise<Declared> {
  const scope = { entries, packages: roots.map(({ name }) => name) }
  const { sites } = await explainSites(scope)
  const [functionEdges, moduleEdges] = [new Set<string>(), new Set<string>()]
  for (const site of sites) {
    for (const to of site.targets) {
      functionEdges.add(pairKey(keyOf(site), keyOf(to)))
      if (site.module !== to.module) moduleEdges.add(pairKey(site.module, to.module))
    }
  }
  const bySpan = new Map(sites.map((site) => [spanKey(site), verdictOn(site)]))
  return { functionEdges, moduleEdges, verdictOf: (site) => bySpan.get(spanKey(site)) }
}

function spanKey({ module, start, end }: Pick<ExplainedSite, 'module' | 'start' | 'end'>): string {
  return `${module} ${start} ${end}`
}

/** A site that enters a built-in or another package hands its targets on, where it gives any argument. */
function verdictOn(site: ExplainedSite): Verdict {
  const targets = [...new Set(site.targets.map(keyOf))]
  const mayHandOn = site.callees.length > 0
  return {
    isListed: site.verdict === 'unresolved',
    reason: `${site.reason ?? site.verdict} ${site.label}`,
    calls: mayHandOn ? [] : targets,
    passes: mayHandOn ? targets : [],
  }
}
