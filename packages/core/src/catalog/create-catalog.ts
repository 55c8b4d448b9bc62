// SPDX-License-Identifier: Apache-2.0

import { isJsonObject } from '../protocol/plain.ts'
import { refuseOption, refuseUnknown } from '../protocol/refuse-option.ts'
import type { Awaitable, Catalog, CatalogEntry, Dispatch, PromptAnswer } from './catalog.ts'
import { completeBy } from './completers.ts'
import type { CallContext } from './context.ts'
import type { Prompt, Resource, ResourceTemplate, Tool } from './define.ts'
import { entryLabel, refuseEntry } from './entry-faults.ts'
import { findMisspelt } from './misspelt-member.ts'
import { notFound, promptError } from './outcome.ts'

/** What {@link createCatalog} takes: every list may be left out. */
export interface CatalogParts<Principal = unknown> {
  readonly tools?: readonly Tool<Principal>[]
  readonly resources?: readonly Resource<Principal>[]
  readonly resourceTemplates?: readonly ResourceTemplate<Principal>[]
  readonly prompts?: readonly Prompt<Principal>[]
  /** See {@link Catalog.allows}. */
  readonly allows?: (entry: CatalogEntry, context: CallContext<Principal>) => Awaitable<boolean>
}

/** A catalog and the dispatch that belongs to it: the two required options of every transport. */
export interface CatalogWithDispatch<Principal = unknown> {
  readonly catalog: Catalog<Principal>
  readonly dispatch: Dispatch<Principal>
}

/**
 * Turns lists of tools, resources and prompts with their handlers into the host's contract. The
 * lists are read now: what is added to them later is not served.
 *
 * @throws BEAM_ERR_OPT_INVALID for a list that is unknown or no list
 * @throws BEAM_ERR_CATALOG_ENTRY for an entry without its handler, in the wrong list, or with a
 *   member that is a known one but for its spelling
 */
export function createCatalog<Principal = unknown>(
  parts: CatalogParts<Principal>,
): CatalogWithDispatch<Principal> {
  checkParts(parts)
  const { tools = [], resources = [], resourceTemplates = [], prompts = [], allows } = parts
  const capabilities = {
    tools: [...tools],
    resources: [...resources, ...resourceTemplates],
    prompts: [...prompts],
  }
  const complete = completeBy(capabilities)
  const toolsByName = new Map(tools.map((tool) => [tool.name, tool]))
  const catalog: Catalog<Principal> = {
    capabilities: () => capabilities,
    readResource: readerOf(resources, resourceTemplates),
    getPrompt: rendererOf(prompts),
    ...(complete && { complete }),
    ...(allows && { allows }),
  }
  return {
    catalog,
    dispatch: (name, args, context) => toolsByName.get(name)?.handler(args, context),
  }
}

/** What runs each kind of entry, and what its name is. */
const RUNNERS = {
  tools: { kind: 'tool', key: 'name', runner: 'handler' },
  resources: { kind: 'resource', key: 'uri', runner: 'read' },
  resourceTemplates: { kind: 'resource template', key: 'uriTemplate', runner: 'read' },
  prompts: { kind: 'prompt', key: 'name', runner: 'render' },
} as const

const SHARED = ['title', 'description', 'icons', '_meta']

/** The members that are looked at, beside what runs the entry. Others may be there, for the host. */
const MEMBERS = {
  tools: [
    ...['name', ...SHARED, 'annotations', 'inputSchema', 'outputSchema', 'timeoutMs'],
    ...['commandClass', 'mode', 'nativePatterns'],
  ],
  resources: ['uri', 'name', ...SHARED, 'annotations', 'mimeType', 'size'],
  resourceTemplates: ['uriTemplate', 'name', ...SHARED, 'annotations', 'mimeType', 'complete'],
  prompts: ['name', ...SHARED, 'arguments'],
} as const

/** An entry that nothing can run would be listed and fail on its first call. */
function checkParts(parts: unknown): void {
  if (!isJsonObject(parts)) return refuseOption('createCatalog', 'takes an object of lists')
  refuseUnknown(parts, [...Object.keys(RUNNERS), 'allows'], 'createCatalog: ')
  for (const list of Object.keys(RUNNERS) as (keyof typeof RUNNERS)[]) {
    const entries = parts[list] ?? []
    if (!Array.isArray(entries)) return refuseOption(`createCatalog: ${list}`, 'must be a list')
    for (const entry of entries as readonly unknown[]) checkEntry(list, entry)
  }
}

function checkEntry(list: keyof typeof RUNNERS, entry: unknown): void {
  const { kind, key, runner } = RUNNERS[list]
  if (!isJsonObject(entry)) return refuseEntry(`a ${kind}`, 'it must be an object')
  const label = entryLabel(kind, entry[key])
  if (typeof entry[key] !== 'string') {
    refuseEntry(label, `${key} must be a string; see that it stands in the list of its kind`)
  }
  if (typeof entry[runner] !== 'function') {
    refuseEntry(label, `${runner} is required: a function that answers for it`)
  }
  // On a template it stands on the entry itself, so that here it is easily put there too.
  if (list === 'prompts' && entry['complete'] !== undefined) {
    refuseEntry(label, 'complete belongs to one of its arguments, beside the name of that')
  }
  const slip = findMisspelt(Object.keys(entry), [...MEMBERS[list], runner])
  if (slip !== undefined) refuseEntry(label, `'${slip.given}' is unknown; write '${slip.meant}'`)
}

/** Reads by what admitted the uri, so that a template the caller may not see is never asked. */
function readerOf<Principal>(
  resources: readonly Resource<Principal>[],
  templates: readonly ResourceTemplate<Principal>[],
): NonNullable<Catalog<Principal>['readResource']> {
  const byUri = new Map(resources.map((resource) => [resource.uri, resource]))
  const byTemplate = new Map(templates.map((template) => [template.uriTemplate, template]))
  return (uri, context) => {
    const listed = byUri.get(uri)
    if (listed !== undefined) return listed.read(context)
    const template = byTemplate.get(context.matched)
    return template === undefined ? notFound() : template.read(uri, context)
  }
}

function rendererOf<Principal>(
  prompts: readonly Prompt<Principal>[],
): NonNullable<Catalog<Principal>['getPrompt']> {
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]))
  return async (name, args, context) => {
    const prompt = byName.get(name)
    return prompt === undefined
      ? promptError('there is no such prompt')
      : asPromptAnswer(await prompt.render(args, context))
  }
}

/** What is no string goes on as it is; the core judges it. */
function asPromptAnswer(answer: PromptAnswer | string): PromptAnswer {
  if (typeof answer !== 'string') return answer
  return { messages: [{ role: 'user', content: answer }] }
}
