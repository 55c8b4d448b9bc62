// SPDX-License-Identifier: Apache-2.0
// Runs the suite on the harness: node conformance/dist/runner/main.js [--node major ...]
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ExpectedFaults, readExpected } from './expected.ts'
import { findNode, findSuiteNode, type NodeProgram } from './find-node.ts'
import { renderRows, replaceBlock } from './readme-block.ts'
import { REVISIONS, SUITE } from './requirements.ts'
import { type HarnessRun, type Report, renderResults } from './results-page.ts'
import { type RevisionRun, runSuite } from './run-suite.ts'
import { startHarness } from './start-harness.ts'
import { totalOf } from './total.ts'

const FOLDER = fileURLToPath(new URL('../..', import.meta.url))

/** The majors that the harness runs on; the first is shown whole in the results. */
const MAJORS = ['20', '22', '24']

const { node: given } = parseArgs({ options: { node: { type: 'string', multiple: true } } }).values
const expected = readExpected(readFileSync(join(FOLDER, 'expected.yml'), 'utf8'))
const suiteNode = findSuiteNode()
const runs: HarnessRun[] = []
for (const major of given ?? MAJORS) {
  if (!/^\d+$/.test(major)) throw new Error(`--node takes a major such as 22, got '${major}'`)
  runs.push(await runOn(findNode(Number(major)), suiteNode, expected))
}
// A run on chosen versions is for working at something: the pages tell of a whole one.
if (given === undefined) writePages(runs)
// Each is reported, whatever was said of the one before.
const asExpected = runs.flatMap(({ revisions }) => revisions.map(report))
process.exitCode = asExpected.every(Boolean) ? 0 : 1

async function runOn(
  node: NodeProgram,
  suiteNode: NodeProgram,
  expected: ExpectedFaults,
): Promise<HarnessRun> {
  const harness = await startHarness(node.path, join(FOLDER, 'dist', 'harness', 'serve.js'))
  try {
    const revisions: RevisionRun[] = []
    for (const revision of REVISIONS) {
      const run = await runSuite({
        url: harness.url,
        revision,
        suiteNode: suiteNode.path,
        folder: join(FOLDER, 'dist', 'checks', node.version, revision),
        expected: expected[revision],
      })
      const { passed, of, checks } = totalOf(run.scored)
      console.log(
        `${revision} on Node ${node.version}: ${passed} of ${of} scored scenarios passed, ` +
          `checks failed: ${checks.failed}, warnings: ${checks.warnings}`,
      )
      revisions.push(run)
    }
    return { node: node.version, revisions }
  } finally {
    await harness.stop()
  }
}

function writePages([first, ...others]: readonly HarnessRun[]): void {
  if (first === undefined) throw new Error('nothing was run')
  const core = createRequire(import.meta.url)('@beam-mcp/core/package.json') as { version: string }
  const versions = { suite: SUITE.version, core: core.version, suiteNode: suiteNode.version }
  const date = new Date().toISOString().slice(0, 10)
  const whole: Report = { date, versions, runs: [first, ...others], expected }
  writeFileSync(join(FOLDER, 'RESULTS.md'), renderResults(whole))
  const readme = join(FOLDER, '..', 'README.md')
  const rows = renderRows(first.revisions)
  writeFileSync(readme, replaceBlock(readFileSync(readme, 'utf8'), rows))
}

/** Says what is not as listed; answers whether all is. */
function report({ revision, difference }: RevisionRun): boolean {
  for (const line of difference.unexpected) console.error(`${revision}: not expected: ${line}`)
  for (const name of difference.stale) {
    console.error(`${revision}: ${name} is listed in expected.yml and gave no fault; take it out`)
  }
  return difference.unexpected.length + difference.stale.length === 0
}
