// SPDX-License-Identifier: Apache-2.0
import { installMissing } from './install-missing.mjs'
import { runTool } from './run-command.mjs'

installMissing()
console.log('Running every test of every package.')
runTool('vitest', ['run', ...process.argv.slice(2)])
