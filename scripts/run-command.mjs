// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The folder of the workspace, with a slash behind it. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Where the tools that the workspace has installed begin. */
const TOOLS = {
  attw: 'node_modules/@arethetypeswrong/cli/dist/index.js',
  pnpm: 'node_modules/pnpm/bin/pnpm.cjs',
  publint: 'node_modules/publint/src/cli.js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
}

/**
 * Runs one command in the workspace, or in `options.cwd`; shows it and what it prints. Where it
 * fails, this process ends with its exit code.
 */
export function run(command, args, options = {}) {
  console.log(`> ${[command, ...args].join(' ')}`)
  // npm and npx are scripts of the shell on Windows.
  const shell = process.platform === 'win32' && command !== process.execPath
  const settings = { cwd: ROOT, stdio: 'inherit', env: plainEnv(), shell, ...options }
  const { status, error } = spawnSync(command, args, settings)
  if (error !== undefined) console.error(error.message)
  if (status !== 0) process.exit(status ?? 1)
}

/** Runs a script with this Node. */
export function runNode(args, options = {}) {
  run(process.execPath, args, options)
}

/** Runs a tool that the workspace has installed. */
export function runTool(name, args, options = {}) {
  runNode([ROOT + TOOLS[name], ...args], options)
}

/** What npm tells a script of its own run would mislead an npm that works in another folder. */
function plainEnv() {
  const isOfThisRun =
    /^(?:npm_package_|npm_lifecycle_|npm_config_(?:call|local_prefix|package)$|INIT_CWD$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfThisRun.test(name)))
}
