// SPDX-License-Identifier: Apache-2.0
// The weather example from a fresh clone: npm run demo, or npm run demo -- --once
import { installMissing } from './install-missing.mjs'
import { runTool } from './run-command.mjs'

installMissing()
console.log('Building the core package and the weather example.')
runTool('tsc', ['-b', 'packages/core'])
runTool('tsc', ['-p', 'examples/weather'])
console.log('Starting the weather example and calling it with the official client.')
// In this process, so that Ctrl-C and every other signal have one place to end.
await import(new URL('../examples/weather/dist/demo.js', import.meta.url).href)
