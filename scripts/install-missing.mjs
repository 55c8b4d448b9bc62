// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { ROOT, run } from './run-command.mjs'

/** Installs the workspace's packages, unless what is installed fits the lockfile. */
export function installMissing() {
  if (isInstalled()) return
  console.log('Installing what is missing; npx brings the package manager.')
  const { devDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  run('npx', ['--yes', `pnpm@${devDependencies.pnpm}`, 'install', '--frozen-lockfile'])
}

/** pnpm keeps the lockfile that it installed from. */
function isInstalled() {
  try {
    const wanted = readFileSync(`${ROOT}pnpm-lock.yaml`, 'utf8')
    const installed = readFileSync(`${ROOT}node_modules/.pnpm/lock.yaml`, 'utf8')
    return wanted === installed
  } catch {
    return false
  }
}
