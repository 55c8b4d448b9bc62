// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run-command.mjs'

/** Makes a package in a folder and installs its dependencies with npm, as a user would. */
export function installConsumer(folder, dependencies) {
  const manifest = { name: 'consumer', private: true, type: 'module', dependencies }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  npmInstall(folder)
}

/** Installs what the package in a folder asks for. */
export function npmInstall(folder) {
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
}
