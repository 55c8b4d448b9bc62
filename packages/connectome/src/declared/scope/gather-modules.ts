// SPDX-License-Identifier: Apache-2.0
import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compareCodePoints } from '../../graph/code-points.ts'
import type { ModuleFacts, ParseFault, RequestFact } from '../facts/module-facts.ts'
import type { Parsed, ParseSource } from '../facts/parse-source.ts'
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

/** How many files are parsed at a time. */
const MOST_AT_A_TIME = 16
/** With more than so many no further ones are begun: each wakes a thread, which may take the place of this one. */
const ENOUGH = 6
/** UTF-16 units of the texts at hand beyond which no further file is begun; one may be longer by itself. */
const MOST_TEXT_AT_A_TIME = 1 << 20
const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/

/** A file that is being parsed. */
interface Source {
  readonly text: string
  readonly parsed: Promise<Parsed | ParseFault>
}

interface Gathering extends Tools {
  readonly packages: ReadonlySet<string>
  readonly manifests: Manifests
  readonly seen: Map<string, string>
  readonly found: Map<string, Found>
  readonly publicIds: Set<string>
  readonly queue: string[]
  /** Of each place of the queue that was begun its source, or undefined where the file could not be read. */
  readonly sources: (Source | undefined)[]
  /** UTF-16 units of the texts that were begun and are not taken in yet. */
  waiting: number
  readonly modules: ScopeModule[]
  readonly unparsed: Unparsed[]
  readonly unreadable: string[]
}

/**
 * Reads the entries and every module of the named packages that they lead to. The next files are parsed
 * on other threads while this one takes in what was parsed, in the order in which they were found.
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
    ...{
      seen: new Map(),
      found: new Map(),
      publicIds: new Set(),
      queue: [],
      sources: [],
      modules: [],
      unparsed: [],
    },
    unreadable: [],
    waiting: 0,
  }
  for (const entry of entries) enqueueEntry(all, entry)
  for (let place = 0; place < all.queue.length; place++) {
    begin(all, place)
    await readOne(all, place)
  }
  for (const module of all.modules) module.isPublic = all.publicIds.has(module.id)
  all.modules.sort((a, b) => compareCodePoints(a.id, b.id))
  all.unparsed.sort((a, b) => compareCodePoints(a.module, b.module))
  all.unreadable.sort(compareCodePoints)
  return all
}

function enqueueEntry(all: Gathering, entry: string): void {
  const path = realPathOf(entry)
  const owner = all.manifests.ownerOf(dirname(path))
  if (owner === undefined) all.unreadable.push(path)
  else all.publicIds.add(enqueue(all, path, owner))
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path // reading it will say so
  }
}

/** Names a file and puts it in line once. */
function enqueue(all: Gathering, path: string, owner: Owner): string {
  const known = all.seen.get(path)
  if (known !== undefined) return known
  const id = moduleIdOf(path, owner)
  all.seen.set(path, id)
  all.queue.push(path)
  return id
}

/** Has a file parsed, and files after it as far as there is room. */
function begin(all: Gathering, place: number): void {
  const { queue, sources } = all
  if (sources.length - place > ENOUGH) return
  for (let next = sources.length; next < queue.length; next++) {
    const isFull = next - place >= MOST_AT_A_TIME || all.waiting >= MOST_TEXT_AT_A_TIME
    if (isFull && next > place) return
    sources.push(beginOne(all, queue[next] ?? ''))
  }
}

function beginOne(all: Gathering, path: string): Source | undefined {
  const read = readText(path)
  if (read === undefined) return undefined
  const { text, bytes } = read
  all.waiting += text.length
  const parsed = all.parse(path, text, formatOf(all, path), bytes)
  parsed.catch(() => undefined) // it is awaited later, and thrown from there
  return { text, parsed }
}

async function readOne(all: Gathering, place: number): Promise<void> {
  const path = all.queue[place] ?? ''
  const id = all.seen.get(path) ?? path
  const source = all.sources[place]
  all.sources[place] = undefined
  if (source === undefined) {
    all.unreadable.push(path)
    all.unparsed.push({ module: id, reason: 'unreadable', line: 1, column: 0 })
    return
  }
  const facts = readModule(source.text, await source.parsed)
  all.waiting -= source.text.length
  if ('reason' in facts) {
    all.unparsed.push({ module: id, ...facts })
    return
  }
  const packageName = all.manifests.ownerOf(dirname(path))?.name ?? ''
  const links = facts.requests.map((request) => follow(all, path, packageName, request))
  all.modules.push({ id, path, packageName, facts, isPublic: false, links })
}

/** A file may be missing, and it may be too long for a text. */
function readText(path: string): { readonly text: string; readonly bytes: Buffer } | undefined {
  try {
    const bytes = readFileSync(path)
    return { text: bytes.toString('utf8'), bytes }
  } catch {
    return undefined
  }
}

function formatOf(all: Gathering, path: string): boolean | undefined {
  if (/\.m[jt]s$/.test(path)) return true
  if (/\.c[jt]s$/.test(path)) return undefined
  return all.manifests.isModuleFolder(dirname(path)) === true ? true : undefined
}

function follow(
  all: Gathering,
  path: string,
  packageName: string,
  { specifier, kind }: RequestFact,
): Link {
  const found = find(all, dirname(path), specifier, kind === 'require')
  if (found.kind === 'builtin') return found
  const owner = found.kind === 'file' ? all.manifests.ownerOf(dirname(found.path)) : undefined
  if (found.kind === 'missing' || owner === undefined) return unresolved(all, specifier)
  if (!all.packages.has(owner.name)) return { kind: 'external', name: owner.name }
  if (/\.json$/.test(found.path)) return { kind: 'data' }
  if (!SOURCE.test(found.path)) return { kind: 'missing' }
  if (kind === 'type') return { kind: 'module', id: moduleIdOf(found.path, owner) }
  const id = enqueue(all, found.path, owner)
  if (owner.name !== packageName) all.publicIds.add(id)
  return { kind: 'module', id }
}

/** Asks the resolver, once for all modules that name one file or one package from one folder. */
function find(all: Gathering, folder: string, specifier: string, isRequire: boolean): Found {
  const isRelative = /^\.\.?\//.test(specifier)
  const path = isRelative ? join(folder, specifier) : ''
  // A file that is in line already is what its own path with its ending leads to.
  if (isRelative && SOURCE.test(path) && all.seen.has(path)) return { kind: 'file', path }
  const key = `${isRequire ? 'r' : 'i'}${isRelative ? path : `${specifier}\n${folder}`}`
  const known = all.found.get(key)
  if (known !== undefined) return known
  const found = all.resolve(folder, specifier, isRequire)
  all.found.set(key, found)
  return found
}

function unresolved(all: Gathering, specifier: string): Link {
  const [, name] = /^((?:@[^/]+\/)?[^./#][^/]*)/.exec(specifier) ?? []
  if (name === undefined || all.packages.has(name)) return { kind: 'missing' }
  return { kind: 'external', name }
}
