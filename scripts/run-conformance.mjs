// SPDX-License-Identifier: Apache-2.0
// The official conformance suite from a fresh clone: npm run conformance, or
// npm run conformance -- --node 22
import { installMissing } from './install-missing.mjs'
import { runNode, runTool } from './run-command.mjs'

installMissing()
runTool('tsc', ['-b', 'packages/core'])
runTool('tsc', ['-p', 'conformance'])
runNode(['conformance/dist/runner/main.js', ...process.argv.slice(2)])
