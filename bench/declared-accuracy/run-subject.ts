// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Run, Task } from './loader/child.ts'

const CHILD = new URL('./loader/child.js', import.meta.url)

/**
 * Runs a driver in a process of its own, in which the packages are instrumented.
 *
 * @param child  the compiled script of the process
 * @throws Error where the driver failed
 */
export function runInstrumented(task: Omit<Task, 'output'>, child: URL = CHILD): Run {
  const folder = mkdtempSync(join(tmpdir(), 'declared-accuracy-'))
  const output = join(folder, 'run.json')
  try {
    const { status } = spawnSync(
      process.execPath,
      [
        fileURLToPath(child),
        JSON.stringify({ roots: task.roots, driver: task.driver, output } satisfies Task),
      ],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    )
    if (status !== 0) throw new Error(`${task.driver} ended with ${status}`)
    return JSON.parse(readFileSync(output, 'utf8')) as Run
  } finally {
    rmSync(folder, { recursive: true })
  }
}
