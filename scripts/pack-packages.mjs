// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runTool } from './run-command.mjs'

/**
 * Builds the published packages and packs each as it would be published.
 *
 * @param folder  where the tarballs go
 * @returns for each package its `name`, its `manifest` in the workspace and the path of its `tarball`
 */
export function packPackages(folder) {
  runTool('tsc', ['-b'])
  return readdirSync(`${ROOT}packages`).map((name) => {
    const source = join(ROOT, 'packages', name)
    const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
    runTool('pnpm', ['pack', '--pack-destination', folder], { cwd: source, stdio: 'ignore' })
    const base = manifest.name.replace('@', '').replace('/', '-')
    return {
      name: manifest.name,
      manifest,
      tarball: join(folder, `${base}-${manifest.version}.tgz`),
    }
  })
}

/** A version that the workspace pins, so that what is checked is what is developed with. */
export function pinnedVersion(name) {
  for (const folder of ['.', 'packages/core', 'examples/weather']) {
    const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
    const version = manifest.devDependencies?.[name]
    if (version !== undefined) return version
  }
  throw new Error(`the workspace pins no version of ${name}`)
}
