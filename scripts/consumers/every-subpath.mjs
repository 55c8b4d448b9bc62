// SPDX-License-Identifier: Apache-2.0
// Imports every exported subpath of the packages named on the command line, then requires it:
// that fails on a top-level await.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)
let count = 0
for (const name of process.argv.slice(2)) {
  const path = join(import.meta.dirname, 'node_modules', name, 'package.json')
  const { exports } = JSON.parse(readFileSync(path, 'utf8'))
  for (const subpath of Object.keys(exports).filter((key) => key !== './package.json')) {
    const specifier = name + subpath.slice(1)
    const imported = await import(specifier)
    const required = require(specifier)
    for (const key of Object.keys(imported)) {
      if (required[key] !== imported[key]) throw new Error(`${specifier} has two of ${key}`)
    }
    count += 1
  }
  if (require(`${name}/package.json`).name !== name) throw new Error(`${name}: another manifest`)
}
console.log(`${count} subpaths are imported and required`)
