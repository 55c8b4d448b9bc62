// SPDX-License-Identifier: Apache-2.0
// Runs every vector in the page and leaves what it found on the window.
import diffs from '../data/diffs.json' with { type: 'json' }
import floats from '../data/floats.json' with { type: 'json' }
import graphs from '../data/graphs.json' with { type: 'json' }
import nodeIds from '../data/node-ids.json' with { type: 'json' }
import published from '../data/published.json' with { type: 'json' }
import reach from '../data/reach.json' with { type: 'json' }
import refusals from '../data/refusals.json' with { type: 'json' }
import { report } from '../s12/graph.ts'
import type { Check } from '../vectors/checks.ts'
import { type DiffCase, diffChecks } from '../vectors/diff-checks.ts'
import { type GraphCase, graphChecks } from '../vectors/graph-checks.ts'
import { type Published, publishedChecks } from '../vectors/published-checks.ts'
import { type ReachCase, reachChecks } from '../vectors/reach-checks.ts'
import { type RefusalCase, refusalChecks } from '../vectors/refusal-checks.ts'
import {
  type FloatCase,
  floatChecks,
  type NodeIdCase,
  nodeIdChecks,
} from '../vectors/small-checks.ts'

/** What a page found: how many vectors it ran, the checks that failed, and its bytes of one graph. */
export interface Found {
  readonly cases: number
  readonly failed: readonly string[]
  readonly hasNodeCrypto: boolean
  readonly bytes: string
}

function all<Case>(file: { readonly cases: unknown }, run: (vector: Case) => Check[]): Check[][] {
  return (file.cases as readonly Case[]).map(run) // the data has this shape
}

const checks = [
  ...all<GraphCase>(graphs, graphChecks),
  ...all<RefusalCase>(refusals, refusalChecks),
  ...all<FloatCase>(floats, floatChecks),
  ...all<DiffCase>(diffs, diffChecks),
  ...all<ReachCase>(reach, reachChecks),
  ...all<NodeIdCase>(nodeIds, nodeIdChecks),
  publishedChecks(published as unknown as Published), // the data has this shape
]

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const found: Found = {
  cases: checks.length,
  failed: checks
    .flat()
    .filter(({ actual, expected }) => !isEqual(actual, expected))
    .map(({ what, actual }) => `${what}: ${JSON.stringify(actual)}`),
  hasNodeCrypto: 'process' in globalThis,
  bytes: report(),
}

Object.assign(globalThis, { found })
