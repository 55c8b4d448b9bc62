// SPDX-License-Identifier: Apache-2.0

import type { JsonObject } from '../protocol/plain.ts'
import type { CompletionAnswer, CompletionContext, CompletionRequest } from './completion.ts'
import type { ContentBlock } from './content.ts'
import type { CallContext, CatalogContext, ReadContext } from './context.ts'
import type { InputRequired, MissingCapability, NotFound, PromptError } from './outcome.ts'
import type { PromptSpec } from './prompt-spec.ts'
import type { ResourceSpec, ResourceTemplateSpec } from './resource-spec.ts'
import type { ToolSpec } from './tool-spec.ts'

/** An answer now or later. */
export type Awaitable<T> = T | Promise<T>

/** What a host offers: three lists, each of which may be empty and none of which may be missing. */
export interface Capabilities {
  readonly tools: readonly ToolSpec[]
  readonly resources: readonly (ResourceSpec | ResourceTemplateSpec)[]
  readonly prompts: readonly PromptSpec[]
}

/** One item of a resource's contents: exactly one of `text` and `blob`. */
export interface ResourceContents {
  /** Default: the uri that was asked for. */
  readonly uri?: string
  /** Default: the listed entry's. */
  readonly mimeType?: string
  readonly text?: string
  /** Raw bytes; they travel in base64. */
  readonly blob?: Uint8Array
  /** Keys of your own have a prefix of your own, such as `com.example/`. @see META-08 */
  readonly _meta?: JsonObject
}

/** What `readResource` may answer: text, bytes, items, or {@link NotFound}. */
export type ResourceAnswer =
  | string
  | Uint8Array
  | ResourceContents
  | readonly ResourceContents[]
  | NotFound
  | InputRequired
  | MissingCapability

/** One message of a prompt; a bare string is text. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string | ContentBlock
}

/** What `getPrompt` may answer. */
export type PromptAnswer =
  | { readonly messages: readonly PromptMessage[]; readonly description?: string }
  | PromptError
  | InputRequired
  | MissingCapability

/** An entry of the catalog as `allows` is asked about it. */
export type CatalogEntry =
  | { readonly type: 'tool'; readonly spec: ToolSpec }
  | { readonly type: 'resource'; readonly spec: ResourceSpec }
  | { readonly type: 'resourceTemplate'; readonly spec: ResourceTemplateSpec }
  | { readonly type: 'prompt'; readonly spec: PromptSpec }

/**
 * The host's contract. Everything may be asynchronous. `capabilities` is asked on every request
 * that needs it, so a catalog may change at run time: answer the same object while nothing has
 * changed (its compiled form is kept with it) and a new one when something has.
 *
 * Methods, not function-typed members: a catalog for a narrower principal stays assignable.
 */
export interface Catalog<Principal = unknown> {
  /** The three lists. Asked once at start-up, without a principal; a malformed answer refuses it. */
  capabilities(context: CatalogContext<Principal>): Awaitable<Capabilities>
  /** The contents of a uri that is listed or that a listed template matches. */
  readResource?(uri: string, context: ReadContext<Principal>): Awaitable<ResourceAnswer>
  /** The messages of a listed prompt, from arguments that were judged. */
  getPrompt?(
    name: string,
    args: Readonly<Record<string, string>>,
    context: CallContext<Principal>,
  ): Awaitable<PromptAnswer>
  /**
   * Values for an argument of a listed prompt or a variable of a listed template, while it is typed.
   * A catalog without it does not advertise completion. `createCatalog` makes it of the completers
   * on its entries.
   */
  complete?(
    request: CompletionRequest,
    context: CompletionContext<Principal>,
  ): Awaitable<CompletionAnswer>
  /**
   * The one rule for who sees what. It filters every list and gates every call, read, get and completion; a
   * hidden entry is answered exactly as one that does not exist. Anything but a boolean is a host
   * fault, and nothing is shown.
   */
  allows?(entry: CatalogEntry, context: CallContext<Principal>): Awaitable<boolean>
}

/**
 * Runs a tool. A string is text; any other plain JSON value is `structuredContent` and its JSON
 * text; `toolResult` and `toolError` are whole results. A throw or a rejection is a host fault: the
 * caller learns nothing of it.
 *
 * @param args  judged by the tool's schema; only keys that it declares or admits
 */
export type Dispatch<Principal = unknown> = {
  // A method signature keeps a dispatch for a narrower principal assignable.
  bivariance(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    context: CallContext<Principal>,
  ): unknown
}['bivariance']
