// SPDX-License-Identifier: Apache-2.0
// Builds the packages and the benchmarks, then runs one: node bench/run.mjs <question>

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [question = '', ...args] = process.argv.slice(2)

if (!/^[a-z0-9-]+$/.test(question) || !existsSync(`${root}bench/${question}.bench.ts`)) {
  console.error('Usage: node bench/run.mjs <question>, where bench/<question>.bench.ts exists')
  process.exit(2)
}

const tsc = 'node_modules/typescript/bin/tsc'
run(tsc, '-b')
run(tsc, '-p', 'bench/tsconfig.json')
run(`bench/dist/bench/${question}.bench.js`, ...args)

/** Runs a script with this Node; ends the process with its status unless that is 0. */
function run(...command) {
  const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}
