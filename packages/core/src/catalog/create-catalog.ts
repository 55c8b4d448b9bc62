// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, Catalog, CatalogEntry, Dispatch, PromptAnswer } from './catalog.ts'
import type { CallContext } from './context.ts'
import type { Prompt, Resource, ResourceTemplate, Tool } from './define.ts'
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
 */
export function createCatalog<Principal = unknown>(
  parts: CatalogParts<Principal>,
): CatalogWithDispatch<Principal> {
  const { tools = [], resources = [], resourceTemplates = [], prompts = [], allows } = parts
  const capabilities = {
    tools: [...tools],
    resources: [...resources, ...resourceTemplates],
    prompts: [...prompts],
  }
  const toolsByName = new Map(tools.map((tool) => [tool.name, tool]))
  const catalog: Catalog<Principal> = {
    capabilities: () => capabilities,
    readResource: readerOf(resources, resourceTemplates),
    getPrompt: rendererOf(prompts),
    ...(allows && { allows }),
  }
  return {
    catalog,
    dispatch: (name, args, context) => toolsByName.get(name)?.handler(args, context),
  }
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
