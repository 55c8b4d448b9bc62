// SPDX-License-Identifier: Apache-2.0
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PackageRoot } from './loader/scope.ts'

/** Something that is run and compared: packages, a driver, and what the driver enters by. */
export interface Subject {
  readonly name: string
  /** What it is written in. */
  readonly style: string
  readonly roots: readonly PackageRoot[]
  /** Absolute paths of the modules that the driver imports. */
  readonly entries: readonly string[]
  /** The URL of the driver's module. */
  readonly driver: string
}

const here = createRequire(import.meta.url)
const driverOf = (name: string): string => new URL(`./drivers/${name}.js`, import.meta.url).href

/** A package of the registry, by the specifiers that its driver imports. */
function fromNpm(name: string, style: string, specifiers: readonly string[] = [name]): Subject {
  const entries = specifiers.map((one) => realpathSync(fileURLToPath(import.meta.resolve(one))))
  return { name, style, roots: [{ name, folder: rootOf(name) }], entries, driver: driverOf(name) }
}

/** The folder of a package; its manifest may not be exported, so the search goes up from its entry. */
function rootOf(name: string): string {
  const paths = here.resolve.paths(name) ?? []
  for (const path of paths) {
    try {
      return dirname(realpathSync(join(path, name, 'package.json')))
    } catch {
      // Not in this folder; Node looks further up as well.
    }
  }
  throw new Error(`${name} is not installed`)
}

const pathTo = (path: string): string =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url))

/** The example of this repository, with the package that it stands on. */
const WEATHER: Subject = {
  name: 'weather',
  style: 'TypeScript and its ESM, functions',
  roots: [
    { name: 'beam-mcp-example-weather', folder: pathTo('examples/weather') },
    { name: '@beam-mcp/core', folder: pathTo('packages/core') },
  ],
  entries: [pathTo('examples/weather/src/app.ts'), pathTo('packages/core/dist/testing.js')],
  driver: driverOf('weather'),
}

const DRIFT: Subject = {
  name: 'drift',
  style: WEATHER.style,
  roots: [
    { name: 'beam-mcp-example-drift', folder: pathTo('examples/drift') },
    { name: '@beam-mcp/core', folder: pathTo('packages/core') },
    { name: '@beam-mcp/connectome', folder: pathTo('packages/connectome') },
  ],
  entries: [
    pathTo('examples/drift/src/app.ts'),
    pathTo('packages/core/dist/testing.js'),
    pathTo('packages/connectome/dist/index.js'),
  ],
  driver: driverOf('drift'),
}

export const SUBJECTS: readonly Subject[] = [
  fromNpm('semver', 'CommonJS, functions and classes'),
  fromNpm('avvio', 'CommonJS, prototypes'),
  fromNpm('find-my-way', 'CommonJS, prototypes and classes'),
  fromNpm('ajv', 'TypeScript to CommonJS, classes', [
    'ajv',
    'ajv/dist/2020.js',
    'ajv/dist/core.js',
    'ajv/dist/standalone/index.js',
  ]),
  fromNpm('jose', 'ESM by hand'),
  fromNpm('zod', 'TypeScript to ESM, barrels'),
  WEATHER,
  DRIFT,
]
