// SPDX-License-Identifier: Apache-2.0
// Runs every test under each Node that is promised and is not this one:
// node scripts/check-nodes.mjs [version ...]
//
// All files share one process, which saves a third of the time; under this Node `npm test` gives each its own.
// What a version of Node does otherwise, it does each time. So files that fail are run once more, each in a
// process of its own: those that pass then are told of at the end, and those that fail again fail the check.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run-command.mjs'
import { makeTempFolder } from './temp-folder.mjs'

/** The floor, and the majors above it. */
const PROMISED = ['20.19.0', '20', '22', '24', '26']

const isThisOne = (version) => `${process.version}.`.startsWith(`v${version}.`)
const versions =
  process.argv.length > 2
    ? process.argv.slice(2)
    : PROMISED.filter((version) => !isThisOne(version))
const folder = makeTempFolder('faults')
const outcomes = versions.map((version) => ({ version, ...checkUnder(version) }))
const failed = outcomes.filter(({ again }) => again !== undefined)
console.log(`${versions.length - failed.length} of ${versions.length} versions of Node pass.`)
// Last, so that who reads the end of a long log reads which tests failed, and why.
for (const { version, first, again } of outcomes) {
  if (first === undefined) continue
  if (again === undefined)
    console.log(`\nFailed once under Node ${version}, and not again:\n${first}`)
  else console.error(`\nThe tests fail under Node ${version}:\n${again}`)
}
if (failed.length > 0) process.exitCode = 1

/** What failed at the first run, and what of it failed again. */
function checkUnder(version) {
  const first = runUnder(version, '--no-isolate', [])
  if (first === undefined) return {}
  console.log(`\n> once more under Node ${version}: ${first.files.join(' ') || 'every test'}`)
  return { first: first.text, again: runUnder(version, '', first.files)?.text }
}

/**
 * Runs the tests, or those of some files; answers the faults. The npm package `node` holds the binaries; a
 * missing one would fall back to this Node unseen.
 */
function runUnder(version, isolation, files) {
  console.log(`\n> the tests under Node ${version}`)
  const script = [
    `const wanted = 'v${version}'`,
    "const isIt = process.version === wanted || process.version.startsWith(wanted + '.')",
    'console.log(process.version)',
    'process.exit(isIt ? 0 : 1)',
  ].join(';')
  const reporters = '--reporter=default --reporter=./scripts/fault-reporter.mjs'
  const names = files.map((file) => `"${file}"`).join(' ')
  const command = `node -e "${script}" && node node_modules/vitest/vitest.mjs run ${isolation} ${reporters} ${names}`
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  const report = join(folder, `${version}${isolation}`)
  const { status } = spawnSync(npx, ['--yes', '-p', `node@${version}`, '-c', command], {
    cwd: ROOT,
    env: { ...process.env, FAULTS: report },
    stdio: 'inherit',
  })
  return status === 0 ? undefined : readReport(report)
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return { files: [], text: `There is no report of it: ${error.message}` }
  }
}
