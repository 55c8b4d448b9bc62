// SPDX-License-Identifier: Apache-2.0
// Copies each example to an empty folder, installs it from the packed tarballs with npm, builds and
// runs it there: nothing of the workspace can help it.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { npmInstall } from './install-consumer.mjs'
import { packPackages } from './pack-packages.mjs'
import { ROOT, run } from './run-command.mjs'
import { makeTempFolder } from './temp-folder.mjs'

const NOT_COPIED = new Set(['node_modules', 'dist', 'test'])

const packages = packPackages(makeTempFolder('packages'))
const examples = readdirSync(`${ROOT}examples`)
for (const example of examples) {
  console.log(`\nRunning the ${example} example on its own`)
  const folder = makeTempFolder(example)
  cpSync(join(ROOT, 'examples', example), folder, {
    recursive: true,
    filter: (path) => !NOT_COPIED.has(basename(path)),
  })
  takeTarballs(join(folder, 'package.json'))
  npmInstall(folder)
  run('npm', ['run', 'build'], { cwd: folder })
  run('npm', ['run', 'demo', '--', '--once'], { cwd: folder })
}
console.log(`\n${examples.length} examples ran on their own`)

/** Every package of the workspace comes from its tarball. */
function takeTarballs(path) {
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  for (const kind of ['dependencies', 'devDependencies']) {
    for (const { name, tarball } of packages) {
      if (manifest[kind]?.[name] !== undefined) manifest[kind][name] = `file:${tarball}`
    }
  }
  const text = JSON.stringify(manifest, null, 2)
  if (text.includes('workspace:')) throw new Error(`${path} names a package that is not packed`)
  writeFileSync(path, `${text}\n`)
}
