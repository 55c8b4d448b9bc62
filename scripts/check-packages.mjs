// SPDX-License-Identifier: Apache-2.0
// Packs each package and looks at the tarball: its manifest, its types, its files and its weight.
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installConsumer } from './install-consumer.mjs'
import { packPackages } from './pack-packages.mjs'
import { ROOT, run, runTool } from './run-command.mjs'
import { makeTempFolder } from './temp-folder.mjs'

/** What `@beam-mcp/core` may bring beside Fastify. */
const MAX_BYTES = 5_000_000

const faults = []
const packages = packPackages(makeTempFolder('packages'))
for (const one of packages) {
  console.log(`\nChecking ${one.name}`)
  runTool('publint', ['run', one.tarball, '--strict'])
  runTool('attw', [one.tarball, '--profile', 'esm-only'])
  checkContents(one)
}
checkWeight(packages.find(({ name }) => name === '@beam-mcp/core'))

for (const fault of faults) console.error(`FAULT ${fault}`)
console.log(`\n${packages.length} packages checked, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1

function checkContents({ name, manifest, tarball }) {
  const unpacked = makeTempFolder('unpacked')
  execFileSync('tar', ['-xzf', tarball, '-C', unpacked])
  const root = join(unpacked, 'package')
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  const expect = (isRight, what) => {
    if (!isRight) faults.push(`${name}: ${what}`)
  }

  for (const file of ['LICENSE', 'NOTICE', 'README.md', 'package.json']) {
    expect(files.includes(file), `${file} is not in the tarball`)
  }
  for (const file of ['LICENSE', 'NOTICE']) {
    const isSame =
      files.includes(file) &&
      readFileSync(join(root, file), 'utf8') === readFileSync(join(ROOT, file), 'utf8')
    expect(isSame, `${file} differs from the workspace's`)
  }
  const isWanted =
    /^(?:dist\/.+\.(?:js|d\.ts)(?:\.map)?|src\/.+\.ts|[A-Z]+(?:\.md)?|package\.json)$/
  for (const file of files) {
    expect(isWanted.test(file), `${file} does not belong in the tarball`)
    expect(!/(?:^|\/)tests?\/|\.test\.|\.test-d\./.test(file), `${file} is a test`)
  }
  for (const file of files.filter((one) => one.startsWith('src/'))) {
    const built = file.replace(/^src/, 'dist').replace(/\.ts$/, '.js')
    expect(files.includes(built), `${file} has no ${built}; remove dist and build again`)
  }
  for (const file of files.filter((one) => /^dist\/.+(?<!\.d)\.(?:js)$/.test(one))) {
    const source = file.replace(/^dist/, 'src').replace(/\.js$/, '.ts')
    expect(files.includes(source), `${file} has no ${source}; remove dist and build again`)
  }
  const packed = readFileSync(join(root, 'package.json'), 'utf8')
  expect(!packed.includes('workspace:'), 'the manifest still says workspace:')
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )
  for (const target of targets) {
    expect(existsSync(join(root, target)), `exports name ${target}, which is not there`)
  }
  console.log(`${files.length} files in the tarball`)
}

function checkWeight({ name, tarball }) {
  console.log(`\nWeighing what ${name} brings beside Fastify`)
  const folder = makeTempFolder('weight')
  installConsumer(folder, { [name]: `file:${tarball}` })
  const modules = join(folder, 'node_modules')
  const bytes = bytesOf(modules)
  console.log(`${(bytes / 1e6).toFixed(2)} MB of at most ${MAX_BYTES / 1e6} MB`)
  if (bytes >= MAX_BYTES) faults.push(`${name}: installs ${bytes} bytes beside Fastify`)
  for (const peer of ['fastify', 'ioredis', '@opentelemetry/api', 'json-schema-to-ts']) {
    if (existsSync(join(modules, peer))) faults.push(`${name}: installs its optional peer ${peer}`)
  }
  run('npm', ['ls', '--all'], { cwd: folder })
}

function bytesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map((path) => lstatSync(join(folder, path)))
    .filter((stat) => stat.isFile())
    .reduce((sum, { size }) => sum + size, 0)
}
