// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, PromptAnswer, ResourceAnswer } from './catalog.ts'
import type { Completer } from './completion.ts'
import type { CallContext, ReadContext } from './context.ts'
import type { PromptArgument, PromptSpec } from './prompt-spec.ts'
import type { ResourceSpec, ResourceTemplateSpec } from './resource-spec.ts'
import type { JsonSchema, ToolSpec } from './tool-spec.ts'

/**
 * The type of the arguments that a schema describes: of a TypeBox schema (known by its `static`
 * member, or from `jsonSchema` of the subpath `./json-schema`) exactly, of any other a record of
 * unknowns, and of none an empty record.
 */
export type ArgumentsOf<Schema> = Schema extends { readonly static: infer Static }
  ? Static
  : Schema extends undefined
    ? Readonly<Record<string, never>>
    : Readonly<Record<string, unknown>>

/** A tool and its handler. The handler's arguments have passed the schema. */
export interface Tool<Principal = unknown> extends ToolSpec {
  handler(args: Readonly<Record<string, unknown>>, context: CallContext<Principal>): unknown
}

/** What {@link defineTool} takes. */
export type ToolDefinition<Schema extends JsonSchema | undefined, Principal> = Omit<
  ToolSpec,
  'inputSchema'
> & {
  readonly inputSchema?: Schema
  /** Answers a string, a plain JSON value, `toolResult(...)` or `toolError(...)`. */
  readonly handler: (args: ArgumentsOf<Schema>, context: CallContext<Principal>) => unknown
}

/** Types a tool: the handler's arguments are inferred from its schema. Answers the same object. */
export function defineTool<
  const Schema extends JsonSchema | undefined = undefined,
  Principal = unknown,
>(tool: ToolDefinition<Schema, Principal>): Tool<Principal> {
  return tool as Tool<Principal>
}

/** A resource and its reader. */
export interface Resource<Principal = unknown> extends ResourceSpec {
  read(context: ReadContext<Principal>): Awaitable<ResourceAnswer>
}

/** Types a resource. Answers the same object. */
export function defineResource<Principal = unknown>(
  resource: Resource<Principal>,
): Resource<Principal> {
  return resource
}

/** A resource template and the reader of every uri it matches. */
export interface ResourceTemplate<Principal = unknown> extends ResourceTemplateSpec {
  read(uri: string, context: ReadContext<Principal>): Awaitable<ResourceAnswer>
  readonly complete?: Readonly<Record<string, Completer<Principal> | undefined>>
}

/** The names of a template's variables; any name where the template's text is not known. */
export type VariablesOf<Template extends string> = string extends Template
  ? string
  : Template extends `${string}{${infer Variable}}${infer Rest}`
    ? BareName<Variable> | VariablesOf<Rest>
    : never

type BareName<Variable extends string> = Variable extends `+${infer Name}` ? Name : Variable

/** What {@link defineResourceTemplate} takes. */
export type ResourceTemplateDefinition<Template extends string, Principal> = Omit<
  ResourceTemplate<Principal>,
  'uriTemplate' | 'complete'
> & {
  readonly uriTemplate: Template
  readonly complete?: { readonly [Name in VariablesOf<Template>]?: Completer<Principal> }
}

/** Types a resource template: completers are named as its variables. Answers the same object. */
export function defineResourceTemplate<Principal = unknown, const Template extends string = string>(
  template: ResourceTemplateDefinition<Template, Principal>,
): ResourceTemplate<Principal> {
  return template as ResourceTemplate<Principal>
}

/** A prompt and its renderer. */
export interface Prompt<Principal = unknown> extends PromptSpec {
  render(
    args: Readonly<Record<string, string>>,
    context: CallContext<Principal>,
  ): Awaitable<PromptAnswer | string>
}

type NameOf<Argument> = Argument extends { readonly name: infer Name extends string } ? Name : never
type AnyArguments = readonly PromptArgument<never>[]
type RequiredIn<Arguments extends AnyArguments> = NameOf<
  Extract<Arguments[number], { readonly required: true }>
>

/** The arguments of a prompt by name: the required ones are there, the others may be. */
export type PromptArgumentsOf<Arguments extends AnyArguments> = {
  readonly [Name in RequiredIn<Arguments>]: string
} & {
  readonly [Name in Exclude<NameOf<Arguments[number]>, RequiredIn<Arguments>>]?: string
}

/** What {@link definePrompt} takes. */
export type PromptDefinition<Arguments extends AnyArguments, Principal> = Omit<
  PromptSpec,
  'arguments'
> & {
  readonly arguments?: Arguments
  /** Answers messages, `promptError(...)`, or a string: one message of the user. */
  readonly render: (
    args: PromptArgumentsOf<Arguments>,
    context: CallContext<Principal>,
  ) => Awaitable<PromptAnswer | string>
}

/** What {@link definePrompt} takes of a prompt without arguments. */
export type BarePromptDefinition<Principal> = PromptDefinition<readonly [], Principal> & {
  readonly arguments?: undefined
}

/**
 * Types a prompt: the renderer's arguments are inferred from those declared. Answers the same object.
 */
export function definePrompt<Principal = unknown>(
  prompt: BarePromptDefinition<Principal>,
): Prompt<Principal>
// `Arguments` has no default: completers would take the types of their parameters from it.
export function definePrompt<
  const Arguments extends readonly PromptArgument[],
  Principal = unknown,
>(prompt: PromptDefinition<Arguments, Principal>): Prompt<Principal>
export function definePrompt(prompt: object): object {
  return prompt
}
