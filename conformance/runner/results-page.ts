// SPDX-License-Identifier: Apache-2.0
import type { Expected, ExpectedFaults } from './expected.ts'
import type { RevisionRun } from './run-suite.ts'
import { type Total, totalOf } from './total.ts'
import type { Verdict } from './verdict.ts'

/** The revisions of the suite on a harness under one Node. */
export interface HarnessRun {
  /** The Node that the harness ran on, with its `v`. */
  readonly node: string
  readonly revisions: readonly RevisionRun[]
}

/** All that the page says. The first run is shown whole, the others by their totals. */
export interface Report {
  /** ISO 8601, the day alone. */
  readonly date: string
  /** Versions of the suite, of the package that is judged and of the suite's Node. */
  readonly versions: { readonly suite: string; readonly core: string; readonly suiteNode: string }
  readonly runs: readonly [HarnessRun, ...HarnessRun[]]
  readonly expected: ExpectedFaults
}

const TOTALS_HEAD = [
  '| revision | scored scenarios passed | of | checks passed | failed | warnings | skipped |',
  '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
]

/** Writes `RESULTS.md`. */
export function renderResults({ date, versions, runs, expected }: Report): string {
  const [first] = runs
  const lines = [
    '# Results of the conformance suite',
    '',
    '<!-- Written by `npm run conformance` from the checks that the suite left. Do not edit. -->',
    '',
    `* Day: ${date}`,
    `* Suite: \`@modelcontextprotocol/conformance\` ${versions.suite}, on Node ${versions.suiteNode}`,
    `* Judged: \`@beam-mcp/core\` ${versions.core} behind Fastify, on Node ${first.node}`,
    '* 2025-11-25 is served without sessions',
    '',
    ...TOTALS_HEAD,
    ...first.revisions.map((run) => totalRow(run.revision, totalOf(run.scored))),
    '',
    'A scenario is passed when none of its checks fails; a warning alone does not fail it. Skipped are',
    'checks of what the server does not claim.',
    ...first.revisions.flatMap(hollowNote),
    '',
    ...nodesSection(runs),
    ...first.revisions.flatMap((run) => revisionSection(run, expected[run.revision])),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function totalRow(label: string, total: Total): string {
  const { passed, of, checks } = total
  const cells = [label, passed, of, checks.passed, checks.failed, checks.warnings, checks.skipped]
  return `| ${cells.join(' | ')} |`
}

function hollowNote({ revision, scored }: RevisionRun): readonly string[] {
  const { hollow, passed } = totalOf(scored)
  if (hollow === 0) return []
  return [
    '',
    `Of ${revision}, ${hollow} more have no failed check, and the suite's own count is ${passed + hollow}. They call what is`,
    'not there or are listed as not served, so they show nothing and are not counted here (hollow).',
  ]
}

function nodesSection(runs: Report['runs']): readonly string[] {
  const rows = runs.map(({ node, revisions }) => {
    const cells = revisions.map(({ scored }) => {
      const { passed, of } = totalOf(scored)
      return `${passed} of ${of}`
    })
    return `| ${[node, ...cells].join(' | ')} |`
  })
  const names = runs[0].revisions.map(({ revision }) => revision)
  return [
    '## The harness on each Node',
    '',
    `| Node | ${names.join(' | ')} |`,
    `| --- |${' --- |'.repeat(names.length)}`,
    ...rows,
    '',
  ]
}

function revisionSection(run: RevisionRun, expected: readonly Expected[]): readonly string[] {
  return [
    `## ${run.revision}`,
    '',
    'Claimed surface, as the server advertises it:',
    '',
    '```json',
    JSON.stringify(run.surface),
    '```',
    '',
    '| scored scenario | outcome | checks | faults, and why |',
    '| --- | --- | --- | --- |',
    ...run.scored.map((verdict) => scenarioRow(verdict, faultsCell(verdict, expected))),
    '',
    '| scenario that is not scored | outcome | checks | why it is not scored |',
    '| --- | --- | --- | --- |',
    ...run.unscored.map((verdict) => scenarioRow(verdict, verdict.reason)),
    '',
  ]
}

function scenarioRow(verdict: Verdict, last: string): string {
  const { scenario, outcome, passed, failed, warnings, skipped } = verdict
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warnings > 0 ? [`${warnings} warned`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return `| \`${scenario}\` | ${outcome} | ${counts.join(', ')} | ${last} |`
}

function faultsCell({ scenario, faults }: Verdict, expected: readonly Expected[]): string {
  const ids = [...new Set(faults.map(({ check }) => `\`${check}\``))]
  const reasons = expected
    .filter((entry) => entry.scenario === scenario && faults.length > 0)
    .map(({ reason }) => reason.replaceAll('|', '\\|'))
  return ids.length === 0 ? '' : [ids.join(', '), ...reasons].join(': ')
}
