// SPDX-License-Identifier: Apache-2.0
// Installs the packed tarballs in empty folders, as users do, and uses them there: by import, by
// require and from TypeScript, with Fastify and with no peer at all.
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { installConsumer } from './install-consumer.mjs'
import { packPackages, pinnedVersion } from './pack-packages.mjs'
import { ROOT, runNode } from './run-command.mjs'
import { makeTempFolder } from './temp-folder.mjs'

const CONSUMERS = join(ROOT, 'scripts/consumers')
const packages = packPackages(makeTempFolder('packages'))
const names = packages.map(({ name }) => name)
const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
const core = { '@beam-mcp/core': tarballs['@beam-mcp/core'] }
/** The compiler that the workspace uses, and the last one written in JavaScript. */
const compilers = {
  typescript: pinnedVersion('typescript'),
  'typescript-5': 'npm:typescript@5.9.3',
}

const full = consumer('with-fastify', {
  ...tarballs,
  ...compilers,
  '@opentelemetry/api': pinnedVersion('@opentelemetry/api'),
  '@types/node': pinnedVersion('@types/node'),
  fastify: pinnedVersion('fastify'),
  'json-schema-to-ts': pinnedVersion('json-schema-to-ts'),
})
runNode(['every-subpath.mjs', ...names], { cwd: full })
runNode(['main.mjs'], { cwd: full })
runNode(['main.cjs'], { cwd: full })
// Fastify's own types need those of Node.
compile(full, ['--types', 'node'])
runNode(['dist/main.js'], { cwd: full })

const bare = consumer('without-peers', { ...core, ...compilers })
for (const absent of [
  'fastify',
  'ioredis',
  '@opentelemetry/api',
  'json-schema-to-ts',
  '@types/node',
]) {
  if (existsSync(join(bare, 'node_modules', absent))) throw new Error(`${absent} is installed`)
}
runNode(['main.mjs'], { cwd: bare })
runNode(['main.cjs'], { cwd: bare })
// AbortSignal is a type of Node and of the DOM library, which TypeScript brings unless told otherwise.
const WITH_DOM = ['--lib', 'ES2023,DOM']
compile(bare, WITH_DOM)
runNode(['dist/main.js'], { cwd: bare })

const literals = consumer('schema-literals', {
  ...core,
  ...compilers,
  'json-schema-to-ts': pinnedVersion('json-schema-to-ts'),
})
compile(literals, WITH_DOM)
runNode(['dist/main.js'], { cwd: literals })
console.log('\n3 consumers use the packages as they should be usable')

/** Copies a consumer to an empty folder and installs what it asks for. */
function consumer(name, dependencies) {
  console.log(`\nConsumer ${name}`)
  const folder = makeTempFolder(name)
  const shared = [
    'exchange.mjs',
    'every-subpath.mjs',
    'tsconfig.nodenext.json',
    'tsconfig.bundler.json',
  ]
  for (const file of shared) cpSync(join(CONSUMERS, file), join(folder, file))
  cpSync(join(CONSUMERS, name), folder, { recursive: true })
  installConsumer(folder, dependencies)
  return folder
}

/** Checks all types, those of the libraries included, the way each kind of project resolves them. */
function compile(folder, more = []) {
  const tsc = (compiler, project) =>
    runNode([`node_modules/${compiler}/bin/tsc`, '-p', project, ...more], { cwd: folder })
  tsc('typescript', 'tsconfig.nodenext.json')
  tsc('typescript', 'tsconfig.bundler.json')
  tsc('typescript-5', 'tsconfig.nodenext.json')
}
