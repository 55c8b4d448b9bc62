// SPDX-License-Identifier: Apache-2.0
// Runs every test under each Node that is promised and is not this one:
// node scripts/check-nodes.mjs [version ...]

import { spawnSync } from 'node:child_process'
import { ROOT } from './run-command.mjs'

/** The floor, and the majors above it. */
const PROMISED = ['20.19.0', '20', '22', '24', '26']

const isThisOne = (version) => `${process.version}.`.startsWith(`v${version}.`)
const versions =
  process.argv.length > 2
    ? process.argv.slice(2)
    : PROMISED.filter((version) => !isThisOne(version))
const failed = versions.filter((version) => !passesUnder(version))
console.log(`${versions.length - failed.length} of ${versions.length} versions of Node pass.`)
if (failed.length > 0) {
  console.error(`The tests fail under Node ${failed.join(', ')}.`)
  process.exitCode = 1
}

/** The npm package `node` holds the binaries; a missing one would fall back to this Node unseen. */
function passesUnder(version) {
  console.log(`\n> the tests under Node ${version}`)
  const script = [
    `const wanted = 'v${version}'`,
    "const isIt = process.version === wanted || process.version.startsWith(wanted + '.')",
    'console.log(process.version)',
    'process.exit(isIt ? 0 : 1)',
  ].join(';')
  const command = `node -e "${script}" && node node_modules/vitest/vitest.mjs run`
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  const { status } = spawnSync(npx, ['--yes', '-p', `node@${version}`, '-c', command], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  return status === 0
}
