// SPDX-License-Identifier: Apache-2.0
// An example from a fresh clone: npm run demo, npm run demo -- --once, npm run demo:drift
import { installMissing } from './install-missing.mjs'
import { runTool } from './run-command.mjs'

const PACKAGES = { weather: ['packages/core'], drift: ['packages/core', 'packages/connectome'] }

const name = process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? 'weather'
const packages = PACKAGES[name]
if (packages === undefined) throw new Error(`there is no example ${name}`)
installMissing()
console.log(`Building the packages and the ${name} example.`)
runTool('tsc', ['-b', ...packages])
runTool('tsc', ['-p', `examples/${name}`])
console.log(`Starting the ${name} example and calling it with the official client.`)
// In this process, so that Ctrl-C and every other signal have one place to end.
await import(new URL(`../examples/${name}/dist/demo.js`, import.meta.url).href)
