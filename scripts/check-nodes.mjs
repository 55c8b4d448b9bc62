// SPDX-License-Identifier: Apache-2.0
// Runs every test under each Node that is promised and is not this one:
// node scripts/check-nodes.mjs [version ...]

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
const failed = versions.filter((version) => !passesUnder(version))
console.log(`${versions.length - failed.length} of ${versions.length} versions of Node pass.`)
// Last, so that who reads the end of a long log reads which tests failed, and why.
for (const version of failed) {
  console.error(`\nThe tests fail under Node ${version}:`)
  console.error(faultsUnder(version))
}
if (failed.length > 0) process.exitCode = 1

/** The npm package `node` holds the binaries; a missing one would fall back to this Node unseen. */
function passesUnder(version) {
  console.log(`\n> the tests under Node ${version}`)
  const script = [
    `const wanted = 'v${version}'`,
    "const isIt = process.version === wanted || process.version.startsWith(wanted + '.')",
    'console.log(process.version)',
    'process.exit(isIt ? 0 : 1)',
  ].join(';')
  const reporters = '--reporter=default --reporter=./scripts/fault-reporter.mjs'
  const command = `node -e "${script}" && node node_modules/vitest/vitest.mjs run ${reporters}`
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  const { status } = spawnSync(npx, ['--yes', '-p', `node@${version}`, '-c', command], {
    cwd: ROOT,
    env: { ...process.env, FAULTS: faultsFile(version) },
    stdio: 'inherit',
  })
  return status === 0
}

function faultsFile(version) {
  return join(folder, version)
}

/** Each failed test or file with the first lines of what it says. */
function faultsUnder(version) {
  try {
    return readFileSync(faultsFile(version), 'utf8')
  } catch (error) {
    return `There is no report of it: ${error.message}`
  }
}
