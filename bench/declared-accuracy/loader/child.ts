// SPDX-License-Identifier: Apache-2.0
// Runs one driver under the instrumentation and writes what was recorded.
import { writeFileSync } from 'node:fs'
import { register } from 'node:module'
import { hookCommonJs } from './commonjs-hook.ts'
import { type Coverage, startCoverage } from './coverage.ts'
import { installRecorder, type Recording } from './recorder.ts'
import { moduleIdOf, type PackageRoot } from './scope.ts'
import { hideMarks } from './source-text.ts'

/** What a child is told, as JSON in its only argument. */
export interface Task {
  readonly roots: readonly PackageRoot[]
  /** The URL of a module whose `drive` is called. */
  readonly driver: string
  /** The file that the run is written to. */
  readonly output: string
}

/** What a child writes. */
export interface Run extends Recording {
  /** When it began, in milliseconds of the epoch: what is read later has to be older. */
  readonly startedAt: number
  readonly coverage: Coverage
}

interface Driver {
  readonly drive: () => unknown
}

const { roots, driver, output } = JSON.parse(process.argv[2] ?? '') as Task
const isInScope = (file: string): boolean => moduleIdOf(file, roots) !== undefined
const startedAt = Date.now()
const stopCoverage = await startCoverage(isInScope)
const stopRecorder = installRecorder(isInScope, driver)
hideMarks()
hookCommonJs(roots)
register('./esm-hooks.js', { parentURL: import.meta.url, data: { roots } })
const { drive } = (await import(driver)) as Driver
await drive()
const run: Run = { startedAt, ...stopRecorder(), coverage: await stopCoverage() }
writeFileSync(output, JSON.stringify(run))
process.exit(0)
