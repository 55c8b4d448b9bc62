// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { instrument } from './instrument.ts'
import { isModuleFile, moduleIdOf, type PackageRoot } from './scope.ts'

/** What a hook of Node's loader answers. */
interface Loaded {
  readonly format: string
  readonly source?: unknown
  readonly shortCircuit?: boolean
}

let roots: readonly PackageRoot[] = []

/** Called by Node with what `register` was given. */
export function initialize(data: { readonly roots: readonly PackageRoot[] }): void {
  roots = data.roots
}

/** Instruments the ECMAScript modules of the scope; CommonJS is left to its own hook. */
export async function load(
  url: string,
  context: unknown,
  nextLoad: (url: string, context: unknown) => Promise<Loaded>,
): Promise<Loaded> {
  if (!url.startsWith('file:')) return nextLoad(url, context)
  const file = fileURLToPath(url)
  const module = moduleIdOf(file, roots)
  const isTyped = extname(file).endsWith('ts')
  if (module === undefined || (!isModuleFile(file) && !isTyped)) return nextLoad(url, context)
  const source = await readFile(file, 'utf8')
  const { code } = instrument(file, module, source, true)
  return { format: 'module', source: code, shortCircuit: true }
}
