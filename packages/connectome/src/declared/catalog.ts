// SPDX-License-Identifier: Apache-2.0
import { isPlainObject } from '../graph/plain-object.ts'
import { refuse } from './refuse.ts'

/** What a build asks of a catalog: each catalog of `@beam-mcp/core` is one. */
export interface DeclaredCatalog {
  /** The three lists; asked once, without a principal. */
  capabilities(context: never): unknown
}

export interface CatalogTool {
  readonly name: string
  readonly commandClass: string | undefined
  readonly mode: string | undefined
}

/** The entries of a catalog, by what names each. */
export interface CatalogEntries {
  readonly tools: readonly CatalogTool[]
  readonly resources: readonly string[]
  readonly templates: readonly string[]
  readonly prompts: readonly string[]
}

const LISTS = ['tools', 'resources', 'prompts'] as const

/** @throws ConnectomeError `['invalid', 'catalog', reason]` for what no server could serve */
export async function readCatalog(catalog: unknown): Promise<CatalogEntries> {
  const lists = await askCatalog(catalog)
  const tools = lists.tools.map((entry) => {
    const { commandClass, mode } = entry
    return {
      name: nameOf('tools', entry, 'name'),
      commandClass: textOf(commandClass),
      mode: textOf(mode),
    }
  })
  const isTemplate = (entry: Fields): boolean => entry['uriTemplate'] !== undefined
  const templates = lists.resources.filter(isTemplate)
  const resources = lists.resources.filter((entry) => !isTemplate(entry))
  const found = {
    tools,
    resources: resources.map((entry) => nameOf('resources', entry, 'uri')),
    templates: templates.map((entry) => nameOf('resources', entry, 'uriTemplate')),
    prompts: lists.prompts.map((entry) => nameOf('prompts', entry, 'name')),
  }
  refuseTwins(
    'tools',
    tools.map(({ name }) => name),
  )
  refuseTwins('resources', [...found.resources, ...found.templates])
  refuseTwins('prompts', found.prompts)
  return found
}

type Fields = Readonly<Record<string, unknown>>

async function askCatalog(
  catalog: unknown,
): Promise<Record<(typeof LISTS)[number], readonly Fields[]>> {
  const isObject = typeof catalog === 'object' && catalog !== null
  if (!isObject || !('capabilities' in catalog) || typeof catalog.capabilities !== 'function') {
    return refuse('invalid', 'catalog', ['missing', 'capabilities'])
  }
  let answer: unknown
  try {
    answer = await catalog.capabilities({})
  } catch {
    return refuse('invalid', 'catalog', ['failed', 'capabilities'])
  }
  if (!isPlainObject(answer)) return refuse('invalid', 'catalog', ['invalid', 'capabilities'])
  const lists = { tools: readList(answer, 'tools'), resources: readList(answer, 'resources') }
  return { ...lists, prompts: readList(answer, 'prompts') }
}

function readList(answer: Fields, list: (typeof LISTS)[number]): readonly Fields[] {
  const entries = answer[list]
  if (entries === undefined) return refuse('invalid', 'catalog', ['missing', list])
  if (!Array.isArray(entries)) return refuse('invalid', 'catalog', ['invalid', list])
  return Array.from(entries, (entry: unknown) => {
    if (typeof entry === 'object' && entry !== null) return entry as Fields
    return refuse('invalid', 'catalog', ['invalid', list])
  })
}

function nameOf(list: string, entry: Fields, key: string): string {
  const name = entry[key]
  return typeof name === 'string' && name !== ''
    ? name
    : refuse('invalid', 'catalog', ['invalid', list, key])
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

function refuseTwins(list: string, names: readonly string[]): void {
  const twin = names.find((name, place) => names.indexOf(name) !== place)
  if (twin !== undefined) refuse('invalid', 'catalog', ['duplicate', list, twin])
}
