// SPDX-License-Identifier: Apache-2.0
import { type CatalogParts, type CatalogWithDispatch, createCatalog } from './create-catalog.ts'
import {
  type BarePromptDefinition,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type Prompt,
  type PromptDefinition,
  type Resource,
  type ResourceTemplate,
  type ResourceTemplateDefinition,
  type Tool,
  type ToolDefinition,
} from './define.ts'
import type { PromptArgument } from './prompt-spec.ts'
import type { JsonSchema } from './tool-spec.ts'

/** The sugar with the principal's type filled in once. */
export interface Beam<Principal> {
  readonly defineTool: <const Schema extends JsonSchema | undefined = undefined>(
    tool: ToolDefinition<Schema, Principal>,
  ) => Tool<Principal>
  readonly defineResource: (resource: Resource<Principal>) => Resource<Principal>
  readonly defineResourceTemplate: <const Template extends string = string>(
    template: ResourceTemplateDefinition<Template, Principal>,
  ) => ResourceTemplate<Principal>
  readonly definePrompt: {
    (prompt: BarePromptDefinition<Principal>): Prompt<Principal>
    <const Arguments extends readonly PromptArgument<Principal>[]>(
      prompt: PromptDefinition<Arguments, Principal>,
    ): Prompt<Principal>
  }
  readonly createCatalog: (parts: CatalogParts<Principal>) => CatalogWithDispatch<Principal>
}

/**
 * Fixes the principal's type, so that what `authorize` answers is what `context.principal` is.
 *
 * @typeParam Principal  the identity of a caller in this host
 */
export function createBeam<Principal>(): Beam<Principal> {
  return { defineTool, defineResource, defineResourceTemplate, definePrompt, createCatalog }
}
