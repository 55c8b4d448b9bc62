// SPDX-License-Identifier: Apache-2.0
import { loadParser } from './facts/parse-source.ts'
import { type Analysis, analyse } from './flow/analyse.ts'
import type { EntryScope, ManifestScope } from './options.ts'
import { refuse } from './refuse.ts'
import { type Gathered, gatherModules } from './scope/gather-modules.ts'
import { readManifest, targetsOf } from './scope/manifests.ts'
import { loadResolver, type ResolveModule } from './scope/resolve-module.ts'

/** A scope that was read and followed. */
export interface AnalysedScope extends Analysis {
  readonly gathered: Gathered
}

/**
 * Reads the modules of a scope and follows its calls. Everything the build asks of the source is asked
 * here, so that another way of resolving calls has one place to stand in.
 *
 * @throws ConnectomeError `['unknown_entry', path]`, `['unknown_manifest', path]`,
 * `['unavailable', package]`
 */
export async function analyseScope(scope: EntryScope | ManifestScope): Promise<AnalysedScope> {
  const parse = await loadParser()
  const resolve = await loadResolver()
  const { entries, packages } = 'manifests' in scope ? await fromManifests(scope, resolve) : scope
  const gathered = await gatherModules(entries, packages, { parse, resolve })
  const unknown = gathered.unreadable.find((path) => entries.includes(path))
  if (unknown !== undefined) refuse('unknown_entry', unknown)
  return { ...analyse(gathered.modules), gathered }
}

/** A target that names no file, such as one for types or for another build, is left out. */
async function fromManifests(
  { manifests }: ManifestScope,
  resolve: ResolveModule,
): Promise<EntryScope> {
  const entries: string[] = []
  const packages: string[] = []
  for (const path of manifests) {
    const manifest = readManifest(path)
    const name = manifest?.fields['name']
    if (manifest === undefined || typeof name !== 'string') return refuse('unknown_manifest', path)
    packages.push(name)
    for (const target of targetsOf(manifest)) {
      const found = resolve(manifest.folder, `./${target.replace(/^\.\//, '')}`, true)
      if (found.kind === 'file') entries.push(found.path)
    }
  }
  return { entries, packages }
}
