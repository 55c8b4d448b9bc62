// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildDeclared, type Declared, type DeclaredOptions } from '@beam-mcp/connectome/declared'
import { onTestFinished } from 'vitest'

/** Text by path. A folder without a manifest of its own belongs to the package `app`. */
export type Files = Readonly<Record<string, string>>

const MANIFEST = '{ "name": "app", "type": "module" }'

/** Writes files to a folder that is gone after the test; answers the folder. */
export function writeFiles(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'declared-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries({ 'package.json': MANIFEST, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

export type BuildOptions = Partial<Omit<DeclaredOptions, 'scope' | 'server'>> & {
  readonly entries?: readonly string[]
  readonly packages?: readonly string[]
}

/** Builds the graph of files, from `main` of whatever ending unless said otherwise. */
export function build(files: Files, options: BuildOptions = {}): Promise<Declared> {
  const folder = writeFiles(files)
  const main = Object.keys(files).find((path) => /^main\.\w+$/.test(path)) ?? ''
  const { entries = [main], packages = ['app'], ...rest } = options
  const scope = { entries: entries.map((path) => join(folder, path)), packages }
  return buildDeclared({ server: 's', level: 'mfa', ...rest, scope })
}

/** The calls of a graph as `from -> to`, without server, package and arity: `main.js#run -> lib.js#f`. */
export function callsOf({ graph }: Declared): string[] {
  return graph.edges
    .filter(({ from }) => from.startsWith('s/module/'))
    .map(({ from, to }) => `${shorten(from)} -> ${shorten(to)}`)
}

function shorten(id: string): string {
  const [, , module = '', name] = id.split('/').map((part) => part.replaceAll('%2F', '/'))
  const path = module.replace(/^app\//, '')
  return name === undefined ? path : `${path}#${name}`
}

/** The unresolved calls as `module:line reason`. */
export function listedOf({ bound }: Declared): string[] {
  return bound.unresolved_calls.map(
    ({ module, line, reason }) => `${module.replace(/^app\//, '')}:${line} ${reason}`,
  )
}
