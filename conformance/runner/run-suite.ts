// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { askSurface } from './ask-surface.ts'
import { readChecks } from './checks.ts'
import { compare, type Difference, type Expected, isUnserved } from './expected.ts'
import { type Revision, readRequirements, SUITE } from './requirements.ts'
import { judge, type Verdict } from './verdict.ts'

/** What one revision's requirement set made of the harness. */
export interface RevisionRun {
  readonly revision: Revision
  /** The capabilities that the harness advertises in it. */
  readonly surface: object
  readonly scored: readonly Verdict[]
  readonly unscored: readonly (Verdict & { readonly reason: string })[]
  readonly difference: Difference
}

/** One run of the suite: where, and with what. */
export interface RunOptions {
  readonly url: string
  readonly revision: Revision
  /** The path of a Node that can load the suite. */
  readonly suiteNode: string
  /** Emptied first; the suite's own files stay in it. */
  readonly folder: string
  readonly expected: readonly Expected[]
}

/** Runs the whole requirement set of a revision, its unscored scenarios too, and judges it. */
export async function runSuite(options: RunOptions): Promise<RevisionRun> {
  const { url, revision, folder, expected } = options
  const surface = await askSurface(url, revision)
  await callSuite(options)
  const checks = readChecks(folder)
  const { scored, unscored } = readRequirements(revision)
  const verdicts = scored.map((scenario) =>
    judge(scenario, checks.get(scenario), isUnserved(scenario, expected)),
  )
  return {
    revision,
    surface,
    scored: verdicts,
    unscored: unscored.map(({ scenario, reason }) => ({
      ...judge(scenario, checks.get(scenario)),
      reason,
    })),
    difference: compare(verdicts, expected),
  }
}

/** Its exit code says no more than its files: a scenario that it did not reach leaves none. */
async function callSuite({ url, revision, suiteNode, folder }: RunOptions): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const log = createWriteStream(`${folder}.log`)
  await once(log, 'open')
  const args = [SUITE.script, 'server', '--url', url, '--requirements', revision, '-o', folder]
  // In its parent folder, so that nothing of the workspace is taken for a setting of the suite.
  const child = spawn(suiteNode, args, { cwd: dirname(folder), stdio: ['ignore', log, log] })
  await once(child, 'exit')
  log.close()
}
