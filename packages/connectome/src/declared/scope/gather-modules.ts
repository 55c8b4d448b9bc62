// SPDX-License-Identifier: Apache-2.0
import { readFile, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { compareCodePoints } from '../../graph/code-points.ts'
import type { ModuleFacts, ParseFault, RequestFact } from '../facts/module-facts.ts'
import type { ParseSource } from '../facts/parse-source.ts'
import { readModule } from '../facts/read-module.ts'
import { createManifests, type Manifests, moduleIdOf, type Owner } from './manifests.ts'
import type { Found, ResolveModule } from './resolve-module.ts'

/** Where a request of a module leads. */
export type Link =
  | { readonly kind: 'module'; readonly id: string }
  | { readonly kind: 'external'; readonly name: string }
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'data' }
  | { readonly kind: 'missing' }

/** A module of the scope that was read. */
export interface ScopeModule {
  readonly id: string
  readonly path: string
  readonly packageName: string
  readonly facts: ModuleFacts
  /** Whether code outside the scope may load it: an entry, or what another package asks for. */
  isPublic: boolean
  /** One for each request of the facts. */
  readonly links: readonly Link[]
}

/** A file that a request names and that has no facts. */
export interface Unparsed extends ParseFault {
  readonly module: string
}

/** What was found, both lists in the order of ids. */
export interface Gathered {
  readonly modules: readonly ScopeModule[]
  readonly unparsed: readonly Unparsed[]
  /** Paths that could not be read, or that no manifest above gives a name. */
  readonly unreadable: readonly string[]
}

export interface Tools {
  readonly parse: ParseSource
  readonly resolve: ResolveModule
}

const MOST_FILES_AT_ONCE = 16
const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/

interface Gathering extends Tools {
  readonly packages: ReadonlySet<string>
  readonly manifests: Manifests
  readonly seen: Map<string, string>
  readonly publicIds: Set<string>
  readonly queue: string[]
  readonly modules: ScopeModule[]
  readonly unparsed: Unparsed[]
  readonly unreadable: string[]
}

/**
 * Reads the entries and every module of the named packages that they lead to. Files are read a few at
 * a time; nothing of the answer depends on which came first.
 */
export async function gatherModules(
  entries: readonly string[],
  packages: readonly string[],
  tools: Tools,
): Promise<Gathered> {
  const all: Gathering = {
    ...tools,
    packages: new Set(packages),
    manifests: createManifests(),
    ...{ seen: new Map(), publicIds: new Set(), queue: [], modules: [], unparsed: [] },
    unreadable: [],
  }
  for (const entry of entries) await enqueueEntry(all, entry)
  while (all.queue.length > 0) {
    const some = all.queue.splice(0, MOST_FILES_AT_ONCE)
    await Promise.all(some.map((path) => readOne(all, path)))
  }
  for (const module of all.modules) module.isPublic = all.publicIds.has(module.id)
  all.modules.sort((a, b) => compareCodePoints(a.id, b.id))
  all.unparsed.sort((a, b) => compareCodePoints(a.module, b.module))
  all.unreadable.sort(compareCodePoints)
  return all
}

async function enqueueEntry(all: Gathering, entry: string): Promise<void> {
  const path = await realpath(entry).catch(() => entry)
  const id = await enqueue(all, path)
  if (id === undefined) all.unreadable.push(path)
  else all.publicIds.add(id)
}

/** Names a file and puts it in line once; `undefined` where no manifest above it has a name. */
async function enqueue(all: Gathering, path: string): Promise<string | undefined> {
  const known = all.seen.get(path)
  if (known !== undefined) return known
  const owner = await all.manifests.ownerOf(dirname(path))
  if (owner === undefined) return undefined
  return enqueueOwned(all, path, owner)
}

function enqueueOwned(all: Gathering, path: string, owner: Owner): string {
  const id = moduleIdOf(path, owner)
  if (!all.seen.has(path)) {
    all.seen.set(path, id)
    all.queue.push(path)
  }
  return id
}

async function readOne(all: Gathering, path: string): Promise<void> {
  const id = all.seen.get(path) ?? path
  const [text, owner, isModule] = await Promise.all([
    readFile(path, 'utf8').catch(() => undefined),
    all.manifests.ownerOf(dirname(path)),
    formatOf(all, path),
  ])
  if (text === undefined) {
    all.unreadable.push(path)
    all.unparsed.push({ module: id, reason: 'unreadable', line: 1, column: 0 })
    return
  }
  const facts = readModule({ path, text, isModule }, all.parse)
  if ('reason' in facts) {
    all.unparsed.push({ module: id, ...facts })
    return
  }
  const packageName = owner?.name ?? ''
  const links: Link[] = []
  for (const request of facts.requests) links.push(await follow(all, path, packageName, request))
  all.modules.push({ id, path, packageName, facts, isPublic: false, links })
}

async function formatOf(all: Gathering, path: string): Promise<boolean | undefined> {
  if (/\.m[jt]s$/.test(path)) return true
  if (/\.c[jt]s$/.test(path)) return undefined
  return (await all.manifests.isModuleFolder(dirname(path))) === true ? true : undefined
}

async function follow(
  all: Gathering,
  path: string,
  packageName: string,
  { specifier, kind }: RequestFact,
): Promise<Link> {
  const found: Found = all.resolve(dirname(path), specifier, kind === 'require')
  if (found.kind === 'builtin') return found
  const owner = found.kind === 'file' ? await all.manifests.ownerOf(dirname(found.path)) : undefined
  if (found.kind === 'missing' || owner === undefined) return unresolved(all, specifier)
  if (!all.packages.has(owner.name)) return { kind: 'external', name: owner.name }
  if (/\.json$/.test(found.path)) return { kind: 'data' }
  if (!SOURCE.test(found.path)) return { kind: 'missing' }
  if (kind === 'type') return { kind: 'module', id: moduleIdOf(found.path, owner) }
  const id = enqueueOwned(all, found.path, owner)
  if (owner.name !== packageName) all.publicIds.add(id)
  return { kind: 'module', id }
}

function unresolved(all: Gathering, specifier: string): Link {
  const [, name] = /^((?:@[^/]+\/)?[^./#][^/]*)/.exec(specifier) ?? []
  if (name === undefined || all.packages.has(name)) return { kind: 'missing' }
  return { kind: 'external', name }
}
